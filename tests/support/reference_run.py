"""What the reference engine makes of a plan, to compare Spark with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rowbook.errors import RowbookError
from rowbook.expectations.observation import Observation
from rowbook.expressions.scope import Field
from rowbook.expressions.types import INTEGER
from rowbook.expressions.values import Value
from rowbook.planning.columns import ALWAYS
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.resolution.read_periods import read_periods
from rowbook.planning.run_context import RunContext
from rowbook.reference.computation import Computation, Source
from rowbook.reference.loading.dataset_rows import PlainTable, SourceTables
from tests.support.small_plans import CONTEXT

Tables = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Expected:
    """Final rows, outputs by seq, and (matched, added) by seq. `overflow` is the first value that
    did not fit and that nothing read: Spark may compute it all the same, and fail. What was seen of
    expectations, the rows that they took out, and how many after which operation."""

    rows: list[dict[str, Value]]
    outputs: dict[int, list[dict[str, Value]]]
    counts: dict[int, tuple[int, int]]
    overflow: str | None
    observations: tuple[tuple[Expectation, Observation], ...] = ()
    quarantine: Sequence[Mapping[str, Value]] = ()
    quarantined: Mapping[int, int] = field(default_factory=dict)


def source_of(tables: Tables, context: RunContext = CONTEXT, *, by_place: bool = False) -> Source:
    """Rows that are given, as a source that has just their columns."""
    place = (Field("place", INTEGER),) if by_place else ()

    def tables_of(dataset: Dataset) -> SourceTables:
        rows = tables[dataset.source_name]
        brought = {name for row in rows for name in row}
        names = [*dataset.readable.fields, *(f.name for f in ALWAYS if f.name in brought)]
        periods = read_periods(dataset, context).identifiers
        placed = [{**row, "place": i} for i, row in enumerate(rows)] if by_place else rows
        table = PlainTable(tuple(names), placed, "a list", identity=place)
        return SourceTables((table,), periods)

    return tables_of


def refer(
    plan: ProjectPlan, tables: Tables, context: RunContext = CONTEXT, *, by_place: bool = False
) -> Expected:
    """An error has the first overflow that nothing had read by then as its note. Rows are told
    apart by what they hold, or by their places."""
    computation = Computation(plan, context, source_of(tables, context, by_place=by_place))
    working = computation.start()
    outputs: dict[int, list[dict[str, Value]]] = {}
    counts: dict[int, tuple[int, int]] = {}
    quarantined: dict[int, int] = {}
    try:
        for done in computation.follow(working):
            working = done.effect.working
            if done.count.quarantined:
                quarantined[done.step.seq] = done.count.quarantined
            if done.effect.written is None:
                counts[done.step.seq] = (done.count.matched, done.count.added)
            else:
                outputs[done.step.seq] = list(done.effect.written)
    except RowbookError as error:
        if computation.unread_overflow is not None:
            error.add_note(str(computation.unread_overflow))
        raise
    unread = computation.unread_overflow
    return Expected(
        working.values(),
        outputs,
        counts,
        str(unread) if unread else None,
        computation.observations,
        computation.quarantine,
        quarantined,
    )


def bag(rows: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """Rows in any order; floats to ten digits, since POWER may differ in the last."""
    return Counter(repr(sorted((k, _canonical(v)) for k, v in row.items())) for row in rows)


def seen_of(observations: Sequence[tuple[Expectation, Observation]]) -> dict[str, object]:
    """What was seen of expectations, by name; floats as in `bag`."""
    return {
        f"{each.owner}: {each.name}": {
            "counts": (seen.unit, seen.checked, seen.violated, seen.quarantined, seen.failure),
            "measures": _told(seen.measures),
            "other measures": _told(seen.other_measures),
            "samples": [(s.row_id, s.missing_side, _told(s.values)) for s in seen.samples],
        }
        for each, seen in observations
    }


def _told(values: Mapping[str, Any]) -> str:
    return repr([(name, _canonical(value)) for name, value in values.items()])


def _canonical(value: Any) -> Any:
    return float(f"{value:.10g}") if isinstance(value, float) else value
