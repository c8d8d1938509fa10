"""Alembic runs this file. The connection, and the transaction around it, come from `schema`."""

from __future__ import annotations

from alembic import context

from rowbook.store.database.tables import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
