"""What a Delta table is at a version: its columns, its files, who wrote to it last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rowbook.sources.delta.log import Segment

_READER_VERSION = 3
READER_FEATURES = frozenset(
    (
        *("columnMapping", "deletionVectors", "timestampNtz", "typeWidening", "v2Checkpoint"),
        *("typeWidening-preview", "vacuumProtocolCheck", "variantType", "variantType-preview"),
    )
)


@dataclass(frozen=True, slots=True)
class DeltaColumn:
    """A column; `kind` is its type as Delta and Spark write it, a structure where it is nested."""

    name: str
    kind: str | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Protocol:
    writer_version: int
    writer_features: frozenset[str]
    unknown: tuple[str, ...]
    """What a reader must know and we do not."""


@dataclass(frozen=True, slots=True)
class TableHead:
    """`transactions` has the last number that each application wrote under."""

    version: int
    columns: tuple[DeltaColumn, ...]
    partitions: tuple[str, ...]
    protocol: Protocol
    transactions: Mapping[str, int]

    def column(self, name: str) -> DeltaColumn | None:
        return next((column for column in self.columns if column.name == name), None)


@dataclass(frozen=True, slots=True)
class LiveFile:
    """`path` is a URI, from the table's folder where it is relative; `deletions` is the absolute
    one of a file that says which rows are gone."""

    path: str
    size: int
    deletions: str | None = None


def read_head(segment: Segment) -> TableHead:
    """ValueError where the log does not say it."""
    protocol: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] | None = None
    transactions: dict[str, int] = {}
    for actions in segment.actions("protocol", "metaData", "txn"):
        for kind, fields in actions:
            if kind == "protocol":
                protocol = fields
            elif kind == "metaData":
                metadata = fields
            else:
                transactions[fields["appId"]] = fields["version"]
    if protocol is None or metadata is None:
        raise ValueError("it does not say what the table's columns are")
    schema = json.loads(metadata["schemaString"])
    columns = tuple(DeltaColumn(field["name"], field["type"]) for field in schema["fields"])
    partitions = tuple(metadata["partitionColumns"])
    return TableHead(segment.version, columns, partitions, _protocol(protocol), transactions)


def live_files(segment: Segment) -> tuple[LiveFile, ...]:
    return tuple(
        LiveFile(fields["path"], fields["size"], _deletions(fields))
        for fields in live_actions(segment)
    )


def live_actions(segment: Segment) -> tuple[Mapping[str, Any], ...]:
    """The files as the log has them. In one commit a file may be both removed and added again, with
    other rows of it gone."""
    files: dict[tuple[str, str], Mapping[str, Any]] = {}
    for actions in segment.actions("add", "remove"):
        for kind, fields in actions:
            if kind == "remove":
                files.pop(_key(fields), None)
        for kind, fields in actions:
            if kind == "add":
                files[_key(fields)] = fields
    return tuple(files.values())


def _key(fields: Mapping[str, Any]) -> tuple[str, str]:
    """A file is told by its path and by which of its rows are gone."""
    vector = fields.get("deletionVector")
    if vector is None:
        return fields["path"], ""
    parts = vector["storageType"], vector["pathOrInlineDv"], vector.get("offset")
    return fields["path"], repr(parts)


def _deletions(fields: Mapping[str, Any]) -> str | None:
    vector = fields.get("deletionVector")
    return vector["pathOrInlineDv"] if vector and vector["storageType"] == "p" else None


def _protocol(fields: Mapping[str, Any]) -> Protocol:
    needed = {*(fields.get("readerFeatures") or ())}
    unknown = sorted(needed - READER_FEATURES)
    if fields["minReaderVersion"] > _READER_VERSION:
        unknown.append(f"reader version {fields['minReaderVersion']}")
    written = frozenset(fields.get("writerFeatures") or ())
    return Protocol(fields["minWriterVersion"], written, tuple(unknown))
