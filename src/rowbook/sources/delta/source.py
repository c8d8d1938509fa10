"""Delta tables: read at one version, written with one commit."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError
from rowbook.sources.delta.commits import settle_commit
from rowbook.sources.delta.table import describe
from rowbook.sources.places import DeltaTable, DeltaTarget
from rowbook.sources.publishing.exchange import beside, settle_publication
from rowbook.sources.raw import Raw
from rowbook.sources.source import Content, GoneError, Settlement, WriteRequest, WriteResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class DeltaSource:
    """See Source."""

    def columns(self, place: DeltaTable) -> tuple[str, ...]:
        """The columns that the table has at the place's version; DATASOURCE_007 where the table
        needs a reader that knows more than we do."""
        head = describe(place).head
        if head.protocol.unknown:
            raise RowbookError.of(
                "DATASOURCE_007",
                f"{place.label} needs a reader that knows {', '.join(head.protocol.unknown)}",
            )
        return tuple(column.name for column in head.columns)

    def contents(self, place: DeltaTable) -> tuple[Content, ...]:
        """The table at one version."""
        found = describe(place)
        return (Content(place.label, found.size, version=str(found.head.version)),)

    def read(
        self, spark: SparkSession, places: Sequence[DeltaTable], _: ExitStack
    ) -> tuple[Raw, ...]:
        """See Source. Every place is read at one version, that of now where it names none."""
        from rowbook.sources.delta.read import read_delta

        return tuple(read_delta(spark, place) for place in places)

    def write(self, frame: DataFrame, target: DeltaTarget, order: WriteRequest) -> WriteResult:
        """See Source."""
        from rowbook.sources.delta.write import write_delta

        return write_delta(frame, target, order)

    def settle(self, target: DeltaTarget, run_id: str, seq: int) -> Settlement:
        """See Source. A folder that is not there may be on a disk that will be back. Only of an
        output that was begun can anything come late."""
        if not target.path.parent.is_dir():
            raise GoneError(f"{target.path.parent} is not there")
        begun = beside(target.path, "staging", run_id).exists()
        found = settle_commit(target.path, run_id, seq, close=begun)
        settle_publication(target.path, run_id, seq)
        return found
