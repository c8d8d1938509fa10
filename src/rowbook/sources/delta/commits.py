"""Who committed what to a Delta table, so that an output is published once or never.

A Delta log knows applications by name and the last number each wrote under; a write under a number
that is not higher does nothing, and one that finds another of its application beside it fails. So
every output is an application. Writes have odd numbers. An even one closes the door: it is
committed, without any rows, for an output that was given up, and a late write is then refused.
"""

from __future__ import annotations

import json
import os
import secrets
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rowbook.sources.delta.log import LOG_FOLDER, Log, commit_file, read_commit
from rowbook.sources.delta.state import READER_FEATURES, TableHead, read_head
from rowbook.sources.source import Settlement, WriteResult
from rowbook.sources.source_errors import UnreachableError
from rowbook.sources.stores.object_path import DataPath, ObjectPath
from rowbook.write_points import write_point

_LEGACY_WRITERS = 6
_FEATURES = 7
_NO_DEMANDS = READER_FEATURES.union(
    ("allowColumnDefaults", "appendOnly", "changeDataFeed", "checkConstraints", "clustering"),
    ("domainMetadata", "generatedColumns", "identityColumns", "invariants", "rowTracking"),
)
"""Features that ask nothing of a commit without files and metadata."""
_GRACE = 0.1
"""Seconds after which a commit that was made at the same moment has shown."""


def application(run_id: str, seq: int) -> str:
    return f"rowbook:{run_id}:{seq}"


def next_number(head: TableHead, name: str) -> int:
    """The number for a write: the next odd one."""
    last = head.transactions.get(name, 0)
    return last + 1 + last % 2


def newest_head(table: DataPath) -> TableHead | None:
    """The table as it is now; None where there is none. ValueError where its log is broken."""
    log = Log.of(table)
    if log.newest is None:
        return None
    segment = log.segment(log.newest)
    if segment is None:
        raise ValueError("commits are missing in it")
    return read_head(segment)


def written_by(table: DataPath, name: str, number: int, since: int = 0) -> WriteResult | None:
    """What the commit of an output wrote; None where no commit from version `since` on is it."""
    file = commit_of(table, name, number, since)
    return None if file is None else _written(metrics_of(file))


def commit_of(table: DataPath, name: str, number: int, since: int = 0) -> DataPath | None:
    """The commit of an output in the log, from version `since` on."""
    for _, file in sorted(Log.of(table).commits.items(), reverse=True):
        if int(file.stem) < since:
            break
        if (name, number) in ((f["appId"], f["version"]) for _, f in read_commit(file, ("txn",))):
            return file
    return None


def is_committed(table: DataPath, name: str, number: int) -> bool:
    head = newest_head(table)
    last = head.transactions.get(name, 0) if head else 0
    return last == number or (last > number and commit_of(table, name, number) is not None)


def output_rows(commit: DataPath) -> int | None:
    """The rows that a commit wrote into files, those that were there before among them."""
    return metrics_of(commit).get("numOutputRows")


def partition_values(table: DataPath) -> set[tuple[str | None, ...]]:
    newest = max(Log.of(table).commits.items())[1]
    files = (fields for _, fields in read_commit(newest, ("add",)))
    return {tuple(fields["partitionValues"].values()) for fields in files}


def settle_commit(table: DataPath, run_id: str, seq: int, *, close: bool) -> Settlement:
    """Whether an output is in a table's log. If not, `close` commits that it never will be, unless
    the table's protocol asks more of a commit than we know (a new feature, times kept in commits):
    then a writer that is still at work on a Spark server may finish. Where there is no table yet, a
    late commit in an object store is shut out by a table without columns, which is none to us."""
    name, number = application(run_id, seq), 0
    while True:
        try:
            head = newest_head(table)
        except (ValueError, LookupError, TypeError) as cause:
            raise UnreachableError(f"the log of {table} cannot be read: {cause}") from cause
        last = head.transactions.get(name, 0) if head else 0
        if last % 2:
            return Settlement(True, written_by(table, name, last))
        if not close or number == last > 0 or not _may_commit(table, head):
            return Settlement(False)
        number = last + 2
        content = _closing(run_id, seq, number)
        write_point("before a late commit is shut out")
        if head is None:
            add_commit(table, 0, content + _no_table())
        else:
            add_commit(table, head.version + 1, content)
        write_point("a late commit is shut out")


def version_of(table: DataPath, run_id: str, seq: int) -> int | None:
    name = application(run_id, seq)
    for version, file in sorted(Log.of(table).commits.items(), reverse=True):
        written = (fields for _, fields in read_commit(file, ("txn",)) if fields["version"] % 2)
        if any(fields["appId"] == name for fields in written):
            return version
    return None


def metrics_of(commit: DataPath) -> dict[str, int]:
    info: Mapping[str, Any] = next((f for _, f in read_commit(commit, ("commitInfo",))), {})
    return {name: int(value) for name, value in (info.get("operationMetrics") or {}).items()}


def _written(counted: Mapping[str, int]) -> WriteResult:
    """Rows that were there before and had to move to new files are counted by Delta too."""
    rows = counted.get("numOutputRows", 0) - counted.get("numCopiedRows", 0)
    return WriteResult(
        rows,
        counted.get("numFiles", 0),
        counted.get("numOutputBytes", 0),
        counted.get("executionTimeMs", 0),
    )


def _may_commit(table: DataPath, head: TableHead | None) -> bool:
    if head is None:
        return isinstance(table, ObjectPath)
    protocol = head.protocol
    if protocol.writer_version <= _LEGACY_WRITERS:
        return True
    return protocol.writer_version == _FEATURES and protocol.writer_features <= _NO_DEMANDS


def _closing(run_id: str, seq: int, number: int) -> str:
    now = int(time.time() * 1000)
    info = {
        "timestamp": now,
        "operation": "ROWBOOK GIVE UP",
        "operationParameters": {},
        "isBlindAppend": True,
        "userMetadata": f"rowbook run {run_id} gave up its output {seq}",
        "engineInfo": "Rowbook",
    }
    closed = {"appId": application(run_id, seq), "version": number, "lastUpdated": now}
    return f"{json.dumps({'commitInfo': info})}\n{json.dumps({'txn': closed})}\n"


def _no_table() -> str:
    metadata = {
        "id": str(uuid.uuid4()),
        "format": {"provider": "parquet", "options": {}},
        "schemaString": json.dumps({"type": "struct", "fields": []}),
        "partitionColumns": [],
        "configuration": {},
    }
    protocol = {"minReaderVersion": 1, "minWriterVersion": 2}
    return f"{json.dumps({'protocol': protocol})}\n{json.dumps({'metaData': metadata})}\n"


def add_commit(table: DataPath, version: int, content: str) -> bool:
    """Unless the version is taken: then False. On a disk Spark looks and then renames, so one that
    looked before may still come out on top: hence the wait before anybody looks again."""
    if isinstance(table, ObjectPath):
        key = commit_file(table, version).key
        return table.store.put_if_absent(key, content.encode()) is not None
    log = table / LOG_FOLDER
    made = log / f".rowbook-{secrets.token_hex(8)}.tmp"
    try:
        with made.open("x", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(made, log / f"{version:020}.json")
        except FileExistsError:
            return False
        _sync(log)
    finally:
        made.unlink(missing_ok=True)
    time.sleep(_GRACE)
    return True


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
