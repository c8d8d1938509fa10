"""A part of a run that is followed by itself."""
