"""Definitions applied, projects activated, periods closed."""
