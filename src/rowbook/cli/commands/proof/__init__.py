"""Commands that show why a figure can be believed."""
