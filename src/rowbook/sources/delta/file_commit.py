"""Staged files become part of a Delta table by a commit of our own: no row is written twice, and no
Spark is needed to publish what is decided.

That is done for tables that ask nothing of a writer but to name files: of the same columns and
types as what is staged, partitioned alike, without features, constraints or settings that change
what a commit must hold. All others are left to Spark.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from rowbook.planning.columns import PERIOD
from rowbook.sources.delta.commits import (
    add_commit,
    application,
    commit_of,
    metrics_of,
    next_number,
    written_by,
)
from rowbook.sources.delta.log import Log, Segment, read_commit
from rowbook.sources.delta.state import TableHead, live_actions, read_head
from rowbook.sources.publishing.staging import link_or_copy
from rowbook.sources.source import Publishing, StagedOutput, WriteResult
from rowbook.write_points import write_point

_ATTEMPTS = 5
_CHECKPOINT_EVERY = 10
"""Spark writes a checkpoint with every tenth commit: that one is left to it, where it is there."""
_PLAIN_WRITER = 2
_FEATURES = 7
_PLAIN_FEATURES = frozenset(("appendOnly", "invariants", "timestampNtz"))
_PLAIN_SETTINGS = (
    *("delta.logRetentionDuration", "delta.deletedFileRetentionDuration"),
    *("delta.checkpointInterval", "delta.checkpoint.writeStatsAsJson"),
)


@dataclass(frozen=True, slots=True)
class _Table:
    """A table at its newest version."""

    segment: Segment
    head: TableHead
    metadata: Mapping[str, Any]

    @classmethod
    def at(cls, folder: Path) -> _Table | None:
        log = Log.of(folder)
        segment = None if log.newest is None else log.segment(log.newest)
        if segment is None:
            return None
        found = [fields for each in segment.actions("metaData") for _, fields in each]
        return cls(segment, read_head(segment), found[-1])

    @property
    def fields(self) -> dict[str, Mapping[str, Any]]:
        return {each["name"]: each for each in json.loads(self.metadata["schemaString"])["fields"]}

    def takes(self, staged: _Table) -> bool:
        """Whether a commit that names the files of another is all that it takes to write them."""
        protocol, mine, other = self.head.protocol, self.fields, staged.fields
        is_plain = protocol.writer_version <= _PLAIN_WRITER or (
            protocol.writer_version == _FEATURES and protocol.writer_features <= _PLAIN_FEATURES
        )
        settings = self.metadata.get("configuration") or {}
        return (
            is_plain
            and not protocol.unknown
            and all(name in _PLAIN_SETTINGS for name in settings if name.startswith("delta."))
            and mine.keys() == other.keys()
            and all(mine[name]["type"] == other[name]["type"] for name in mine)
            and all(each["nullable"] and not each["metadata"] for each in mine.values())
            and self.head.partitions == staged.head.partitions
        )


def commit_files(
    staged: StagedOutput, folder: Path, table: Path, publishing: Publishing
) -> WriteResult | None:
    """What was written; None where only Spark can, or others got in between again and again."""
    try:
        return _commit(staged, folder, table, publishing)
    except (ValueError, LookupError, TypeError):
        return None  # a log that we cannot read: Spark says what is wrong with it


def _commit(
    staged: StagedOutput, folder: Path, table: Path, publishing: Publishing
) -> WriteResult | None:
    name, new = application(staged.run_id, staged.seq), _Table.at(folder)
    for attempt in range(_ATTEMPTS):
        there = _Table.at(table)
        if new is None or there is None or not there.takes(new):
            return None
        version = there.head.version + 1
        if publishing.spark is not None and version % _CHECKPOINT_EVERY == 0:
            return None
        number = next_number(there.head, name)
        if attempt == 0:
            _link_files(folder, new, table)
            publishing.announce(staged.written)
        content = _content(staged, new, there, number)
        write_point("before files are committed to a Delta table")
        is_ours = add_commit(table, version, content)
        write_point("files were committed to a Delta table")
        if is_ours and commit_of(table, name, number, version) is not None:
            return written_by(table, name, number, version)
    return None


def _link_files(folder: Path, new: _Table, table: Path) -> None:
    """On disk before any commit names them. Those of an attempt that died are there already."""
    folders = set()
    for fields in live_actions(new.segment):
        place = _inside(fields["path"])
        to = table / place
        to.parent.mkdir(parents=True, exist_ok=True)
        if not to.exists():
            link_or_copy(folder / place, to)
        folders |= {to.parent, table}
    for each in folders:
        handle = os.open(each, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _inside(path: str) -> str:
    """ValueError for a name that leads elsewhere."""
    place = PurePosixPath(unquote(path))
    if place.is_absolute() or ".." in place.parts or ":" in place.parts[0]:
        raise ValueError(f"{path} is not in the table")
    return str(place)


def _content(staged: StagedOutput, new: _Table, there: _Table, number: int) -> str:
    now = int(time.time() * 1000)
    replaces = staged.mode == "replace"
    first = new.segment.commits[0]
    info = {
        "timestamp": now,
        "operation": "WRITE",
        "operationParameters": {"mode": "Overwrite" if replaces else "Append"},
        "isolationLevel": "Serializable",
        "isBlindAppend": not replaces,
        "operationMetrics": {key: str(value) for key, value in metrics_of(first).items()},
        "userMetadata": f"rowbook run {staged.run_id} output {staged.seq}",
        "engineInfo": "Rowbook",
    }
    txn = {
        "appId": application(staged.run_id, staged.seq),
        "version": number,
        "lastUpdated": now,
    }
    removed = _replaced(there, staged.periods) if replaces else ()
    actions: list[dict[str, Any]] = [{"commitInfo": info}, {"txn": txn}]
    actions += [{"remove": _removal(fields, now)} for fields in removed]
    actions += [{"add": dict(fields)} for _, fields in read_commit(first, ("add",))]
    return "".join(f"{json.dumps(each)}\n" for each in actions)


def _replaced(there: _Table, periods: Sequence[str] | None) -> Iterator[Mapping[str, Any]]:
    for fields in live_actions(there.segment):
        if periods is None or dict(fields["partitionValues"])[PERIOD.name] in periods:
            yield fields


def _removal(fields: Mapping[str, Any], now: int) -> dict[str, Any]:
    vector = fields.get("deletionVector")
    return {
        "path": fields["path"],
        "deletionTimestamp": now,
        "dataChange": True,
        "extendedFileMetadata": True,
        "partitionValues": dict(fields["partitionValues"]),
        "size": fields["size"],
        **({"deletionVector": vector} if vector else {}),
    }
