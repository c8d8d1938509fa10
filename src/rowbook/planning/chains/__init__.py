"""Which projects make what others read, and in which order they run."""
