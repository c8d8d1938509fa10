"""Two tables compared on Spark."""
