"""Spark: the session, bound expressions as columns, loading, and one module per operation."""
