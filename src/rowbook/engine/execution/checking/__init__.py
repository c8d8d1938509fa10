"""Expectations on frames: marks, groupings, samples, rows taken out."""
