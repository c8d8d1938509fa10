"""One frozen model for each kind of definition."""
