"""The working dataset of few rows at the driver: as the reference engine has them, and as a local
relation where Spark goes on with them.

The numbers of an id in a frame are then those that its text shows; of one that the input brought
along, a hash of the text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from rowbook.engine.compile.local_frames import relation_of
from rowbook.engine.compile.row_ids import FIRST, SECOND, STORED
from rowbook.engine.execution.working import Working
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.planning.columns import ROW_ID
from rowbook.planning.datasets import Dataset
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.reference.id_hashes import stored_numbers, uuid_numbers, uuid_text
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.start import start, start_rows
from rowbook.reference.working_rows import Cell, Overflows, Row, WorkingRows

_IDS = frozenset((FIRST, SECOND, STORED))


@dataclass(frozen=True, slots=True)
class DriverRows:
    """After some operation; no cell holds a value that does not fit. What is `dropped` is not
    handed to Spark, as in `Working`."""

    working: WorkingRows
    context: RunContext
    stored_ids: bool = False
    dropped: frozenset[str] = frozenset()

    @classmethod
    def started(
        cls, loaded: LoadedRows, plan: ProjectPlan, context: RunContext, *, with_ids: bool
    ) -> DriverRows:
        """The working dataset before the first operation."""
        environment = RunEnvironment(context, plan.input, _nothing, Overflows())
        stored = ROW_ID in loaded.fields
        if with_ids:
            return cls(start(loaded, plan.columns, environment), context, stored)
        rows = [{ROW_ID: None, **row} for row in start_rows(loaded, plan.columns, environment)]
        return cls(WorkingRows(plan.columns, rows), context, stored, frozenset({ROW_ID}))

    @classmethod
    def of(cls, working: Working, context: RunContext) -> DriverRows:
        """Of rows that are here."""
        assert working.table is not None
        rows = WorkingRows(working.columns, _plain(working.table, working, context))
        return cls(rows, context, working.stored_ids, working.dropped)

    @property
    def visible(self) -> int:
        return sum(not row["_deleted"] for row in self.working.rows)

    def after(self, working: WorkingRows) -> DriverRows:
        return replace(self, working=working)

    def only(self, places: Sequence[int]) -> DriverRows:
        rows = [self.working.rows[place] for place in places]
        return self.after(WorkingRows(self.working.columns, rows))

    def without(self, names: Collection[str]) -> DriverRows:
        return replace(self, dropped=self.dropped | frozenset(names))

    def with_summaries(self, working: Working) -> DriverRows:
        """With the rows that Spark has added to these."""
        assert working.table is not None
        before = self.working.with_columns(working.columns).rows
        new = _plain(working.table.slice(len(before)), working, self.context)
        return self.after(WorkingRows(working.columns, [*before, *new]))

    def on_spark(self, spark: SparkSession) -> Working:
        """The same rows as one local relation."""
        rows: Sequence[Row] = self.working.rows
        columns = self.working.columns
        fields = [f for name, f in columns.fields.items() if name not in {*self.dropped, ROW_ID}]
        if ROW_ID not in self.dropped:
            rows = [_with_numbers(row, stored=self.stored_ids) for row in rows]
            fields += [Field(FIRST, t.INTEGER), Field(SECOND, t.INTEGER)]
            fields += [Field(STORED, t.STRING)] * self.stored_ids
        local = relation_of(spark, rows, fields)
        started = Working(local.frame, columns, stored_ids=self.stored_ids, dropped=self.dropped)
        return replace(started, local=local)


def _nothing(dataset: Dataset) -> LoadedRows:
    raise AssertionError(f"the start reads nothing of '{dataset.name}'")


def _with_numbers(row: Row, *, stored: bool) -> dict[str, Cell]:
    text = str(row[ROW_ID])
    first, second = stored_numbers(text) if stored else uuid_numbers(text)
    return {**row, FIRST: first, SECOND: second, STORED: text}


def _plain(table: pa.Table, working: Working, context: RunContext) -> list[Row]:
    """Rows of a frame as the reference engine has them."""
    fields, nothing = working.columns.fields, dict.fromkeys(working.dropped)
    with_ids = ROW_ID not in working.dropped
    times = [n for n in working.kept if fields[n].type.kind is Kind.TIMESTAMP]
    names = [*working.kept, *(name for name in working.hidden if with_ids and name in _IDS)]
    rows: list[dict[str, Any]] = table.select(names).to_pylist()
    for row in rows:
        for name in times:
            if isinstance(row[name], datetime):
                row[name] = row[name].astimezone(UTC)
        if with_ids:
            made = uuid_text(context.now, row.pop(FIRST), row.pop(SECOND))
            row[ROW_ID] = row.pop(STORED, None) or made
        row |= nothing
    return list(rows)
