"""What all operations of a run share, and how one says that a value of it does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rowbook.errors import Diagnostic, OperationRef
from rowbook.expressions.evaluate import EvaluationError, Evaluators
from rowbook.expressions.values import Value
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    OutputStep,
    Result,
    Step,
    UpdateStep,
)
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.row_subset import EVERYTHING, RowSubset
from rowbook.reference.working_rows import Cell, JoinedRow, Overflows, read_cell
from rowbook.value_class import dataclass

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class RunEnvironment:
    """`load` gives the rows of a dataset for this run, without deleted ones; `subset` are the rows
    that are followed."""

    context: RunContext
    input: Dataset
    load: Callable[[Dataset], LoadedRows]
    overflows: Overflows
    subset: RowSubset = EVERYTHING

    @property
    def evaluators(self) -> Evaluators[JoinedRow]:
        return Evaluators(read_cell, self.context.moment)

    def system_values(self, origin: Dataset, seq: int | None) -> dict[str, Value]:
        """What each system column is on a row that does not bring it along; `_row_id` aside.
        `seq` is that of the operation that adds the row."""
        return {
            "_source_dataset_id": origin.id,
            "_source_table": origin.table_name,
            "_operation_seq": seq,
            "_created_by_project_id": self.context.project_id,
            "_created_by_run_id": self.context.run_id,
            "_created_at": self.context.now,
            "_updated_at": self.context.now,
            "_deleted": False,
            "_labels": "",
        }

    def cell(self, step: Step, result: Result) -> Callable[[JoinedRow], Cell]:
        """What a row gets in a column."""
        return self._noted(self.evaluators.scalar(result.expression), step, result)

    def aggregate(self, step: Step, result: Result) -> Callable[[Sequence[JoinedRow]], Cell]:
        """What the summary of some rows gets in a column."""
        return self._noted(self.evaluators.aggregate(result.expression), step, result)

    def _noted(
        self, value: Callable[[R], Value], step: Step, result: Result
    ) -> Callable[[R], Cell]:
        overflow = column_overflow(step, result.column)

        def cell(rows: R) -> Cell:
            try:
                return value(rows)
            except EvaluationError:
                return self.overflows.note(overflow)

        return cell

    @contextmanager
    def giving(self, step: UpdateStep, column: str) -> Iterator[None]:
        """Around what every row needs that is given a value in a column."""
        try:
            yield
        except EvaluationError:
            raise self.overflows.note(column_overflow(step, column)).error() from None

    @contextmanager
    def picking(self, step: AnyStep) -> Iterator[None]:
        """Around joins and selector of an operation, which every row needs."""
        try:
            yield
        except EvaluationError:
            raise self.overflows.note(_picking_overflow(step)).error() from None


def step_label(step: Step) -> OperationRef:
    return OperationRef(step.seq, step.name)


def column_overflow(step: Step, column: str) -> Diagnostic:
    kind = step.columns.fields[column].type
    message = f"a value of column '{column}' does not fit {kind}"
    return Diagnostic("RUN_001", message, operation=step_label(step))


def _picking_overflow(step: AnyStep) -> Diagnostic:
    """An operation that makes rows of those it picks is said to fail at its first column."""
    if isinstance(step, AggregateStep | AppendStep):
        return column_overflow(step, step.values[0].column)
    if isinstance(step, UpdateStep) and step.selector is None:
        return column_overflow(step, step.assignments[0].column)
    what = "a value" if isinstance(step, OutputStep) else "a value in its selector"
    message = f"{what} does not fit its type"
    return Diagnostic("RUN_001", message, operation=step_label(step))
