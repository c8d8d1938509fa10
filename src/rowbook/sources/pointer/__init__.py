"""Tables of files in an object store that one object points to."""
