"""Rows that an append makes from rows."""
