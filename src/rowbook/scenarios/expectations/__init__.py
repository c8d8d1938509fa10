"""Expectations in scenarios: which are looked at, and whether that became of them what must."""
