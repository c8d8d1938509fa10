"""The log of a Delta table, read without Spark: which versions there are, and their actions.

What a table is at a version stands in the newest checkpoint at or below it and in the commits after
that. Checkpoints of all kinds are read: one file, several parts, and those with sidecars.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, overload

from rowbook.sources.stores.object_path import DataPath, ObjectPath, openable

LOG_FOLDER = "_delta_log"

Action: TypeAlias = tuple[str, Mapping[str, Any]]
"""What an action is (`add`, `txn` …), and its fields."""

_NAME = re.compile(
    r"(?P<version>\d{20})\."
    r"(?:(?P<commit>json)"
    r"|checkpoint\.(?:parquet|(?P<part>\d{10})\.(?P<parts>\d{10})\.parquet"
    r"|[0-9a-fA-F-]{36}\.(?:parquet|json)))"
)
_SIDECARS = "_sidecars"
_SIDECAR = "sidecar"
_FIELDS = {
    "add": ("add.path", "add.size", "add.partitionValues", "add.deletionVector"),
    "remove": (),
}
"""What is read of files in a checkpoint: the rest of it is most of it. What was removed before a
checkpoint is not in the table."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The files of a log that together say what a table is at a version."""

    version: int
    checkpoint: tuple[DataPath, ...]
    commits: tuple[DataPath, ...]

    def actions(self, *kinds: str) -> Iterator[list[Action]]:
        """Of the checkpoint first, then commit by commit; ValueError where a file is broken."""
        yield [action for file in self.checkpoint for action in _checkpointed(file, kinds)]
        for file in self.commits:
            yield list(read_commit(file, kinds))


@dataclass(frozen=True, slots=True)
class Log:
    """Checkpoints are those that are whole."""

    commits: Mapping[int, DataPath]
    checkpoints: Mapping[int, tuple[DataPath, ...]]

    @classmethod
    def of(cls, table: DataPath) -> Log:
        commits: dict[int, DataPath] = {}
        checkpoints: dict[int, tuple[DataPath, ...]] = {}
        parts: dict[tuple[int, int], list[DataPath]] = {}
        for file in _listed(table / LOG_FOLDER):
            m = _NAME.fullmatch(file.name)
            if m is None:
                continue
            version = int(m["version"])
            if m["commit"]:
                commits[version] = file
            elif m["parts"]:
                parts.setdefault((version, int(m["parts"])), []).append(file)
            else:
                checkpoints[version] = (file,)
        for (version, count), found in parts.items():
            if len(found) == count:
                checkpoints.setdefault(version, tuple(found))
        return cls(commits, checkpoints)

    @property
    def newest(self) -> int | None:
        return max((*self.commits, *self.checkpoints), default=None)

    def segment(self, version: int) -> Segment | None:
        """None where what says what the table is at a version is not in the log any more."""
        if version not in self.commits and version not in self.checkpoints:
            return None
        start = max((found for found in self.checkpoints if found <= version), default=-1)
        after = range(start + 1, version + 1)
        if any(each not in self.commits for each in after):
            return None
        commits = tuple(self.commits[each] for each in after)
        return Segment(version, self.checkpoints.get(start, ()), commits)


@overload
def commit_file(table: Path, version: int) -> Path: ...
@overload
def commit_file(table: ObjectPath, version: int) -> ObjectPath: ...
@overload
def commit_file(table: DataPath, version: int) -> DataPath: ...
def commit_file(table: DataPath, version: int) -> DataPath:
    return table / LOG_FOLDER / f"{version:020}.json"


def is_table(folder: DataPath) -> bool:
    return Log.of(folder).newest is not None


def read_commit(file: DataPath, kinds: Sequence[str]) -> Iterator[Action]:
    for line in file.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            for kind, fields in json.loads(line).items():
                if kind in kinds:
                    yield kind, fields


def _checkpointed(file: DataPath, kinds: Sequence[str]) -> Iterator[Action]:
    read = read_commit if file.suffix == ".json" else _parquet_actions
    for kind, fields in read(file, (*kinds, _SIDECAR)):
        if kind == _SIDECAR:
            beside = file.parent / _SIDECARS / Path(fields["path"]).name
            yield from _parquet_actions(beside, kinds)
        else:
            yield kind, fields


def _parquet_actions(file: DataPath, kinds: Sequence[str]) -> Iterator[Action]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = [field for kind in kinds for field in _FIELDS.get(kind, (kind,))]
    try:
        with pq.ParquetFile(openable(file)) as parquet:
            rows = parquet.read(columns=wanted)
    except pa.ArrowException as cause:
        raise ValueError(f"{file.name} is not a checkpoint: {cause}") from cause
    for kind in rows.column_names:
        for fields in rows.column(kind).to_pylist():
            if fields is not None:
                yield kind, fields


def _listed(folder: DataPath) -> Sequence[DataPath]:
    try:
        return list(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return ()
