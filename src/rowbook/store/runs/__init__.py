"""Runs in the store: leases, what a run writes, what it leaves."""
