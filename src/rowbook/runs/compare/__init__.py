"""What two runs wrote, compared."""
