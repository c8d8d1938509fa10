"""From a dataset through its resolver to locations."""
