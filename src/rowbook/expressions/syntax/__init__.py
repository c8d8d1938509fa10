"""Text to unbound nodes, and back."""
