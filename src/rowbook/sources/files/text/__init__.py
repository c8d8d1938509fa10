"""What csv and json have in common: encodings, how values are written."""
