"""Where an Iceberg catalog is, as a data source names it, and what every kind of it can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.identifiers import lake_table_fault
from rowbook.locations.jdbc_urls import SQLITE
from rowbook.locations.object_urls import is_url
from rowbook.planning.datasources import WAREHOUSE_KEYS
from rowbook.sources.databases.database import Database
from rowbook.sources.iceberg.lake_files import local_folder, stored_object
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.stores.object_path import DataPath, ObjectPath

if TYPE_CHECKING:
    from rowbook.sources.iceberg.catalogs.rest_client import RestClient

FOLDER = "_rowbook_"
"""How the folders begin that outputs are written to: maintenance of Iceberg takes what begins with
an underscore for hidden, and leaves it alone."""


@dataclass(frozen=True, slots=True)
class OutputName:
    """An output of a run, as catalogs and tables know it."""

    run_id: str
    seq: int

    @property
    def folder(self) -> str:
        return f"{FOLDER}{self.run_id}_{self.seq}"

    @property
    def tag(self) -> str:
        return f"rowbook_{self.run_id}_{self.seq}"


@dataclass(frozen=True, slots=True)
class CatalogAddress:
    """`catalog` is its kind. `credential` names the secret, which `boundary` must let go there."""

    catalog: str
    options: Mapping[str, str]
    credential: str | None
    boundary: Boundary = field(compare=False)

    @property
    def warehouse(self) -> DataPath:
        """The folder of all tables; DATASOURCE_004 where it is outside the boundary."""
        return self.place(self.options.get("warehouse", ""))

    @property
    def is_in_store(self) -> bool:
        return is_url(self.options.get("warehouse", ""))

    def place(self, text: str) -> DataPath:
        """Where a text of metadata leads: files of a lake are where its warehouse is."""
        if not self.is_in_store:
            return local_folder(text, self.boundary)
        return stored_object(text, self.options, self.options.get(WAREHOUSE_KEYS), self.boundary)

    @property
    def database(self) -> Database:
        """That of a catalog in PostgreSQL."""
        options = self.options
        return Database(options["url"], options.get("user"), self.credential, self.boundary)

    @property
    def server(self) -> RestClient:
        """That of a REST catalog."""
        from rowbook.sources.iceberg.catalogs.rest_client import RestClient

        options, prefix = self.options, self.options.get("prefix")
        return RestClient(
            options["uri"], options.get("warehouse", ""), prefix, self.credential, self.boundary
        )

    def check_credential(self) -> None:
        """DATASOURCE_011 where a secret may not go there, DATASOURCE_009 where there is none."""
        is_server = self.catalog == "jdbc" and not self.options.get("url", "").startswith(SQLITE)
        if self.credential is not None and is_server:
            self.database.secret()
        if self.catalog == "rest":
            self.server.token()
        warehouse = self.warehouse
        if isinstance(warehouse, ObjectPath):
            warehouse.store.keys()

    def as_json(self) -> dict[str, Any]:
        return {
            "catalog": self.catalog,
            "options": dict(self.options),
            "credential": self.credential,
        }


class ClaimLostError(Exception):
    """Somebody else decided that an output is not to be published."""


class Catalog(Protocol):
    """Says where the metadata of a table stands, and exchanges it in one step.

    Who stages an output claims it first; a claim may make the table, without columns. It is
    published by who has the claim, and only as long as nobody released it: then it never will be.
    Names are namespaces and the table's own."""

    def metadata_file(self, name: tuple[str, ...]) -> str | None:
        """None where there is no table."""

    def new_location(self, name: tuple[str, ...]) -> DataPath:
        """The folder that a table gets which is not there yet."""

    def claim(self, name: tuple[str, ...], output: OutputName, location: DataPath) -> None: ...

    def exchange(
        self,
        name: tuple[str, ...],
        output: OutputName,
        base: TableMetadata | None,
        content: Mapping[str, Any],
    ) -> bool:
        """Makes `content` the metadata of a table and ends the claim; False where the metadata is
        not that of `base` any more. ClaimLostError where the claim was released."""

    def release(self, name: tuple[str, ...], output: OutputName) -> DataPath | None:
        """Once it returns, the output is published or never will be. Where its claim was released
        now or may have been before, the folder of the table it was staged in."""

    def forget(self, name: tuple[str, ...], output: OutputName) -> None:
        """Removes the claim of an output: nothing is left of it, or it is published."""


def table_name(text: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """`name` is in the namespace of the data source, `namespace.name` in its own. DATASOURCE_002
    where it is no name."""
    if fault := lake_table_fault(text):
        raise RowbookError.of("DATASOURCE_002", f"the name of the table {fault}")
    parts = tuple(text.split("."))
    if len(parts) > 1 or not options.get("namespace"):
        return parts
    return (*options["namespace"].split("."), *parts)


def joined(folder: DataPath, name: tuple[str, ...]) -> DataPath:
    for part in name:
        folder = folder / part
    return folder


def open_catalog(address: CatalogAddress) -> Catalog:
    if address.catalog == "hadoop":
        from rowbook.sources.iceberg.catalogs.hadoop_catalog import HadoopCatalog

        return HadoopCatalog(local_folder(address.options["warehouse"], address.boundary))
    if address.catalog == "jdbc":
        from rowbook.sources.iceberg.catalogs.sql_catalog import SqlCatalog

        return SqlCatalog(address)
    if address.catalog == "rest":
        from rowbook.sources.iceberg.catalogs.rest_catalog import RestCatalog

        return RestCatalog(address, address.server)
    message = f"a catalog of type '{address.catalog}' cannot be used"
    raise RowbookError.of("DATASOURCE_008", message, hint="use hadoop, jdbc or rest")
