"""Runs of the past followed once more: the life of a row, and what a figure is made of."""
