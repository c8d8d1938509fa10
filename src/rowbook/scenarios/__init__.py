"""Scenario files: run, compared, reported."""
