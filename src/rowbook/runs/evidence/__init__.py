"""What is kept of a run: contents of its input, found again when the run is computed again."""
