"""The checks of each operation."""
