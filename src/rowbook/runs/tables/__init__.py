"""Rows of one table, to look at: a dataset in a period, or what an output of a run wrote."""
