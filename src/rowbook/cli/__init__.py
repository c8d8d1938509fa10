"""Words and tables for people; no logic."""
