"""Text for people: what is visible, how wide it is, how values and numbers are written."""
