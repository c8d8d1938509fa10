"""One table to look at, and its rows by the engine that suits it: nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field
from typing import TYPE_CHECKING, Any

from rowbook.errors import RowbookError
from rowbook.expressions.bound import Bound, Column
from rowbook.expressions.evaluate import EvaluationError, Evaluators, Value
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.reference.loading.dataset_rows import SourceTables, load
from rowbook.runs.preview.engine_choice import (
    EngineChoice,
    EngineName,
    OnEngine,
    choose_for_tables,
    compute_by,
)
from rowbook.runs.preview.preview_rows import Rows, SparkUse
from rowbook.runs.tables.row_condition import row_condition
from rowbook.sources import registry
from rowbook.sources.source import Extra, SourceTable
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.definitions.models.workspace import WorkspaceDefinition
    from rowbook.planning.datasets import Dataset
    from rowbook.planning.run_context import RunContext

MOST_ROWS = 100_000
"""Up to here rows are loaded without Spark in about the time that Spark takes to start."""


@dataclass(frozen=True, slots=True)
class TableView:
    """`dataset` says how rows are loaded, `fields` are the columns to look at; a condition may name
    them below `table_name` too. `size` is in bytes, 0 where nobody knows. `rows` is how many there
    must be, where that is known; `expected` are periods that there must be rows of."""

    label: str
    dataset: Dataset
    fields: tuple[Field, ...]
    table_name: str
    tables: tuple[SourceTable, ...]
    periods: tuple[str, ...] | None
    context: RunContext
    settings: WorkspaceDefinition | None
    size: int
    keep_deleted: bool = False
    rows: int | None = None
    expected: Mapping[str, Collection[str]] = field(default_factory=dict)

    @property
    def extras(self) -> frozenset[Extra]:
        return frozenset[Extra]().union(*map(registry.extras, self.tables))


@dataclass(frozen=True, slots=True)
class RowSelection:
    """Which rows: those of a condition in the language, None: all; at most so many, None: all."""

    where: str | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of a table; `is_cut`: there are more than were asked for. Which engine read them, and
    why that."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    is_cut: bool
    engine: EngineName
    reason: str


class MissingRowsError(Exception):
    """A table holds other than the rows that it must; `found` is how many it holds."""

    def __init__(self, found: int) -> None:
        self.found = found
        super().__init__(f"{found:,} rows")


def table_rows(
    view: TableView,
    selection: RowSelection,
    named: EngineName | None,
    use: SparkUse,
    on_engine: OnEngine,
) -> TableRows:
    """`named` is the engine to use, None: as the table suggests. MissingRowsError where there are
    not the rows that must be there."""
    scope = Scope(Table.of(view.fields), view.table_name)
    condition = row_condition(selection.where, scope)
    most = None if selection.limit is None else selection.limit + 1
    found, choice = compute_by(
        choose_for_tables(view.tables, view.size, named if view.tables else None, MOST_ROWS),
        named,
        on_engine,
        lambda: _plain_rows(view, condition, most),
        lambda: _spark_rows(view, condition, most, use),
    )
    return _limited(found, selection.limit, choice)


def _spark_rows(view: TableView, condition: Bound | None, most: int | None, use: SparkUse) -> Rows:
    from rowbook.runs.tables.spark_rows import collect_rows

    with ExitStack() as resources:
        return collect_rows(view, condition, most, use, resources)


def _limited(found: Rows, limit: int | None, choice: EngineChoice) -> TableRows:
    is_cut = limit is not None and len(found.rows) > limit
    return TableRows(found.columns, found.rows[:limit], is_cut, choice.engine, choice.reason)


def plain_view(view: TableView) -> Sequence[Mapping[str, Value]]:
    """All rows; NotPlainError where only Spark can read the table."""
    tables = SourceTables(registry.read_plain(view.tables), view.periods, view.expected)
    return load(view.dataset, tables, view.context, keep_deleted=view.keep_deleted).rows


def _plain_rows(view: TableView, condition: Bound | None, most: int | None) -> Rows:
    rows = plain_view(view)
    if view.rows not in (None, len(rows)):
        raise MissingRowsError(len(rows))
    is_wanted = Evaluators(_cell, view.context.moment).condition(condition)
    names = tuple(field.name for field in view.fields)
    try:
        wanted = [row for row in rows if is_wanted(row)][:most]
    except EvaluationError as cause:
        message = "a value in the condition does not fit its type"
        raise RowbookError.of("RUN_001", message) from cause
    return Rows(names, tuple({name: row[name] for name in names} for row in wanted))


def _cell(column: Column) -> Callable[[Mapping[str, Value]], Value]:
    name = column.name
    return lambda row: row[name]
