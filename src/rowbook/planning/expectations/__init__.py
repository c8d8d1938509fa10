"""Expectations of datasets and projects, checked and resolved."""
