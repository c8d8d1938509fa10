"""What is decided before Spark starts."""
