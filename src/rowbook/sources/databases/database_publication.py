"""Staged rows on their way into a table: what is to be published, and what can be wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rowbook.errors import RowbookError
from rowbook.locations.identifiers import TableName
from rowbook.planning.columns import PERIOD
from rowbook.sources.databases.database import ServerTarget, unwritable
from rowbook.sources.databases.output_columns import ColumnTypes, OutputColumn, TableColumn
from rowbook.sources.source import StagedOutput, WriteRequest
from rowbook.sources.source_errors import table_exists_error


@dataclass(frozen=True, slots=True)
class Publication:
    stage: TableName
    name: TableName
    columns: tuple[OutputColumn, ...]
    order: WriteRequest | StagedOutput
    label: str

    @classmethod
    def of(cls, staged: StagedOutput, target: ServerTarget, types: ColumnTypes) -> Publication:
        """Of a record; which table the rows are staged in is to be found."""
        stage = TableName(target.staging_schema, "")
        columns = types.recorded_columns(staged.details["columns"])
        return cls(stage, target.name, columns, staged, target.label)

    @property
    def replaces(self) -> bool:
        return self.order.mode == "replace"

    @property
    def period(self) -> OutputColumn | None:
        if self.order.periods is None:
            return None
        return next((c for c in self.columns if c.name == PERIOD.name), None)

    def check(
        self, there: Mapping[str, TableColumn], types: ColumnTypes, *, is_table: bool
    ) -> None:
        """OUTPUT_006 where a table that is there cannot take what is to be written."""
        if self.order.mode == "error_if_exists":
            raise table_exists_error(self.label)
        if not is_table:
            raise unwritable(self.label, "it is a view, or belongs to another database")
        types.check(self.columns, there, self.label)
        periodic = PERIOD.name in {column.name for column in self.columns}
        if self.order.mode == "append" and PERIOD.name in there and not periodic:
            said = f"it has a column {PERIOD.name}, but the rows to append have none"
            raise unwritable(self.label, said)

    def check_count(self, rows: int) -> None:
        """OUTPUT_006 where other rows were published than had been staged."""
        if isinstance(self.order, StagedOutput) and rows != self.order.written.rows:
            raise self.lost()

    def lost(self) -> RowbookError:
        said = "the server crashed after rows were staged, and lost them"
        return unwritable(self.label, said, hint="nothing was published; resume the run")

    def taken_away(self) -> RowbookError:
        said = "its staged rows were taken away, by who took this process for dead"
        return unwritable(self.label, said)
