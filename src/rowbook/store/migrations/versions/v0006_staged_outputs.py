"""Outputs that are staged until their run publishes as a whole, and runs that wait for approval."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, ForeignKeyConstraint, Integer, PrimaryKeyConstraint, Text, text

from rowbook.store.database.value_types import Instant

revision = "0006"
down_revision = "0005"

_STATUSES = "'queued', 'running', 'completed', 'failed', 'cancelled'"


def upgrade() -> None:
    op.create_table(
        "run_staged",
        Column("run_id", Text, nullable=False),
        Column("seq", Integer, nullable=False, autoincrement=False),
        Column("staged", Text, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        PrimaryKeyConstraint("run_id", "seq", name="pk_run_staged"),
        ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_run_staged_run_id"),
    )
    op.create_table(
        "run_approval",
        Column("run_id", Text, nullable=False),
        Column("asked_at", Instant, nullable=False),
        Column("destinations", Text, nullable=False),
        Column("verdict", Text),
        Column("decided_at", Instant),
        Column("decided_by", Text),
        Column("comment", Text),
        PrimaryKeyConstraint("run_id", name="pk_run_approval"),
        ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_run_approval_run_id"),
    )
    _add_status("waiting")


def _add_status(status: str) -> None:
    """SQLite changes no constraint; but one that only allows more changes nothing of the rows, and
    its text may be exchanged (https://sqlite.org/lang_altertable.html, section 8)."""
    more = f"{_STATUSES}, '{status}'"
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint("ck_run_status", "run", type_="check")
        op.create_check_constraint("ck_run_status", "run", f"status IN ({more})")
        return
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar() or 0
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    connection.execute(
        text(
            "UPDATE sqlite_master SET sql = replace(sql, :old, :new)"
            " WHERE type = 'table' AND name = 'run'"
        ),
        {"old": f"status IN ({_STATUSES})", "new": f"status IN ({more})"},
    )
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")
