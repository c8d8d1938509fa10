"""A run: lease, work, publications, end."""
