"""What proves runs, in words."""
