"""Runs told to a lineage server, as OpenLineage events."""
