"""Definitions, projects, periods, runs and leases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, CheckConstraint, Column, ForeignKeyConstraint, Integer, String, Text
from sqlalchemy import PrimaryKeyConstraint as Key

from rowbook.store.database.value_types import Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes all tables; those that others refer to come first."""
    _projects()
    _runs()
    _parts_of_runs()
    _definitions()
    _leases()


def _one_of(table: str, column: str, *values: str) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=f"ck_{table}_{column}")


def _of_run(table: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["run_id"], ["run.id"], name=f"fk_{table}_run_id")


def _projects() -> None:
    op.create_table(
        "project",
        Column("id", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("status", String(16), nullable=False),
        Key("id", name="pk_project"),
        sa.UniqueConstraint("name", name="uq_project_name"),
        _one_of("project", "status", "active", "inactive", "conflict"),
    )
    op.create_table(
        "project_version",
        Column("project_id", Text, nullable=False),
        Column("version", Integer, nullable=False, autoincrement=False),
        Column("name", Text, nullable=False),
        Column("content", Text, nullable=False),
        Column("content_hash", String(64), nullable=False),
        Column("activated_at", Instant, nullable=False),
        Column("activated_by", Text, nullable=False),
        Key("project_id", "version", name="pk_project_version"),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_project_version_project_id"),
    )
    op.create_table(
        "project_pin",
        Column("project_id", Text, nullable=False),
        Column("version", Integer, nullable=False, autoincrement=False),
        Column("dataset_id", Text, nullable=False),
        Column("dataset_version", Integer, nullable=False),
        Key("project_id", "version", "dataset_id", name="pk_project_pin"),
        ForeignKeyConstraint(
            ["project_id", "version"],
            ["project_version.project_id", "project_version.version"],
            name="fk_project_pin_project_id_version",
        ),
    )
    op.create_index("ix_project_pin_dataset_id", "project_pin", ["dataset_id"])
    op.create_table(
        "project_change",
        Column("project_id", Text, nullable=False),
        Column("number", Integer, nullable=False, autoincrement=False),
        Column("version", Integer, nullable=False),
        Column("status", String(16), nullable=False),
        Column("changed_at", Instant, nullable=False),
        Column("changed_by", Text, nullable=False),
        Column("reason", Text),
        Column("report", Text),
        Key("project_id", "number", name="pk_project_change"),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_project_change_project_id"),
        _one_of("project_change", "status", "active", "inactive", "conflict"),
    )
    op.create_table(
        "period_change",
        Column("calendar_id", Text, nullable=False),
        Column("period", Text, nullable=False),
        Column("status", String(16), nullable=False),
        Column("changed_at", Instant, nullable=False),
        Column("changed_by", Text, nullable=False),
        Column("reason", Text),
        Key("calendar_id", "period", "status", name="pk_period_change"),
        _one_of("period_change", "status", "closed", "locked"),
    )


def _runs() -> None:
    op.create_table(
        "run",
        Column("id", Text, nullable=False),
        Column("project_id", Text, nullable=False),
        Column("project_name", Text, nullable=False),
        Column("project_version", Integer),
        Column("draft", Boolean, nullable=False),
        Column("calendar_id", Text, nullable=False),
        Column("period", Text, nullable=False),
        Column("writes_into", Text, nullable=False),
        Column("as_of", Text, nullable=False),
        Column("clock", Instant, nullable=False),
        Column("trigger", Text, nullable=False),
        Column("engine", Text, nullable=False),
        Column("requested_by", Text, nullable=False),
        Column("status", String(16), nullable=False),
        Column("created_at", Instant, nullable=False),
        Column("started_at", Instant),
        Column("finished_at", Instant),
        Column("snapshot", Text),
        Column("failure", Text),
        Column("timings", Text),
        Column("reopened", Text),
        Column("cancel_requested_at", Instant),
        Column("cancel_requested_by", Text),
        Column("staging", String(16), nullable=False),
        Key("id", name="pk_run"),
        _one_of("run", "status", "queued", "running", "completed", "failed", "cancelled"),
        _one_of("run", "staging", "kept", "discarding", "removed"),
    )


def _parts_of_runs() -> None:
    op.create_table(
        "run_step",
        Column("run_id", Text, nullable=False),
        Column("seq", Integer, nullable=False, autoincrement=False),
        Column("entry", Text, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Key("run_id", "seq", name="pk_run_step"),
        _of_run("run_step"),
    )
    op.create_table(
        "run_output",
        Column("run_id", Text, nullable=False),
        Column("seq", Integer, nullable=False, autoincrement=False),
        Column("output", Text, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Key("run_id", "seq", name="pk_run_output"),
        _of_run("run_output"),
    )
    op.create_table(
        "run_warning",
        Column("run_id", Text, nullable=False),
        Column("number", Integer, nullable=False, autoincrement=False),
        Column("warning", Text, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Key("run_id", "number", name="pk_run_warning"),
        _of_run("run_warning"),
    )
    op.create_table(
        "run_resumption",
        Column("run_id", Text, nullable=False),
        Column("number", Integer, nullable=False, autoincrement=False),
        Column("resumed_at", Instant, nullable=False),
        Column("resumed_by", Text, nullable=False),
        Column("from_seq", Integer, nullable=False),
        Column("accepted_input", Text),
        Column("failure", Text),
        Key("run_id", "number", name="pk_run_resumption"),
        _of_run("run_resumption"),
    )
    op.create_table(
        "durable_point",
        Column("run_id", Text, nullable=False),
        Column("seq", Integer, nullable=False, autoincrement=False),
        Column("place", Text, nullable=False),
        Column("details", Text, nullable=False),
        Column("counts", Text, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Key("run_id", "seq", name="pk_durable_point"),
        _of_run("durable_point"),
    )
    op.create_table(
        "publish_intent",
        Column("id", Integer, nullable=False),
        Column("run_id", Text, nullable=False),
        Column("seq", Integer, nullable=False),
        Column("destination", Text, nullable=False),
        Column("staging", Text, nullable=False),
        Column("details", Text, nullable=False),
        Column("state", String(16), nullable=False),
        Column("intended_at", Instant, nullable=False),
        Column("settled_at", Instant),
        Key("id", name="pk_publish_intent"),
        _of_run("publish_intent"),
        _one_of("publish_intent", "state", "intended", "done", "undone"),
    )
    op.create_index("ix_publish_intent_run_id_seq", "publish_intent", ["run_id", "seq"])


def _definitions() -> None:
    op.create_table(
        "definition",
        Column("kind", String(16), nullable=False),
        Column("id", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("latest", Integer, nullable=False),
        Key("kind", "id", name="pk_definition"),
        sa.UniqueConstraint("kind", "name", name="uq_definition_kind_name"),
        _one_of("definition", "kind", "dataset", "resolver", "calendar", "datasource"),
    )
    op.create_table(
        "definition_version",
        Column("kind", String(16), nullable=False),
        Column("id", Text, nullable=False),
        Column("version", Integer, nullable=False, autoincrement=False),
        Column("name", Text, nullable=False),
        Column("content", Text, nullable=False),
        Column("content_hash", String(64), nullable=False),
        Column("disabled", Boolean, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Column("recorded_by", Text, nullable=False),
        Column("produced_by", Text),
        Key("kind", "id", "version", name="pk_definition_version"),
        ForeignKeyConstraint(
            ["kind", "id"],
            ["definition.kind", "definition.id"],
            name="fk_definition_version_kind_id",
        ),
        ForeignKeyConstraint(["produced_by"], ["run.id"], name="fk_definition_version_produced_by"),
    )
    op.create_table(
        "production",
        Column("run_id", Text, nullable=False),
        Column("seq", Integer, nullable=False, autoincrement=False),
        Column("dataset_id", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("data", Text, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Key("run_id", "seq", name="pk_production"),
        _of_run("production"),
    )
    op.create_index("ix_production_dataset_id_version", "production", ["dataset_id", "version"])


def _leases() -> None:
    op.create_table(
        "lease",
        Column("project_id", Text, nullable=False),
        Column("period", Text, nullable=False),
        Column("draft", Text, nullable=False),
        Column("run_id", Text, nullable=False),
        Column("token", Integer, nullable=False),
        Column("host", Text, nullable=False),
        Column("machine", Text, nullable=False),
        Column("pid", Integer, nullable=False),
        Column("process_started", Text, nullable=False),
        Column("user_name", Text, nullable=False),
        Column("acquired_at", Instant, nullable=False),
        Column("heartbeat_at", Instant, nullable=False),
        Column("expires_at", Instant, nullable=False),
        Key("project_id", "period", "draft", name="pk_lease"),
        sa.UniqueConstraint("run_id", name="uq_lease_run_id"),
        _of_run("lease"),
    )
    fence = op.create_table(
        "fence",
        Column("id", Integer, nullable=False, autoincrement=False),
        Column("token", Integer, nullable=False),
        Key("id", name="pk_fence"),
    )
    op.bulk_insert(fence, [{"id": 1, "token": 0}])
