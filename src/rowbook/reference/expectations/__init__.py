"""Expectations on plain rows: what is seen of them, and which rows they take out."""
