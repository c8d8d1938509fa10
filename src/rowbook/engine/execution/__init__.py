"""A plan followed on Spark."""
