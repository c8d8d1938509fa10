"""What a run would do."""
