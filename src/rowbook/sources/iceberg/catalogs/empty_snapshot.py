"""A snapshot without rows: a list of no files, the one that is written here and not by Spark."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from typing import Any

from rowbook.sources.iceberg.table_metadata import TableMetadata

_COUNTS = ("added", "existing", "deleted")
_FIELDS = (
    ("manifest_path", "string", 500),
    ("manifest_length", "long", 501),
    ("partition_spec_id", "int", 502),
    ("content", "int", 517),
    ("sequence_number", "long", 515),
    ("min_sequence_number", "long", 516),
    ("added_snapshot_id", "long", 503),
    *((f"{each}_files_count", "int", 504 + n) for n, each in enumerate(_COUNTS)),
    *((f"{each}_rows_count", "long", 512 + n) for n, each in enumerate(_COUNTS)),
)
"""Of a list of files, with the numbers that Iceberg knows them by."""
_TOTALS = (
    *("total-records", "total-files-size", "total-data-files", "total-delete-files"),
    *("total-position-deletes", "total-equality-deletes"),
)
"""What later snapshots count on from."""
_MAGIC = b"Obj\x01"


def empty_snapshot(table: TableMetadata, file: str) -> dict[str, Any]:
    """To be the first of a table; `file` is its list."""
    snapshot: dict[str, Any] = {
        "snapshot-id": secrets.randbits(63),
        "sequence-number": table.content.get("last-sequence-number", 0) + 1,
        "timestamp-ms": max(int(time.time() * 1000), table.content["last-updated-ms"]),
        "manifest-list": file,
        "summary": {"operation": "append", **dict.fromkeys(_TOTALS, "0")},
        "schema-id": table.content["current-schema-id"],
    }
    if "next-row-id" in table.content:
        snapshot |= {"first-row-id": table.content["next-row-id"], "added-rows": 0}
    return snapshot


def empty_list() -> bytes:
    """An Avro file of no records."""
    fields = [{"name": name, "type": kind, "field-id": number} for name, kind, number in _FIELDS]
    schema = {"type": "record", "name": "manifest_file", "fields": fields}
    header = {
        "avro.schema": json.dumps(schema),
        "avro.codec": "null",
        "format-version": "2",
        "content": "data",
    }
    return _MAGIC + _map(header) + secrets.token_bytes(16)


def _map(values: Mapping[str, str]) -> bytes:
    pairs = (_text(key) + _text(value) for key, value in values.items())
    return _long(len(values)) + b"".join(pairs) + _long(0)


def _text(value: str) -> bytes:
    data = value.encode()
    return _long(len(data)) + data


def _long(value: int) -> bytes:
    """Of one that is not negative."""
    value, out = value << 1, bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
