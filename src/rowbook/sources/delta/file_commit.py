"""Staged files become part of a Delta table by a commit of our own: no row is written twice, and no
Spark is needed to publish what is decided.

That is done for tables that ask nothing of a writer but to name files, of the same columns and
types as what is staged, partitioned alike. All others are left to Spark.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
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
from rowbook.sources.delta.log import read_commit
from rowbook.sources.delta.state import live_actions
from rowbook.sources.delta.table_state import TableState
from rowbook.sources.publishing.staging import link_or_copy
from rowbook.sources.source import Publishing, StagedOutput, WriteResult
from rowbook.sources.source_errors import given_up_error
from rowbook.write_points import write_point

_ATTEMPTS = 5
_CHECKPOINT_EVERY = 10
"""Spark writes a checkpoint with every tenth commit: that one is left to it, where it is there."""


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
    name, new, number = application(staged.run_id, staged.seq), TableState.at(folder), 0
    for attempt in range(_ATTEMPTS):
        there = TableState.at(table)
        if new is None or there is None or not there.takes(new):
            return None
        version = there.head.version + 1
        if publishing.spark is not None and version % _CHECKPOINT_EVERY == 0:
            return None
        if attempt == 0:
            number = next_number(there.head, name)
            _link_files(folder, new, table)
            publishing.announce(staged.written)
        elif there.head.transactions.get(name, 0) > number:
            raise given_up_error(staged.target.label)
        content = commit_content(staged, new, there, number)
        write_point("before files are committed to a Delta table")
        is_ours = add_commit(table, version, content)
        write_point("files were committed to a Delta table")
        if is_ours and commit_of(table, name, number, version) is not None:
            return written_by(table, name, number, version)
    return None


def _link_files(folder: Path, new: TableState, table: Path) -> None:
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


def commit_content(
    staged: StagedOutput,
    new: TableState,
    there: TableState | None,
    number: int,
    more: Sequence[dict[str, Any]] = (),
    below: str = "",
) -> str:
    """The actions of a commit that names the files of `new`, a folder `below` the table where it
    lies in there; with `more` of them first."""
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
    removed = _replaced(there, staged.periods) if there and replaces else ()
    actions: list[dict[str, Any]] = [{"commitInfo": info}, *more, {"txn": txn}]
    actions += [{"remove": _removal(fields, now)} for fields in removed]
    for _, fields in read_commit(first, ("add",)):
        actions.append({"add": {**fields, "path": below + fields["path"]}})
    return "".join(f"{json.dumps(each)}\n" for each in actions)


def _replaced(there: TableState, periods: Sequence[str] | None) -> Iterator[Mapping[str, Any]]:
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
