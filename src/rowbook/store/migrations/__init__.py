"""How the tables came to be: one script a version, run by Alembic when a store is opened."""
