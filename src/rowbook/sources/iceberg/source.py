"""Tables of Apache Iceberg: read at one snapshot, written by adding one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasources import option_text
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.content_folder import file_digest
from rowbook.sources.contents import Content, Evidence, Keeping, Recall
from rowbook.sources.iceberg.catalogs.catalog import CatalogAddress, OutputName
from rowbook.sources.iceberg.iceberg_schema import own_name
from rowbook.sources.iceberg.iceberg_table import IcebergTable, IcebergTarget, describe
from rowbook.sources.iceberg.staged_state import output_in
from rowbook.sources.iceberg.table_metadata import NO_SNAPSHOT
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    Extra,
    Publishing,
    Settlement,
    Source,
    StagedOutput,
    TableLayout,
    Trace,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.stores.object_store import reached

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class IcebergSource(Source[IcebergTable, IcebergTarget]):
    def table_at(self, address: TableAddress) -> IcebergTable:
        name = address.location.location
        catalog, label = _catalog(address.datasource, name, address.boundary)
        return IcebergTable(catalog, name, label, address.period, address.only, address.version)

    def target_at(self, address: TargetAddress) -> IcebergTarget:
        catalog, label = _catalog(address.datasource, address.table, address.boundary)
        return IcebergTarget(catalog, address.table, label)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> IcebergTarget:
        catalog = CatalogAddress(boundary=boundary, **recorded["catalog"])
        catalog.place(catalog.options["warehouse"])
        return IcebergTarget(catalog, recorded["table"], recorded["shown"])

    def table_of(self, target: IcebergTarget) -> IcebergTable:
        return IcebergTable(target.catalog, target.table, target.label)

    def check_credential(self, of: IcebergTable | IcebergTarget) -> None:
        of.catalog.check_credential()

    def extras(self, of: IcebergTable | IcebergTarget) -> frozenset[Extra]:
        return frozenset({"s3"}) if of.catalog.is_in_store else frozenset()

    def columns(self, table: IcebergTable) -> tuple[str, ...]:
        return tuple(map(own_name, describe(table).columns))

    def contents(self, table: IcebergTable) -> tuple[Content, ...]:
        snapshot = describe(table).snapshot
        if snapshot is None:
            return (Content(table.label, 0, version=str(NO_SNAPSHOT)),)
        size = snapshot.number("total-files-size")
        return (Content(table.label, size, version=str(snapshot.id)),)

    def layout(self, table: IcebergTable) -> TableLayout:
        snapshot = describe(table).snapshot
        return TableLayout(files=0 if snapshot is None else snapshot.number("total-data-files"))

    def fingerprint(self, table: IcebergTable) -> tuple[Content, ...]:
        """With the digest of the list that names the files of the snapshot, and their lists."""
        (content,) = self.contents(table)
        snapshot = describe(table).snapshot
        named = None if snapshot is None else snapshot.content.get("manifest-list")
        path = None if named is None else table.catalog.place(named)
        digest = file_digest(path) if path is not None and path.is_file() else None
        return (replace(content, digest=digest),)

    def pin(
        self, table: IcebergTable, contents: Sequence[Content] | None, _: Keeping | None
    ) -> IcebergTable:
        (content,) = self.contents(table) if contents is None else contents
        return replace(table, version=int(content.version or NO_SNAPSHOT))

    def recall(
        self, address: TableAddress, contents: Sequence[Content], evidence: Evidence
    ) -> Recall:
        """Of the snapshot of then; which is newest makes no difference."""
        (then,) = contents
        version = int(then.version or NO_SNAPSHOT)
        return super().recall(replace(address, version=version), contents, evidence)

    def read(
        self, spark: SparkSession, tables: Sequence[IcebergTable], resources: ExitStack
    ) -> tuple[Raw, ...]:
        from rowbook.sources.iceberg.read import read_iceberg

        return tuple(read_iceberg(spark, table, resources) for table in tables)

    def stage(self, frame: DataFrame, target: IcebergTarget, order: WriteRequest) -> StagedOutput:
        from rowbook.sources.iceberg.stage import stage_iceberg

        return stage_iceberg(frame, target, order)

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        from rowbook.sources.iceberg.snapshot_exchange import publish_iceberg

        return tuple(publish_iceberg(each, publishing) for each in staged)

    def damage(self, staged: StagedOutput) -> str | None:
        from rowbook.sources.iceberg.snapshot_exchange import damage_of

        with _asked(cast("IcebergTarget", staged.target)):
            return damage_of(staged)

    def discard(self, staged: StagedOutput) -> None:
        target = cast("IcebergTarget", staged.target)
        self.settle(target, staged.run_id, staged.seq)

    def settle(self, target: IcebergTarget, run_id: str, seq: int) -> Settlement:
        from rowbook.sources.iceberg.settlement import settle_iceberg

        with _asked(target):
            return settle_iceberg(target, OutputName(run_id, seq))

    def trace(
        self,
        target: IcebergTarget,
        run_id: str,
        seq: int,
        _: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        snapshot = output_in(target.metadata(), OutputName(run_id, seq))
        if snapshot is None:
            return None
        only = {} if periods is None else {PERIOD.name: tuple(periods)}
        return Trace(replace(self.table_of(target), only=only, version=snapshot.id))


def _asked(target: IcebergTarget) -> AbstractContextManager[None]:
    return reached() if target.catalog.is_in_store else nullcontext()


def _catalog(
    source: DatasourceDefinition | None, table: str, boundary: Boundary
) -> tuple[CatalogAddress, str]:
    if source is None:
        message = "data of type iceberg cannot be read or written"
        raise RowbookError.of("DATASOURCE_008", message, hint=f"name the data source of '{table}'")
    options = {name: option_text(value) for name, value in source.options.items()}
    kind = options.pop("catalog", "")
    address = CatalogAddress(kind, options, source.credential_ref, boundary)
    return address, f"{source.name}:{table}"
