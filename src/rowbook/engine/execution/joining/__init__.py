"""Rows with what joins and rule tables have for them."""
