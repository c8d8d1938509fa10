"""Metadata of tables as Iceberg writes it, as little of it as there can be."""

from __future__ import annotations

import json
from typing import Any

from rowbook.sources.iceberg.table_metadata import TableMetadata

COLUMNS = (("account", "string"), ("amount", "decimal(18, 2)"), ("_period", "string"))


def metadata(**others: Any) -> TableMetadata:
    """A table of three columns, divided by period, that nobody wrote to."""
    fields = [
        {"id": number, "name": name, "required": False, "type": kind}
        for number, (name, kind) in enumerate(COLUMNS, 1)
    ]
    period = {"name": "_period", "transform": "identity", "source-id": 3, "field-id": 1000}
    content: dict[str, Any] = {
        "format-version": 2,
        "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
        "location": "/lake/books/gl",
        "last-sequence-number": 0,
        "last-updated-ms": 1767225600000,
        "last-column-id": 3,
        "current-schema-id": 0,
        "schemas": [{"type": "struct", "schema-id": 0, "fields": fields}],
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": [period]}],
        "last-partition-id": 1000,
        "default-sort-order-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "properties": {},
        "current-snapshot-id": -1,
        "snapshots": [],
    }
    return parsed({**content, **others})


def parsed(
    content: dict[str, Any], file: str = "/lake/books/gl/metadata/v1.metadata.json"
) -> TableMetadata:
    return TableMetadata.parse(json.dumps(content).encode(), file)


def snapshot(number: int, **summary: str) -> dict[str, Any]:
    return {
        "snapshot-id": number,
        "sequence-number": 1,
        "timestamp-ms": 1767225600000,
        "manifest-list": f"/lake/books/gl/metadata/snap-{number}.avro",
        "summary": {"operation": "append", **summary},
        "schema-id": 0,
    }


def written(*snapshots: dict[str, Any], **others: Any) -> TableMetadata:
    """The same with snapshots, the last of which is read."""
    last = snapshots[-1]["snapshot-id"]
    return metadata(
        **{
            "snapshots": list(snapshots),
            "current-snapshot-id": last,
            "last-sequence-number": 1,
            "refs": {"main": {"snapshot-id": last, "type": "branch"}},
            **others,
        }
    )
