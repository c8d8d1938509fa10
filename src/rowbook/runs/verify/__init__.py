"""A past run computed again from its snapshot, and what came of comparing."""
