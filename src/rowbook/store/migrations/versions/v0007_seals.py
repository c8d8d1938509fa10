"""A chain of seals over all records, the keys that signed them, and verifications of runs."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, ForeignKeyConstraint, Integer, PrimaryKeyConstraint, String, Text

from rowbook.store.database.value_types import Instant

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "run_verification",
        Column("run_id", Text, nullable=False),
        Column("number", Integer, nullable=False, autoincrement=False),
        Column("verification", Text, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        Column("recorded_by", Text, nullable=False),
        PrimaryKeyConstraint("run_id", "number", name="pk_run_verification"),
        ForeignKeyConstraint(["run_id"], ["run.id"], name="fk_run_verification_run_id"),
    )
    op.create_table(
        "seal",
        Column("number", Integer, nullable=False, autoincrement=False),
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
        PrimaryKeyConstraint("number", name="pk_seal"),
    )
    op.create_index("ix_seal_subject_number", "seal", ["subject", "number"])
    op.create_table(
        "seal_key",
        Column("id", String(64), nullable=False),
        Column("public_key", Text, nullable=False),
        Column("recorded_at", Instant, nullable=False),
        PrimaryKeyConstraint("id", name="pk_seal_key"),
    )
