"""Rules that are lookups: which are, what they ask for, and the tables that they make."""
