"""What columns hold: names, types with the evidence, keys."""
