"""Expressions as English sentences."""
