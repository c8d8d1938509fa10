"""No durable points: a failed run is computed again from its snapshot, and none was ever staged."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """A table that no command wrote to."""
    op.drop_table("durable_point")
