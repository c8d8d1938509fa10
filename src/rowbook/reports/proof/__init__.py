"""Proofs as pages: what a figure is made of, and the lives of rows."""
