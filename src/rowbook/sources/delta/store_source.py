"""Outputs to Delta tables in an object store; they are read as those on a disk are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import STORE_OPTIONS
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.contents import Content, Keeping
from rowbook.sources.delta.commits import version_of
from rowbook.sources.delta.delta_table import DeltaStoreTarget, DeltaTable
from rowbook.sources.delta.source import DeltaSource, traced
from rowbook.sources.delta.staged_objects import settle_objects, staged_damage
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    Publishing,
    Settlement,
    Source,
    StagedOutput,
    Trace,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.stores.conditions import check_conditions
from rowbook.sources.stores.object_store import reached
from rowbook.sources.stores.recorded_path import path_of_record

if TYPE_CHECKING:
    from contextlib import ExitStack

    from pyspark.sql import DataFrame, SparkSession


class DeltaStoreSource(Source[DeltaTable, DeltaStoreTarget]):
    def table_at(self, address: TableAddress) -> DeltaTable:
        return DeltaSource().table_at(address)

    def target_at(self, address: TargetAddress) -> DeltaStoreTarget:
        path, _ = address.object_path()
        given = address.options
        options = {k: v for k, v in given.items() if k not in ("root", *STORE_OPTIONS)}
        return DeltaStoreTarget(path, options)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> DeltaStoreTarget:
        return DeltaStoreTarget(path_of_record(recorded, boundary), recorded["options"])

    def table_of(self, target: DeltaStoreTarget) -> DeltaTable:
        return DeltaTable(target.path, target.label)

    def existing(self, target: DeltaStoreTarget) -> DeltaTable:
        """Before anything is computed: DATASOURCE_008 where the bucket honours no conditions."""
        check_conditions(target.path.store, target.path.key)
        return self.table_of(target)

    def columns(self, table: DeltaTable) -> tuple[str, ...]:
        return DeltaSource().columns(table)

    def contents(self, table: DeltaTable) -> tuple[Content, ...]:
        return DeltaSource().contents(table)

    def pin(
        self, table: DeltaTable, contents: Sequence[Content] | None, keeping: Keeping | None
    ) -> DeltaTable:
        return DeltaSource().pin(table, contents, keeping)

    def read(
        self, spark: SparkSession, tables: Sequence[DeltaTable], resources: ExitStack
    ) -> tuple[Raw, ...]:
        return DeltaSource().read(spark, tables, resources)

    def check_credential(self, of: DeltaTable | DeltaStoreTarget) -> None:
        if isinstance(of, DeltaStoreTarget):
            of.path.store.keys()

    def stage(
        self, frame: DataFrame, target: DeltaStoreTarget, order: WriteRequest
    ) -> StagedOutput:
        from rowbook.sources.delta.object_write import stage_objects

        return stage_objects(frame, target, order)

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        from rowbook.sources.delta.object_write import publish_objects

        return tuple(publish_objects(each, publishing) for each in staged)

    def damage(self, staged: StagedOutput) -> str | None:
        with reached():
            return staged_damage(staged)

    def discard(self, staged: StagedOutput) -> None:
        self.settle(cast("DeltaStoreTarget", staged.target), staged.run_id, staged.seq)

    def settle(self, target: DeltaStoreTarget, run_id: str, seq: int) -> Settlement:
        with reached():
            return settle_objects(target.path, run_id, seq)

    def trace(
        self,
        target: DeltaStoreTarget,
        run_id: str,
        seq: int,
        _: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        return traced(self.table_of(target), version_of(target.path, run_id, seq), periods)
