"""Delta tables: read at one version, written with one commit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.columns import PERIOD
from rowbook.sources.addresses import TableAddress, TargetAddress, recorded_path
from rowbook.sources.delta.commits import settle_commit, version_of
from rowbook.sources.delta.delta_table import DeltaTable, DeltaTarget, describe
from rowbook.sources.publishing.exchange import beside, settle_publication
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    Content,
    GoneError,
    Settlement,
    Source,
    Trace,
    WriteRequest,
    WriteResult,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class DeltaSource(Source[DeltaTable, DeltaTarget]):
    def table_at(self, address: TableAddress) -> DeltaTable:
        path, label = address.local_path(address.location.location)
        return DeltaTable(
            path, label, address.period, address.only, address.version, address.boundary
        )

    def target_at(self, address: TargetAddress) -> DeltaTarget:
        path, label = address.local_path()
        return DeltaTarget(path, address.options, label)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> DeltaTarget:
        path, options = recorded_path(recorded["path"], boundary), recorded.get("options", {})
        return DeltaTarget(path, options, recorded["shown"])

    def table_of(self, target: DeltaTarget) -> DeltaTable:
        return DeltaTable(target.path, target.label)

    def columns(self, table: DeltaTable) -> tuple[str, ...]:
        """DATASOURCE_007 where the table needs a reader that knows more than we do."""
        head = describe(table).head
        if head.protocol.unknown:
            raise RowbookError.of(
                "DATASOURCE_007",
                f"{table.label} needs a reader that knows {', '.join(head.protocol.unknown)}",
            )
        return tuple(column.name for column in head.columns)

    def contents(self, table: DeltaTable) -> tuple[Content, ...]:
        found = describe(table)
        return (Content(table.label, found.size, version=str(found.head.version)),)

    def pin(self, table: DeltaTable, contents: Sequence[Content] | None) -> DeltaTable:
        (content,) = self.contents(table) if contents is None else contents
        return replace(table, version=int(content.version or 0))

    def read(
        self, spark: SparkSession, tables: Sequence[DeltaTable], _: ExitStack
    ) -> tuple[Raw, ...]:
        from rowbook.sources.delta.read import read_delta

        return tuple(read_delta(spark, table) for table in tables)

    def write(self, frame: DataFrame, target: DeltaTarget, order: WriteRequest) -> WriteResult:
        from rowbook.sources.delta.write import write_delta

        return write_delta(frame, target, order)

    def settle(self, target: DeltaTarget, run_id: str, seq: int) -> Settlement:
        """Only of an output that was begun can anything come late."""
        if not target.path.parent.is_dir():
            raise GoneError(f"{target.path.parent} is not there")
        begun = beside(target.path, "staging", run_id).exists()
        found = settle_commit(target.path, run_id, seq, close=begun)
        settle_publication(target.path, run_id, seq)
        return found

    def trace(
        self,
        target: DeltaTarget,
        run_id: str,
        seq: int,
        _: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        version = version_of(target.path, run_id, seq)
        if version is None:
            return None
        only = {} if periods is None else {PERIOD.name: tuple(periods)}
        return Trace(replace(self.table_of(target), only=only, version=version))
