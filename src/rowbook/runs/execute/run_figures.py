"""Figures of a run for its report, taken in its session before anything is written: a run may
replace what it reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from rowbook.engine.execution.run_datasets import Reader
from rowbook.engine.measure.closing_totals import closing_totals
from rowbook.engine.measure.figures import StepFigures
from rowbook.engine.measure.measurer import Measurer, Wanted
from rowbook.engine.strategy.stages import Executors
from rowbook.errors import RowbookError, suggestion
from rowbook.expressions.types import Kind
from rowbook.planning.columns import is_system
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, UpdateStep
from rowbook.runs.prepare.request import Request
from rowbook.spark.causes import is_spark_failure

_MEASURES = (Kind.DECIMAL, Kind.FLOAT, Kind.INTEGER)


@dataclass(slots=True)
class Figures:
    """What is measured of a run, and what was found of it; `complete` once that is all. The total
    of one of `candidates` is followed: of those that are not 0 at the end the first."""

    candidates: tuple[str, ...]
    found: list[StepFigures] = field(default_factory=list)
    complete: bool = False
    column: str | None = None

    def take(
        self, request: Request, reader: Reader, executors: Executors, check: Callable[[], None]
    ) -> None:
        """Measures. Where the data cannot be computed, what was found until then is kept: the run,
        which computes the same, says what is wrong with it. What `check` raises ends it."""
        plan, context = request.plan, request.context
        self.column = self._choose(request, reader, executors)
        wanted = Wanted(self.column)
        figures = Measurer(plan, context, reader.read, wanted, executors).figures()
        while not self.complete:
            check()
            try:
                each = next(figures, None)
            except Exception as error:
                if _is_of_the_data(error):
                    return
                raise
            if each is None:
                self.complete = True
            else:
                self.found.append(each)

    def _choose(self, request: Request, reader: Reader, executors: Executors) -> str | None:
        first, names = next(iter(self.candidates), None), self.candidates
        if len(names) < 2:
            return first
        plan, context = request.plan, request.context
        try:
            totals = closing_totals(plan, context, reader, names, executors)
        except Exception as error:
            if _is_of_the_data(error):
                return first
            raise
        return next((name for name in names if totals.get(name)), first)


def _is_of_the_data(error: Exception) -> bool:
    return isinstance(error, RowbookError) or is_spark_failure(error)


def measures_of(plan: ProjectPlan, column: str | None) -> tuple[str, ...]:
    """The columns whose total may be followed: the one that was asked for (USAGE_001 where no
    operation has such a number), else the decimals, those first that most operations give values,
    and of these the input's."""
    last = plan.steps[-1].columns if plan.steps else plan.columns
    numbers = {
        f.name: f.type.kind
        for f in (*plan.columns.business, *last.business)
        if f.type.kind in _MEASURES
    }
    if column is None:
        fillings = Counter(name for step in plan.steps for name in _filled(step))
        decimals = (name for name, kind in numbers.items() if kind is Kind.DECIMAL)
        return tuple(sorted(decimals, key=lambda name: -fillings[name]))
    if column in numbers:
        return (column,)
    known = column in last.fields
    what = "is not a number" if known and not is_system(column) else "is not there"
    raise RowbookError.of(
        "USAGE_001",
        f"the report is to follow column '{column}', which {what}",
        hint=suggestion(column, tuple(numbers), "numbers of the project"),
    )


def _filled(step: AnyStep) -> set[str]:
    match step:
        case UpdateStep():
            return {each.column for each in step.assignments}
        case AggregateStep() | AppendStep():
            return {each.column for each in step.values}
    return set()
