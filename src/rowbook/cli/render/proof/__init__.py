"""What shows why a figure can be believed, printed."""
