"""Previews by the reference engine: no JVM."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expectations.observation import Observation
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.expectations.quarantine_plan import only_quarantines
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import OutputStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.reference.computation import Computation
from rowbook.reference.loading.dataset_rows import SourceTables, check_columns, load
from rowbook.reference.working_rows import WorkingRows, seen
from rowbook.runs.prepare.period_tables import plain_tables
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.runs.preview.preview_rows import Rows

_VALUES = frozenset({"DATASET_011", "DATASET_012", "DATASOURCE_007"})


class PlainInput:
    """The tables of a resolved run, each read when it is first asked for."""

    def __init__(self, resolved: ResolvedRun) -> None:
        self._resolved = resolved
        self._read: dict[tuple[str, int], SourceTables] = {}

    def tables(self, dataset: Dataset) -> SourceTables:
        key = dataset.id, dataset.version
        if key not in self._read:
            self._read[key] = plain_tables(self._resolved.input(dataset))
        return self._read[key]


def plan_until(plan: ProjectPlan, after: int | None) -> ProjectPlan:
    """The operations that a preview after one of them (None: the last) computes: outputs write
    nothing, and are not among them. Of expectations only those that take rows out, up to there:
    nothing else changes what is seen."""
    steps = (step for step in plan.steps if after is None or step.seq <= after)
    reached = (e for e in plan.expectations if after is None or (e.point.seq or 0) <= after)
    until = replace(
        plan,
        steps=tuple(s for s in steps if not isinstance(s, OutputStep)),
        expectations=tuple(reached),
    )
    return only_quarantines(until)


def compute(resolved: ResolvedRun, plan: ProjectPlan, limit: int | None = None) -> Rows:
    """Visible rows; NotPlainError where only Spark can read the input."""
    working = follow(resolved, plan, PlainInput(resolved))
    fields = working.columns.fields
    visible = (row for row in working.rows if not row["_deleted"])
    rows = [{name: seen(row[name]) for name in fields} for row in islice(visible, limit)]
    return Rows(tuple(fields), tuple(rows))


def follow(resolved: ResolvedRun, plan: ProjectPlan, given: PlainInput) -> WorkingRows:
    """The working dataset after all operations of a plan."""
    return _follow(Computation(plan, resolved.request.context, given.tables), resolved, plan, given)


def observe(
    resolved: ResolvedRun, plan: ProjectPlan, given: PlainInput
) -> tuple[tuple[Expectation, Observation], ...]:
    """What is seen of the expectations of a plan."""
    computation = Computation(plan, resolved.request.context, given.tables)
    _follow(computation, resolved, plan, given)
    return computation.observations


def _follow(
    computation: Computation, resolved: ResolvedRun, plan: ProjectPlan, given: PlainInput
) -> WorkingRows:
    try:
        working = computation.start()
        for done in computation.follow(working):
            working = done.effect.working
    except RowbookError as error:
        if error.diagnostics[0].code in _VALUES:
            raise RowbookError(*_bad_values(resolved, plan, given)) from error
        raise
    return working


def _bad_values(
    resolved: ResolvedRun, plan: ProjectPlan, given: PlainInput
) -> tuple[Diagnostic, ...]:
    """Of all datasets, as Spark tells of them: the first alone would hide the others."""
    found: list[Diagnostic] = []
    for dataset in used_datasets(plan):
        tables = given.tables(dataset)
        check_columns(dataset, tables)
        try:
            load(dataset, tables, resolved.request.context, keep_deleted=True)
        except RowbookError as error:
            found += error.diagnostics
    return tuple(found)
