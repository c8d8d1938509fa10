"""Where data lives: one module for each kind of source."""
