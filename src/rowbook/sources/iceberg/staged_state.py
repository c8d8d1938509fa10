"""The metadata of an Iceberg table on the way: what an output is staged upon, and what the table
becomes by it.

An output is written to a copy of the table that has its newest snapshot, and the columns that the
output brings. The snapshot that Spark adds there is added to the table itself, where that is what
it was when it was copied.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from rowbook.planning.columns import PERIOD
from rowbook.sources.iceberg.catalogs.catalog import OutputName
from rowbook.sources.iceberg.iceberg_schema import FrameColumn, schema_with
from rowbook.sources.iceberg.table_metadata import MAIN, NO_SNAPSHOT, TableMetadata, TableSnapshot
from rowbook.sources.source import WriteResult
from rowbook.sources.stores.object_path import DataPath

RUN, OUTPUT = "rowbook.run", "rowbook.output"
"""What the summary of a snapshot says of where it comes from."""
FORMAT = 2
_FIRST_PARTITION = 1000
_LOG = 100
"""Metadata files that a table remembers, where it does not say how many."""
_STRUCTURE = (
    *("schemas", "current-schema-id", "last-column-id"),
    *("partition-specs", "default-spec-id", "last-partition-id"),
    *("sort-orders", "default-sort-order-id"),
)
_UNDERNEATH = (
    *("format-version", "table-uuid", "last-sequence-number", "next-row-id", *_STRUCTURE),
    "current-snapshot-id",
)
"""What a snapshot builds upon."""
_KEPT_PROPERTIES = ("write.parquet.", "write.target-file-size-bytes", "write.metadata.metrics.")
"""Settings of a table that hold for files of an output; none names a class or another place."""


def underneath(metadata: TableMetadata | None) -> str:
    """Equal for two states of a table, where a snapshot fits upon one as upon the other."""
    there = None if metadata is None else [metadata.content.get(key) for key in _UNDERNEATH]
    return hashlib.sha256(json.dumps(there, sort_keys=True).encode()).hexdigest()


def staging_metadata(
    base: TableMetadata | None,
    columns: Sequence[FrameColumn],
    folder: DataPath,
    compression: str | None,
    *,
    whole: bool,
    by_period: bool,
) -> dict[str, Any]:
    """A copy that holds as much of the table as writing needs, in a folder of its own."""
    content = _empty() if base is None else dict(base.content)
    last = content["last-column-id"]
    there = None if base is None else base.schema()
    schema, last = schema_with(there, columns, last, whole=whole)
    if there is None:
        content["schemas"] = [schema]
    elif schema["fields"] != there["fields"]:
        content["schemas"], number = _with(content["schemas"], "schema-id", schema)
        content["current-schema-id"] = number
    content["last-column-id"] = last
    _divide(content, base, schema, by_period=by_period)
    snapshot = None if base is None else base.snapshot(base.main)
    given = content.get("properties") or {}
    properties = {k: v for k, v in given.items() if k.startswith(_KEPT_PROPERTIES)}
    if compression is not None:
        properties["write.parquet.compression-codec"] = compression
    content |= {
        "location": str(folder),
        "properties": properties,
        "snapshots": [] if snapshot is None else [snapshot.content],
        "refs": {} if snapshot is None else {MAIN: _reference(snapshot.id, "branch")},
        "snapshot-log": [],
        "metadata-log": [],
        "statistics": [],
        "partition-statistics": [],
    }
    return content


def published_metadata(
    base: TableMetadata | None,
    staged: TableMetadata,
    output: OutputName,
    location: DataPath,
    compression: str | None,
) -> dict[str, Any]:
    """What the table is with the snapshot that was staged: its main branch, and a tag, so that it
    stays when others are expired."""
    snapshot = staged.snapshot(staged.main)
    assert snapshot is not None
    now = max(int(time.time() * 1000), snapshot.content["timestamp-ms"])
    named = {} if compression is None else {"write.parquet.compression-codec": compression}
    if base is None:
        new = {**staged.content, "location": str(location), "properties": named}
    else:
        new = {**base.content, **{key: staged.content[key] for key in _STRUCTURE}}
        if not base.is_begun:
            new["properties"] = {**(base.content.get("properties") or {}), **named}
    before = base.content if base is not None else {}
    for key in ("last-sequence-number", "next-row-id"):
        if key in staged.content:
            new[key] = staged.content[key]
    new |= {
        "current-snapshot-id": snapshot.id,
        "last-updated-ms": now,
        "snapshots": [*(before.get("snapshots") or ()), snapshot.content],
        "refs": {
            **(before.get("refs") or {}),
            MAIN: {**_main(before), "snapshot-id": snapshot.id},
            output.tag: _reference(snapshot.id, "tag"),
        },
        "snapshot-log": [
            *(before.get("snapshot-log") or ()),
            {"timestamp-ms": now, "snapshot-id": snapshot.id},
        ],
        "metadata-log": _log(base),
    }
    return new


def output_in(metadata: TableMetadata | None, output: OutputName) -> TableSnapshot | None:
    """The snapshot that an output made, if the table still has it."""
    for each in () if metadata is None else reversed(metadata.snapshots):
        said = each.summary.get(RUN), each.summary.get(OUTPUT)
        if said == (output.run_id, str(output.seq)):
            return each
    return None


def written_by(snapshot: TableSnapshot) -> WriteResult:
    return WriteResult(
        snapshot.number("added-records"),
        snapshot.number("added-data-files"),
        snapshot.number("added-files-size"),
        0,
    )


def _empty() -> dict[str, Any]:
    return {
        "format-version": FORMAT,
        "table-uuid": str(uuid.uuid4()),
        "last-sequence-number": 0,
        "last-updated-ms": int(time.time() * 1000),
        "last-column-id": 0,
        "current-schema-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": []}],
        "default-spec-id": 0,
        "last-partition-id": _FIRST_PARTITION - 1,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "default-sort-order-id": 0,
        "current-snapshot-id": NO_SNAPSHOT,
    }


def _divide(
    content: dict[str, Any],
    base: TableMetadata | None,
    schema: Mapping[str, Any],
    *,
    by_period: bool,
) -> None:
    """Files of a new table are divided by period. One that is there is divided as it was, unless it
    lost a column for that."""
    numbers = {each["name"]: each["id"] for each in schema["fields"]}
    if (base is None or not base.is_begun) and by_period:
        period = {
            "name": PERIOD.name,
            "transform": "identity",
            "source-id": numbers[PERIOD.name],
            "field-id": _FIRST_PARTITION,
        }
        there = [] if base is None else content["partition-specs"]
        content["partition-specs"], number = _with(there, "spec-id", {"fields": [period]})
        content["default-spec-id"] = number
        content["last-partition-id"] = _FIRST_PARTITION
    elif base is not None:
        ids = set(numbers.values())
        specs, orders = content["partition-specs"], content["sort-orders"]
        if any(each["source-id"] not in ids for each in base.spec["fields"]):
            content["partition-specs"], number = _with(specs, "spec-id", {"fields": []})
            content["default-spec-id"] = number
        order = content["default-sort-order-id"]
        by = next(each["fields"] for each in orders if each["order-id"] == order)
        if any(each["source-id"] not in ids for each in by):
            content["default-sort-order-id"] = 0
            if all(each["order-id"] for each in orders):
                content["sort-orders"] = [*orders, {"order-id": 0, "fields": []}]


def _with(
    there: Sequence[Mapping[str, Any]], key: str, part: Mapping[str, Any]
) -> tuple[list[Mapping[str, Any]], int]:
    """With a part that has these fields, and its number: the first free one, if there is none."""
    for each in there:
        if each["fields"] == part["fields"]:
            return list(there), each[key]
    number = 1 + max((each[key] for each in there), default=-1)
    return [*there, {**part, key: number}], number


def _main(before: Mapping[str, Any]) -> Mapping[str, Any]:
    """With what the table says of how long its snapshots are kept."""
    found: Mapping[str, Any] = (before.get("refs") or {}).get(MAIN) or {"type": "branch"}
    return found


def _reference(snapshot: int, kind: str) -> dict[str, Any]:
    return {"snapshot-id": snapshot, "type": kind}


def _log(base: TableMetadata | None) -> list[Mapping[str, Any]]:
    if base is None:
        return []
    most = (base.content.get("properties") or {}).get("write.metadata.previous-versions-max")
    last = {"timestamp-ms": base.content["last-updated-ms"], "metadata-file": base.file}
    log = [*(base.content.get("metadata-log") or ()), last]
    return log[-int(most or _LOG) :]
