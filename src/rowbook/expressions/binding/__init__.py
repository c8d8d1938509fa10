"""Texts to bound, typed trees."""
