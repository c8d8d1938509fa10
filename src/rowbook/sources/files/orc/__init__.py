"""Orc files."""
