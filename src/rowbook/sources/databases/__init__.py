"""What databases have in common, whatever their product."""
