"""An Iceberg table, as it is read and as it is written. It is found without Spark; or an error says
what is there instead."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rowbook.errors import RowbookError, reason
from rowbook.planning.datasources import WAREHOUSE_KEYS
from rowbook.sources.iceberg.catalogs.catalog import (
    Catalog,
    CatalogAddress,
    open_catalog,
    table_name,
)
from rowbook.sources.iceberg.manifests import unreadable
from rowbook.sources.iceberg.table_metadata import NO_SNAPSHOT, TableMetadata, TableSnapshot
from rowbook.sources.source_errors import UnreachableError


@dataclass(frozen=True, slots=True)
class IcebergTable:
    """`version` is a snapshot; None: the newest of the main branch."""

    catalog: CatalogAddress
    table: str
    label: str
    period: str | None = None
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    version: int | None = None
    kind: ClassVar[str] = "iceberg"


@dataclass(frozen=True, slots=True)
class IcebergTarget:
    catalog: CatalogAddress
    table: str
    label: str
    kind: ClassVar[str] = "iceberg"

    @property
    def name(self) -> tuple[str, ...]:
        return table_name(self.table, self.catalog.options)

    @property
    def key(self) -> str:
        where = {**self.catalog.options, "namespace": "", "user": "", WAREHOUSE_KEYS: ""}
        return f"{self.catalog.catalog} {sorted(where.items())} {'.'.join(self.name)}"

    def open(self) -> Catalog:
        return open_catalog(self.catalog)

    def metadata(self) -> TableMetadata | None:
        """As it is now; None where there is no table."""
        return load_metadata(self.catalog, self.name, self.label)

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "catalog": self.catalog.as_json(),
            "table": self.table,
            "shown": self.label,
        }


@dataclass(frozen=True, slots=True)
class IcebergDescription:
    """`snapshot` is None of a table that nobody wrote to."""

    metadata: TableMetadata
    snapshot: TableSnapshot | None

    @property
    def columns(self) -> dict[str, Any]:
        fields = self.metadata.schema(self.snapshot)["fields"]
        return {each["name"]: each["type"] for each in fields}


def describe(table: IcebergTable) -> IcebergDescription:
    """DATASOURCE_006 where there is nothing, DATASOURCE_007 where its metadata cannot be read,
    DATASOURCE_004 where it leads out of what the workspace allows, DATASOURCE_010 where the
    catalog cannot be asked."""
    name = table_name(table.table, table.catalog.options)
    try:
        metadata = load_metadata(table.catalog, name, table.label)
    except UnreachableError as cause:
        raise RowbookError.of("DATASOURCE_010", f"{table.label}: {cause}") from cause
    if metadata is None or not metadata.is_begun:
        raise RowbookError.of("DATASOURCE_006", f"no data at {table.label}")
    wanted = metadata.main if table.version is None else table.version
    snapshot = metadata.snapshot(wanted)
    if snapshot is None and wanted != NO_SNAPSHOT:
        message = f"version {wanted} of {table.label} is not there, or was expired"
        raise RowbookError.of("DATASOURCE_006", message)
    return IcebergDescription(metadata, snapshot)


def load_metadata(
    address: CatalogAddress, name: tuple[str, ...], label: str
) -> TableMetadata | None:
    file = open_catalog(address).metadata_file(name)
    if file is None:
        return None
    path = address.place(file)
    try:
        metadata = TableMetadata.parse(path.read_bytes(), file)
    except (OSError, ValueError) as cause:
        raise unreadable(label, f"{path.name}: {reason(cause)}") from cause
    address.place(metadata.location)
    return metadata
