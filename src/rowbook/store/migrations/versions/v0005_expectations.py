"""What became of the expectations of a run, and which of them somebody waived."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Column, Integer, Text

from rowbook.store.database.value_types import Instant

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    for name, document in (("run_expectation", "verdict"), ("run_waiver", "waiver")):
        op.create_table(
            name,
            Column("run_id", Text, nullable=False),
            Column("number", Integer, nullable=False, autoincrement=False),
            Column(document, Text, nullable=False),
            Column("recorded_at", Instant, nullable=False),
            sa.PrimaryKeyConstraint("run_id", "number", name=f"pk_{name}"),
            sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=f"fk_{name}_run_id"),
        )
