"""The tables of the store, as the newest migration leaves them.

A table whose name ends in `_version` or `_change`, and all that hang on a run, are only ever added
to: what was recorded stays what it was.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Boolean, CheckConstraint, Column, ForeignKey, Integer, String, Text

from rowbook.store.database.value_types import CanonicalDocument, Instant, JsonDocument

VERSION_TABLE = "rowbook_version"
"""Holds the schema's version; a name of our own, as others use Alembic in the same database."""

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _one_of(column: str, *values: str) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def _run_id(*, key: bool = True) -> Column[str]:
    return Column("run_id", Text, ForeignKey("run.id"), primary_key=key, nullable=False)


def _part_of_run(name: str, key: str, document: str) -> sa.Table:
    return sa.Table(
        name,
        METADATA,
        _run_id(),
        Column(key, Integer, primary_key=True, autoincrement=False),
        Column(document, JsonDocument, nullable=False),
        Column("recorded_at", Instant, nullable=False),
    )


UNFINISHED = sa.literal_column("run.status IN ('queued', 'running')", Boolean)
"""Runs that have not ended. This and the next two say literally what the condition of an index says
(made by migration 0002; stated here it would import both dialects): only then are they answered
from it, and opening a workspace does not take longer with every run."""
STAGED = sa.literal_column("run.staging <> 'removed'", Boolean)
"""Runs that may have staged data."""
UNSETTLED = sa.literal_column("publish_intent.state = 'intended'", Boolean)
"""Publications that are neither done nor undone."""


definition = sa.Table(
    "definition",
    METADATA,
    Column("kind", String(16), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("latest", Integer, nullable=False),
    sa.UniqueConstraint("kind", "name"),
    _one_of("kind", "dataset", "resolver", "calendar", "datasource"),
)

definition_version = sa.Table(
    "definition_version",
    METADATA,
    Column("kind", String(16), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("content", CanonicalDocument, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    Column("recorded_by", Text, nullable=False),
    Column("produced_by", Text, ForeignKey("run.id")),
    sa.ForeignKeyConstraint(["kind", "id"], ["definition.kind", "definition.id"]),
)

production = sa.Table(
    "production",
    METADATA,
    _run_id(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("dataset_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("data", JsonDocument, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    sa.Index(None, "dataset_id", "version"),
)

project = sa.Table(
    "project",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    _one_of("status", "active", "inactive", "conflict"),
)

project_version = sa.Table(
    "project_version",
    METADATA,
    Column("project_id", Text, ForeignKey("project.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("content", JsonDocument, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("activated_at", Instant, nullable=False),
    Column("activated_by", Text, nullable=False),
)

project_pin = sa.Table(
    "project_pin",
    METADATA,
    Column("project_id", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("dataset_id", Text, primary_key=True),
    Column("dataset_version", Integer, nullable=False),
    sa.ForeignKeyConstraint(
        ["project_id", "version"], ["project_version.project_id", "project_version.version"]
    ),
    sa.Index(None, "dataset_id"),
)

project_change = sa.Table(
    "project_change",
    METADATA,
    Column("project_id", Text, ForeignKey("project.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("changed_at", Instant, nullable=False),
    Column("changed_by", Text, nullable=False),
    Column("reason", Text),
    Column("report", JsonDocument),
    _one_of("status", "active", "inactive", "conflict"),
)

period_change = sa.Table(
    "period_change",
    METADATA,
    Column("calendar_id", Text, primary_key=True),
    Column("period", Text, primary_key=True),
    Column("status", String(16), primary_key=True),
    Column("changed_at", Instant, nullable=False),
    Column("changed_by", Text, nullable=False),
    Column("reason", Text),
    _one_of("status", "closed", "locked"),
)

run = sa.Table(
    "run",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("project_id", Text, nullable=False),
    Column("project_name", Text, nullable=False),
    Column("project_version", Integer),
    Column("draft", Boolean, nullable=False),
    Column("calendar_id", Text, nullable=False),
    Column("period", Text, nullable=False),
    Column("writes_into", JsonDocument, nullable=False),
    Column("as_of", Text, nullable=False),
    Column("clock", Instant, nullable=False),
    Column("trigger", Text, nullable=False),
    Column("engine", Text, nullable=False),
    Column("requested_by", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("finished_at", Instant),
    Column("snapshot", JsonDocument),
    Column("failure", JsonDocument),
    Column("timings", JsonDocument),
    Column("reopened", Text),
    Column("cancel_requested_at", Instant),
    Column("cancel_requested_by", Text),
    Column("staging", String(16), nullable=False),
    Column("sandbox_removed_at", Instant),
    sa.Index(None, "created_at", "id"),
    sa.Index(None, "project_id", "period"),
    _one_of("status", "queued", "running", "completed", "failed", "cancelled", "waiting"),
    _one_of("staging", "kept", "discarding", "removed"),
)

run_step = _part_of_run("run_step", "seq", "entry")
run_output = _part_of_run("run_output", "seq", "output")
run_staged = _part_of_run("run_staged", "seq", "staged")
run_warning = _part_of_run("run_warning", "number", "warning")
run_expectation = _part_of_run("run_expectation", "number", "verdict")
run_waiver = _part_of_run("run_waiver", "number", "waiver")

run_resumption = sa.Table(
    "run_resumption",
    METADATA,
    _run_id(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("resumed_at", Instant, nullable=False),
    Column("resumed_by", Text, nullable=False),
    Column("from_seq", Integer, nullable=False),
    Column("accepted_input", JsonDocument),
    Column("failure", JsonDocument),
)

run_approval = sa.Table(
    "run_approval",
    METADATA,
    _run_id(),
    Column("asked_at", Instant, nullable=False),
    Column("destinations", JsonDocument, nullable=False),
    Column("verdict", Text),
    Column("decided_at", Instant),
    Column("decided_by", Text),
    Column("comment", Text),
)

run_verification = sa.Table(
    "run_verification",
    METADATA,
    _run_id(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("verification", JsonDocument, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    Column("recorded_by", Text, nullable=False),
)

publish_intent = sa.Table(
    "publish_intent",
    METADATA,
    Column("id", Integer, primary_key=True),
    _run_id(key=False),
    Column("seq", Integer, nullable=False),
    Column("destination", Text, nullable=False),
    Column("staging", Text, nullable=False),
    Column("details", JsonDocument, nullable=False),
    Column("state", String(16), nullable=False),
    Column("intended_at", Instant, nullable=False),
    Column("settled_at", Instant),
    sa.Index(None, "run_id", "seq"),
    _one_of("state", "intended", "done", "undone"),
)

lease = sa.Table(
    "lease",
    METADATA,
    Column("project_id", Text, primary_key=True),
    Column("period", Text, primary_key=True),
    Column("draft", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("run.id"), nullable=False, unique=True),
    Column("token", Integer, nullable=False),
    Column("host", Text, nullable=False),
    Column("machine", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("process_started", Text, nullable=False),
    Column("user_name", Text, nullable=False),
    Column("acquired_at", Instant, nullable=False),
    Column("heartbeat_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("uptime", sa.Float),
)

table_lock = sa.Table(
    "table_lock",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("run.id"), nullable=False),
    Column("token", Integer, nullable=False),
    Column("taken_at", Instant, nullable=False),
)
"""Tables that runs write to at this moment, by the key of their target. `token` is that of the
run's lease, which says who holds it and until when, and with which it ends."""

fence = sa.Table(
    "fence",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("token", Integer, nullable=False),
)
"""One row: the last token given to any lease. Kept apart, so that a lease can be removed and its
tokens still grow."""

seal = sa.Table(
    "seal",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("key_id", String(64)),
    Column("signature", Text),
    Column("sealed_at", Instant, nullable=False),
    Column("sealed_by", Text, nullable=False),
    Column("record", Text),
    sa.Index(None, "subject", "number"),
)
"""A chain over all records. `record` is what a seal over an older store is of: no rows have it."""

seal_key = sa.Table(
    "seal_key",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("public_key", Text, nullable=False),
    Column("recorded_at", Instant, nullable=False),
)
