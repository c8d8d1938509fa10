"""What `rowbook test` prints."""
