"""The rows that a question is about, found backward over the steps of a plan."""
