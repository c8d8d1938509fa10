"""What `Workspace` does, by what it is done to."""
