"""Commands about expectations."""
