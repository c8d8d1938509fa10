"""Rows that an append makes from rows, on frames."""
