"""Tables of files staged, exchanged and recovered."""
