"""What tells that rows are the same rows, without keeping them."""
