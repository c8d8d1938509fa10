"""Commands that show where figures come from."""
