"""Delta tables: read at one version, written with one commit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasources import NO_DELTA, NO_DELTA_AT
from rowbook.sources.addresses import TableAddress, TargetAddress, recorded_path
from rowbook.sources.content_folder import file_digest
from rowbook.sources.contents import Content, Evidence, Keeping, Recall
from rowbook.sources.delta.commits import settle_commit, version_of
from rowbook.sources.delta.delta_table import DeltaTable, DeltaTarget, describe
from rowbook.sources.delta.log import LOG_FOLDER, commit_file
from rowbook.sources.publishing.exchange import (
    is_claimed,
    remove_output,
    settle_publication,
)
from rowbook.sources.publishing.table_publication import check_folder, damage_of
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    Extra,
    Publishing,
    Settlement,
    Source,
    StagedOutput,
    Trace,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.stores.object_path import ObjectPath

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class DeltaSource(Source[DeltaTable, DeltaTarget]):
    def table_at(self, address: TableAddress) -> DeltaTable:
        path, label = address.data_path(address.location.location)
        if isinstance(path, ObjectPath) and not path.store.address.is_s3:
            message = NO_DELTA_AT.format(label)
            raise RowbookError.of("DATASOURCE_008", message, hint=NO_DELTA)
        return DeltaTable(
            path, label, address.period, address.only, address.version, address.boundary
        )

    def target_at(self, address: TargetAddress) -> DeltaTarget:
        path, label = address.local_path()
        return DeltaTarget(path, address.options, label)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> DeltaTarget:
        path = recorded_path(recorded["path"], boundary)
        recorded_path(str(path / LOG_FOLDER), boundary)
        return DeltaTarget(path, recorded.get("options", {}), recorded["shown"])

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

    def fingerprint(self, table: DeltaTable) -> tuple[Content, ...]:
        """With the digest of the commit that made the version, where the log still has it."""
        (content,) = self.contents(table)
        commit = commit_file(table.path, int(content.version or 0))
        return (replace(content, digest=file_digest(commit) if commit.is_file() else None),)

    def pin(
        self, table: DeltaTable, contents: Sequence[Content] | None, _: Keeping | None
    ) -> DeltaTable:
        (content,) = self.contents(table) if contents is None else contents
        return replace(table, version=int(content.version or 0))

    def recall(
        self, address: TableAddress, contents: Sequence[Content], evidence: Evidence
    ) -> Recall:
        """Of the version of then; which is newest makes no difference."""
        (then,) = contents
        return super().recall(replace(address, version=int(then.version or 0)), contents, evidence)

    def extras(self, of: DeltaTable | DeltaTarget) -> frozenset[Extra]:
        return frozenset({"s3"}) if isinstance(of.path, ObjectPath) else frozenset()

    def read(
        self, spark: SparkSession, tables: Sequence[DeltaTable], _: ExitStack
    ) -> tuple[Raw, ...]:
        from rowbook.sources.delta.read import read_delta

        return tuple(read_delta(spark, table) for table in tables)

    def stage(self, frame: DataFrame, target: DeltaTarget, order: WriteRequest) -> StagedOutput:
        from rowbook.sources.delta.write import stage_delta

        return stage_delta(frame, target, order)

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        from rowbook.sources.delta.write import publish_delta

        return tuple(publish_delta(each, publishing) for each in staged)

    def damage(self, staged: StagedOutput) -> str | None:
        target = cast("DeltaTarget", staged.target)
        return damage_of(target.path, staged)

    def discard(self, staged: StagedOutput) -> None:
        target = cast("DeltaTarget", staged.target)
        remove_output(target.path, staged.run_id, staged.seq)

    def settle(self, target: DeltaTarget, run_id: str, seq: int) -> Settlement:
        """Only of an output that somebody began to publish can anything come late."""
        check_folder(target.path)
        begun = is_claimed(target.path, run_id, seq)
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
        return traced(self.table_of(target), version_of(target.path, run_id, seq), periods)


def traced(table: DeltaTable, version: int | None, periods: Collection[str] | None) -> Trace | None:
    """The version that an output made, of `periods` alone, where they are given."""
    if version is None:
        return None
    only = {} if periods is None else {PERIOD.name: tuple(periods)}
    return Trace(replace(table, only=only, version=version))
