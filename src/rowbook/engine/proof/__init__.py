"""What Spark does for proofs: rows that a question is about, found among many."""
