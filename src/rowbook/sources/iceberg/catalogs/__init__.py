"""Catalogs of Iceberg tables."""
