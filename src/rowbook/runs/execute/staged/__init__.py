"""Outputs that are computed and not published: found again, published, approved."""
