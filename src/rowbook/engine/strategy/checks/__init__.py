"""Expectations in a strategy: where they are looked at, by what, and what they read."""
