"""One writer of a table at a time; heartbeats by a clock that nobody sets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Column, Integer, Text

from rowbook.store.database.value_types import Instant

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("lease", Column("uptime", sa.Float))
    op.create_table(
        "table_lock",
        Column("key", Text, nullable=False),
        Column("run_id", Text, nullable=False),
        Column("token", Integer, nullable=False),
        Column("taken_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_table_lock"),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_table_lock_run_id"),
    )
