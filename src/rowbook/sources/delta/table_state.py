"""A Delta table at its newest version, and whether a commit of ours that names files is all that it
takes to write to it: tables without features, constraints or settings that change what a commit
must hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rowbook.sources.delta.log import Log, Segment
from rowbook.sources.delta.state import TableHead, read_head
from rowbook.sources.stores.object_path import DataPath

_PLAIN_WRITER = 2
_FEATURES = 7
_PLAIN_FEATURES = frozenset(("appendOnly", "invariants", "timestampNtz"))
_PLAIN_SETTINGS = (
    *("delta.logRetentionDuration", "delta.deletedFileRetentionDuration"),
    *("delta.checkpointInterval", "delta.checkpoint.writeStatsAsJson"),
)


@dataclass(frozen=True, slots=True)
class TableState:
    """A table at its newest version."""

    segment: Segment
    head: TableHead
    metadata: Mapping[str, Any]

    @classmethod
    def at(cls, folder: DataPath) -> TableState | None:
        log = Log.of(folder)
        segment = None if log.newest is None else log.segment(log.newest)
        if segment is None:
            return None
        found = [fields for each in segment.actions("metaData") for _, fields in each]
        return cls(segment, read_head(segment), found[-1])

    @property
    def fields(self) -> dict[str, Mapping[str, Any]]:
        return {each["name"]: each for each in json.loads(self.metadata["schemaString"])["fields"]}

    @property
    def is_plain(self) -> bool:
        """Whether it asks nothing of a commit but to name files."""
        protocol = self.head.protocol
        has_plain_protocol = protocol.writer_version <= _PLAIN_WRITER or (
            protocol.writer_version == _FEATURES and protocol.writer_features <= _PLAIN_FEATURES
        )
        settings = self.metadata.get("configuration") or {}
        return (
            has_plain_protocol
            and not protocol.unknown
            and all(name in _PLAIN_SETTINGS for name in settings if name.startswith("delta."))
            and all(each["nullable"] and not each["metadata"] for each in self.fields.values())
        )

    def takes(self, staged: TableState) -> bool:
        """Whether a commit that names the files of another is all that it takes to write them."""
        mine, other = self.fields, staged.fields
        return (
            self.is_plain
            and mine.keys() == other.keys()
            and all(mine[name]["type"] == other[name]["type"] for name in mine)
            and self.head.partitions == staged.head.partitions
        )
