"""Commands that show rows: those of a step, and those that a run wrote."""
