"""Counts for the ledger."""
