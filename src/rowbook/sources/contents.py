"""The contents of a table: what identifies its state, how it is kept as it is while it is read, and
how it is found again after that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rowbook.sources.content_folder import ContentFolder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.sources.source import SourceTable


AskingSession: TypeAlias = "Callable[[], AbstractContextManager[SparkSession]]"


@dataclass(frozen=True, slots=True)
class Content:
    """A file is told by its size and time, an object by its size and `etag`, a table that counts
    its versions by that. `size` is in
    bytes, 0 where nobody knows. A `digest` tells the content itself; `inode` and `changed_ns` are
    where and when a file was, for the record. Of a database, `rows` tells the rows whoever wrote
    them, and `kept` is the digest of a file that holds them, where there is one as evidence."""

    name: str
    size: int
    modified_ns: int | None = None
    version: str | None = None
    digest: str | None = None
    etag: str | None = None
    inode: int | None = field(default=None, compare=False)
    changed_ns: int | None = field(default=None, compare=False)
    rows: str | None = field(default=None, compare=False)
    kept: str | None = field(default=None, compare=False)

    def is_same(self, other: Content) -> bool:
        """By what is in it, where both know that."""
        if self.digest is not None and other.digest is not None:
            return (self.name, self.digest) == (other.name, other.digest)
        return replace(self, digest=None) == replace(other, digest=None)

    def as_json(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def from_json(cls, recorded: dict[str, Any]) -> Content:
        return cls(**recorded)


@dataclass(frozen=True, slots=True)
class Keeping:
    """How tables are kept as they are while a run reads them: what must stay open is entered into
    `resources`, and files may be linked into `folder`; None where Spark reads on other machines,
    which may not see it. `session` is entered to ask Spark of what it alone knows; None: Spark is
    not started for that. `elsewhere`: Spark is known to run on other machines."""

    resources: ExitStack
    folder: Path | None = None
    session: AskingSession | None = None
    elsewhere: bool = False


Presence: TypeAlias = Literal["same", "other bytes, same rows", "changed", "missing"]
"""What a place is now, beside what it was when it was read."""


@dataclass(frozen=True, slots=True)
class Recall:
    """A place that was read, looked at again. `table` has the contents of then; None where they
    cannot be had any more. `from_evidence`: some of them are taken from what was kept. `changes`
    name what is otherwise now, for people."""

    presence: Presence
    table: SourceTable | None
    changes: tuple[str, ...] = ()
    from_evidence: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where what was read is looked for: the workspace's kept contents, and how tables are kept as
    they are while they are read. `quick`: files of the size and time of then are believed to be the
    same."""

    contents: ContentFolder
    keeping: Keeping
    quick: bool = False


def changed_names(before: Iterable[Content], now: Iterable[Content]) -> tuple[str, ...]:
    """The names of contents that differ, came or went."""
    old, new = ({each.name: each for each in contents} for contents in (before, now))
    both = old.keys() & new.keys()
    changed = {name for name in both if not old[name].is_same(new[name])}
    return tuple(sorted(changed | (old.keys() ^ new.keys())))
