"""Figures of a run for its report, taken in its session before anything is written: a run may
replace what it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rowbook.engine.execution.run_datasets import Reader
from rowbook.engine.measure.figures import StepFigures
from rowbook.engine.measure.measurer import Measurer, Wanted
from rowbook.engine.strategy.stages import Executors
from rowbook.errors import RowbookError, suggestion
from rowbook.expressions.types import Kind
from rowbook.planning.columns import is_system
from rowbook.planning.project_plan import ProjectPlan
from rowbook.runs.prepare.request import Request
from rowbook.spark.causes import is_spark_failure

_MEASURES = (Kind.DECIMAL, Kind.FLOAT, Kind.INTEGER)


@dataclass(slots=True)
class Figures:
    """What is measured of a run, and what was found of it; `complete` once that is all."""

    column: str | None
    found: list[StepFigures] = field(default_factory=list)
    complete: bool = False

    def take(
        self, request: Request, reader: Reader, executors: Executors, check: Callable[[], None]
    ) -> None:
        """Measures. Where the data cannot be computed, what was found until then is kept: the run,
        which computes the same, says what is wrong with it. What `check` raises ends it."""
        wanted = Wanted(self.column)
        plan, context = request.plan, request.context
        figures = Measurer(plan, context, reader.read, wanted, executors).figures()
        while not self.complete:
            check()
            try:
                each = next(figures, None)
            except Exception as error:
                if isinstance(error, RowbookError) or is_spark_failure(error):
                    return
                raise
            if each is None:
                self.complete = True
            else:
                self.found.append(each)


def measure_of(plan: ProjectPlan, column: str | None) -> str | None:
    """The column whose total is followed: the one that was asked for (USAGE_001 where no operation
    has such a number), else the first decimal of the input, else of what the project makes; None
    where there is none."""
    last = plan.steps[-1].columns if plan.steps else plan.columns
    numbers = {
        f.name: f.type.kind
        for f in (*plan.columns.business, *last.business)
        if f.type.kind in _MEASURES
    }
    if column is None:
        return next((name for name, kind in numbers.items() if kind is Kind.DECIMAL), None)
    if column in numbers:
        return column
    known = column in last.fields
    what = "is not a number" if known and not is_system(column) else "is not there"
    raise RowbookError.of(
        "USAGE_001",
        f"the report is to follow column '{column}', which {what}",
        hint=suggestion(column, tuple(numbers), "numbers of the project"),
    )
