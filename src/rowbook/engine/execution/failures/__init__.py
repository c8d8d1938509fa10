"""What failed inside Spark, found out by computing its parts once more."""
