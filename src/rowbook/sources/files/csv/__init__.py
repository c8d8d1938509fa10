"""Csv files."""
