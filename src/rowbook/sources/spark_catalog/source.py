"""Tables of the session's catalog: read alone, and compared after reading."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.identifiers import catalog_table_fault
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.contents import Content, Evidence, Keeping, Recall, changed_names
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    Publishing,
    Settlement,
    Source,
    StagedOutput,
    Target,
    Trace,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.source_errors import ContentsChangedError, NotAskedError, input_changed
from rowbook.sources.spark_catalog.catalog_table import CatalogState, CatalogTable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class CatalogSource(Source[CatalogTable, Target]):
    def table_at(self, address: TableAddress) -> CatalogTable:
        name = address.location.location
        if fault := catalog_table_fault(name):
            raise RowbookError.of("DATASOURCE_002", f"the name of the table {fault}")
        return CatalogTable(name, address.period, address.only)

    def target_at(self, address: TargetAddress) -> NoReturn:
        raise _only_read(address.table)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> NoReturn:
        raise _only_read(recorded["shown"])

    def table_of(self, target: Target) -> NoReturn:
        raise _only_read(target.label)

    def stage(self, frame: DataFrame, target: Target, order: WriteRequest) -> StagedOutput:
        raise _only_read(target.label)

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        raise _only_read(staged[0].target.label)

    def damage(self, staged: StagedOutput) -> str | None:
        raise _only_read(staged.target.label)

    def discard(self, staged: StagedOutput) -> None:
        raise _only_read(staged.target.label)

    def settle(self, target: Target, run_id: str, seq: int) -> Settlement:
        raise _only_read(target.label)

    def trace(
        self,
        target: Target,
        run_id: str,
        seq: int,
        columns: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        raise _only_read(target.label)

    def columns(self, table: CatalogTable) -> tuple[str, ...]:
        return _state(table).columns

    def contents(self, table: CatalogTable) -> tuple[Content, ...]:
        return (_state(table).content,)

    def pin(
        self, table: CatalogTable, contents: Sequence[Content] | None, keeping: Keeping | None
    ) -> CatalogTable:
        """NotAskedError where nobody gives a session to ask."""
        if keeping is None or keeping.session is None:
            raise _unknown(table)
        table = replace(table, session=keeping.session)
        pinned = replace(table, state=_asked(table))
        if contents is not None and (changed := changed_names(contents, self.contents(pinned))):
            raise ContentsChangedError(changed)
        return pinned

    def recall(
        self, address: TableAddress, contents: Sequence[Content], evidence: Evidence
    ) -> Recall:
        """Nothing is kept of such a table, and who looks at past runs asks no session."""
        return Recall("missing", None, (f"{contents[0].name} is known to Spark's catalog alone",))

    def check(self, table: CatalogTable) -> None:
        if table.session is None:
            return
        now = replace(table, state=_asked(table))
        if changed := changed_names(self.contents(table), self.contents(now)):
            raise input_changed(changed)

    def read(
        self, spark: SparkSession, tables: Sequence[CatalogTable], _: ExitStack
    ) -> tuple[Raw, ...]:
        from rowbook.sources.spark_catalog.read import read_table

        return tuple(read_table(spark, table) for table in tables)


def _state(table: CatalogTable) -> CatalogState:
    if table.state is None:
        raise _unknown(table)
    return table.state


def _unknown(table: CatalogTable) -> NotAskedError:
    return NotAskedError(f"{table.label} is known to Spark's catalog alone")


def _asked(table: CatalogTable) -> CatalogState:
    from rowbook.sources.spark_catalog.read import table_state

    assert table.session is not None
    with table.session() as spark:
        return table_state(spark, table)


def _only_read(label: str) -> RowbookError:
    message = f"{label} is a table of Spark's catalog, which is only read"
    return RowbookError.of("DATASOURCE_008", message)
