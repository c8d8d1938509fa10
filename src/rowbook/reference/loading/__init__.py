"""Rows of sources mapped, checked, converted and filtered."""
