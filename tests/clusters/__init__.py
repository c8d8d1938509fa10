"""Runs on clusters that are started for real, and lose parts of themselves."""
