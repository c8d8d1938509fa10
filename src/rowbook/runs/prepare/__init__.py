"""From a request to a run that may start."""
