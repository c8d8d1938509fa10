"""A catalog that is a server of Iceberg's REST protocol.

The exchange is the server's own commit, which it makes only where the table is still what it was.
The claim of an output is a tag of the table: the commit that publishes the output requires it, and
takes it away. A tag needs a snapshot. So a table gets a first one, without rows, if it has none;
and one that is not there is made, without columns, which nobody takes for a table of anything.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rowbook.sources.iceberg.catalogs.catalog import (
    CatalogAddress,
    ClaimLostError,
    OutputName,
    joined,
)
from rowbook.sources.iceberg.catalogs.empty_snapshot import empty_list, empty_snapshot
from rowbook.sources.iceberg.catalogs.rest_client import RestClient
from rowbook.sources.iceberg.catalogs.rest_updates import (
    Update,
    requirements,
    same_reference,
    same_table,
    updates,
)
from rowbook.sources.iceberg.lake_files import ensure_folder, write_new
from rowbook.sources.iceberg.table_metadata import MAIN, NO_SNAPSHOT, TableMetadata
from rowbook.sources.source_errors import UnreachableError
from rowbook.sources.stores.object_path import DataPath
from rowbook.write_points import write_point

_ATTEMPTS = 50
_EMPTY = {
    "schema": {"type": "struct", "schema-id": 0, "fields": []},
    "partition-spec": {"spec-id": 0, "fields": []},
    "write-order": {"order-id": 0, "fields": []},
    "stage-create": False,
    "properties": {"format-version": "2"},
}


@dataclass(frozen=True, slots=True)
class RestCatalog:
    address: CatalogAddress
    client: RestClient

    def metadata_file(self, name: tuple[str, ...]) -> str | None:
        found = self.client.load(name)
        return None if found is None else str(found["metadata-location"])

    def new_location(self, name: tuple[str, ...]) -> DataPath:
        return joined(self.address.warehouse, name)

    def claim(self, name: tuple[str, ...], output: OutputName, location: DataPath) -> None:
        for _ in range(_ATTEMPTS):
            table = self._table(name)
            if table is None:
                table_folder = {"name": name[-1], "location": str(location)}
                self.client.create(name, {**table_folder, **_EMPTY})
            elif self._is_claimed(name, output, table):
                return
        raise self._contended(name)

    def exchange(
        self,
        name: tuple[str, ...],
        output: OutputName,
        base: TableMetadata | None,
        content: Mapping[str, Any],
    ) -> bool:
        claim = _claim(output)
        if base is None or claim not in (base.content.get("refs") or {}):
            raise ClaimLostError
        required = [*requirements(base), same_reference(base, claim)]
        steps = [*updates(base.content, content), _without(claim)]
        write_point("before an Iceberg table gets its new metadata")
        is_ours = self.client.commit(name, required, steps)
        write_point("an Iceberg table has its new metadata")
        return is_ours

    def release(self, name: tuple[str, ...], output: OutputName) -> DataPath | None:
        claim = _claim(output)
        for _ in range(_ATTEMPTS):
            table = self._table(name)
            if table is None:
                return None
            if claim not in (table.content.get("refs") or {}):
                return self.address.place(table.location)
            self.client.commit(name, [same_table(table)], [_without(claim)])
        raise self._contended(name)

    def forget(self, name: tuple[str, ...], output: OutputName) -> None:
        self.release(name, output)

    def _table(self, name: tuple[str, ...]) -> TableMetadata | None:
        found = self.client.load(name)
        if found is None:
            return None
        try:
            return TableMetadata.parse(
                json.dumps(found["metadata"]).encode(), str(found["metadata-location"])
            )
        except (LookupError, ValueError) as cause:
            said = f"what it says of {'.'.join(name)} cannot be read"
            raise UnreachableError(f"the catalog at {self.client.server}: {said}") from cause

    def _is_claimed(self, name: tuple[str, ...], output: OutputName, table: TableMetadata) -> bool:
        """False where the table was changed meanwhile."""
        required, steps, snapshot = [same_table(table), same_reference(table, MAIN)], [], table.main
        if snapshot == NO_SNAPSHOT:
            first = empty_snapshot(table, str(self._write_list(table)))
            snapshot = first["snapshot-id"]
            steps = [
                {"action": "add-snapshot", "snapshot": first},
                _reference(MAIN, "branch", snapshot),
            ]
        return self.client.commit(
            name, required, [*steps, _reference(_claim(output), "tag", snapshot)]
        )

    def _write_list(self, table: TableMetadata) -> DataPath:
        folder = self.address.place(table.location) / "metadata"
        ensure_folder(folder)
        file = folder / f"snap-rowbook-{uuid.uuid4()}.avro"
        write_new(file, empty_list())
        return file

    def _contended(self, name: tuple[str, ...]) -> UnreachableError:
        said = f"{'.'.join(name)} was changed by others at the same time, again and again"
        return UnreachableError(f"the catalog at {self.client.server}: {said}")


def _claim(output: OutputName) -> str:
    return f"claim_{output.tag}"


def _reference(name: str, kind: str, snapshot: int) -> Update:
    return {"action": "set-snapshot-ref", "ref-name": name, "type": kind, "snapshot-id": snapshot}


def _without(name: str) -> Update:
    return {"action": "remove-snapshot-ref", "ref-name": name}
