"""Lists of runs, and what dead ones left, without reading all of them; sandboxes that are gone."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, text

from rowbook.store.database.value_types import Instant

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """A column of runs, and indexes; one with a condition holds only the rows that meet it."""
    op.add_column("run", Column("sandbox_removed_at", Instant))
    op.create_index("ix_run_created_at_id", "run", ["created_at", "id"])
    op.create_index("ix_run_project_id_period", "run", ["project_id", "period"])
    for name, table, column, condition in (
        ("ix_run_unfinished", "run", "id", "status IN ('queued', 'running')"),
        ("ix_run_staged", "run", "id", "staging <> 'removed'"),
        ("ix_publish_intent_unsettled", "publish_intent", "run_id", "state = 'intended'"),
    ):
        where = text(condition)
        op.create_index(name, table, [column], sqlite_where=where, postgresql_where=where)
