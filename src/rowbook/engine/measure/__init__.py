"""What each operation does to a total."""
