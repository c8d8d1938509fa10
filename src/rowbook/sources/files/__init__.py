"""Tables that are files."""
