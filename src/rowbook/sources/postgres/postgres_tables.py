"""A table of a PostgreSQL database, as it is read and as it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rowbook.sources.databases.database import ServerTable, ServerTarget

if TYPE_CHECKING:
    from rowbook.sources.postgres.read_snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class PostgresTable(ServerTable):
    """One that is pinned is read in `snapshot`, a moment of the database that is held for it."""

    snapshot: Snapshot | None = None
    kind: ClassVar[str] = "jdbc"


@dataclass(frozen=True, slots=True)
class PostgresTarget(ServerTarget):
    kind: ClassVar[str] = "jdbc"
