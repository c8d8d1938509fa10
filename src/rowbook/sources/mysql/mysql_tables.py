"""A table of a MySQL or MariaDB database, as it is read and as it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rowbook.sources.databases.database import ServerTable, ServerTarget

if TYPE_CHECKING:
    from rowbook.sources.mysql.read_moment import ReadMoment


@dataclass(frozen=True, slots=True)
class MysqlTable(ServerTable):
    """One that is pinned has the content of a `moment` of the database, which is held for it."""

    moment: ReadMoment | None = None
    kind: ClassVar[str] = "mysql"


@dataclass(frozen=True, slots=True)
class MysqlTarget(ServerTarget):
    kind: ClassVar[str] = "mysql"
