"""Connections, tables and versions of the store, the same on SQLite and PostgreSQL."""
