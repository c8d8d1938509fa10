"""Json lines."""
