"""Projects that feed each other, run in order."""
