"""What an Iceberg table is, as its metadata file says: columns, partitions, snapshots and names.

The file is JSON, and never changes; a table that does gets a new one.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NO_SNAPSHOT = -1
"""What a table has that nobody wrote to."""
MAIN = "main"
NEWEST_FORMAT = 3
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The rows of a table at a moment. `content` is all that the metadata says of it."""

    id: int
    content: Mapping[str, Any]

    @property
    def summary(self) -> Mapping[str, str]:
        return self.content.get("summary") or {}

    def number(self, name: str) -> int:
        """A figure of the summary; 0 where it has none."""
        return int(self.summary.get(name) or 0)


@dataclass(frozen=True, slots=True)
class TableMetadata:
    """`file` is where the metadata stands, as the catalog says it."""

    file: str
    content: Mapping[str, Any]

    @classmethod
    def parse(cls, data: bytes, file: str) -> TableMetadata:
        """ValueError where it is none, or of a format that is not known."""
        try:
            text = gzip.decompress(data) if data.startswith(_GZIP) else data
            content = json.loads(text)
            version = content["format-version"]
            found = cls(file, _in_lists(content))
            _ = found.columns, found.location, found.partitions, found.snapshots
        except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError) as cause:
            raise ValueError(f"it cannot be read: {cause}") from cause
        if version not in range(1, NEWEST_FORMAT + 1):
            raise ValueError(f"it is of format {version}, and {NEWEST_FORMAT} is the newest known")
        return found

    @property
    def location(self) -> str:
        return str(self.content["location"])

    @property
    def snapshots(self) -> tuple[TableSnapshot, ...]:
        found = self.content.get("snapshots") or ()
        return tuple(TableSnapshot(each["snapshot-id"], each) for each in found)

    @property
    def main(self) -> int:
        """The snapshot that readers see; NO_SNAPSHOT where there is none."""
        found = self.content.get("current-snapshot-id")
        return NO_SNAPSHOT if found is None else int(found)

    def snapshot(self, wanted: int) -> TableSnapshot | None:
        return next((each for each in self.snapshots if each.id == wanted), None)

    def schema(self, snapshot: TableSnapshot | None = None) -> Mapping[str, Any]:
        """Of a snapshot, or that which holds now."""
        wanted = self.content["current-schema-id"]
        if snapshot is not None:
            wanted = snapshot.content.get("schema-id", wanted)
        return _one(self.content["schemas"], "schema-id", wanted)

    @property
    def columns(self) -> dict[str, Any]:
        """Types as Iceberg writes them, by name."""
        return {each["name"]: each["type"] for each in self.schema()["fields"]}

    @property
    def is_begun(self) -> bool:
        """Whether it is a table already: one without columns was made for the first output."""
        return bool(self.columns)

    @property
    def spec(self) -> Mapping[str, Any]:
        return _one(self.content["partition-specs"], "spec-id", self.content["default-spec-id"])

    @property
    def partitions(self) -> frozenset[str]:
        """Columns whose values divide the files."""
        names = {each["id"]: each["name"] for each in self.schema()["fields"]}
        fields = self.spec["fields"]
        by = (each["source-id"] for each in fields if each["transform"] == "identity")
        return frozenset(names[each] for each in by if each in names)


def _in_lists(content: dict[str, Any]) -> dict[str, Any]:
    """The first format knew one schema and one way to divide files."""
    if "schemas" not in content:
        content = {**content, "schemas": [{**content["schema"], "schema-id": 0}]}
        content["current-schema-id"] = 0
    if "partition-specs" not in content:
        spec = {"spec-id": 0, "fields": content["partition-spec"]}
        content = {**content, "partition-specs": [spec], "default-spec-id": 0}
    return content


def _one(among: list[Mapping[str, Any]], key: str, wanted: int) -> Mapping[str, Any]:
    for each in among:
        if each[key] == wanted:
            return each
    raise ValueError(f"it has no {key} {wanted}")
