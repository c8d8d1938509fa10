"""`output`: the rows that are written. The working dataset stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rowbook.errors import RowbookError
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import OutputStep, SortKey
from rowbook.reference.effect import Effect
from rowbook.reference.picking import pick
from rowbook.reference.row_order import ordered
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import JoinedRow, WorkingRows, seen
from rowbook.value_class import dataclass


def output(working: WorkingRows, step: OutputStep, environment: RunEnvironment) -> Effect:
    """Deleted rows only where they are asked for; then the selector sees them too. A NULL `_period`
    is written as the run's."""
    names = dict.fromkeys((*step.written, *(key.column for key in step.order_by)))
    rows = [
        {name: seen(row[None][name]) for name in names}
        for row in output_rows(working, step, environment)
    ]
    if PERIOD.name in names:
        own = {PERIOD.name: environment.context.period.identifier}
        rows = [{**row, **own} if row[PERIOD.name] is None else row for row in rows]
    if step.order_by:
        keys = (*step.order_by, *map(SortKey, step.written))
        rows = ordered(rows, keys, lambda row, name: row[name])
    written = [{name: row[name] for name in step.written} for row in rows]
    return Effect(working, matched=len(written), written=written)


def output_rows(
    working: WorkingRows, step: OutputStep, environment: RunEnvironment
) -> list[JoinedRow]:
    """The rows that it picks, with all columns."""
    candidates = [row for row in working.rows if step.include_deleted or not row["_deleted"]]
    return [row for _, row in pick(candidates, step, environment)]


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """What a reader of a destination finds."""

    fields: tuple[Field, ...]
    rows: tuple[Mapping[str, Value], ...]


def written_table(
    name: str,
    before: WrittenTable | None,
    step: OutputStep,
    rows: Sequence[Mapping[str, Value]],
    context: RunContext,
) -> WrittenTable:
    """A destination after an output, by its mode: OUTPUT_006 where it must not exist; with `append`
    the rows there are stay, and with `replace` those of other periods, if the output has any, which
    then writes none of them."""
    fields = tuple(step.columns.fields[column] for column in step.written)
    if before is not None and step.mode == "error_if_exists":
        raise RowbookError.of("OUTPUT_006", f"destination '{name}' exists already")
    kept: tuple[Mapping[str, Value], ...] = ()
    if before is not None and step.mode == "append":
        kept = before.rows
    elif step.mode == "replace" and PERIOD.name in step.written:
        others = [row for row in rows if row[PERIOD.name] not in context.periods]
        if others:
            raise other_period_error(f"destination '{name}'", str(others[0][PERIOD.name]))
        there = () if before is None else before.rows
        kept = tuple(row for row in there if row.get(PERIOD.name) not in context.periods)
    return WrittenTable(fields, (*kept, *rows))


def other_period_error(label: str, period: str | None) -> RowbookError:
    """Rows of a period that is not replaced would be there twice after the next run."""
    hint = (
        "leave them out with a selector; rows that are booked in the run's period are appended with"
        ' the assignment {column: _period, expression: "PERIOD()"}'
    )
    message = f"{label}: rows of period {period} are not of the run's period"
    return RowbookError.of("OUTPUT_006", message, hint=hint)
