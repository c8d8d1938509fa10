"""A scenario ready to be computed, by whichever engine: its plan, its clock, its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.entity import derived_id
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.models.scenario import ScenarioDefinition
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.errors import RowbookError
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.periods import Period
from rowbook.planning.columns import ALWAYS, PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import source_fields, stored_columns
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.resolution.locate import choose_rule
from rowbook.planning.resolution.read_periods import read_periods
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.run_context import RunContext
from rowbook.planning.scenario_cells import read_cell
from rowbook.planning.scenarios import ScenarioSetting
from rowbook.reference.loading.dataset_rows import PlainTable, SourceTables
from rowbook.runs.prepare.clock import new_run_id, read_as_of, read_now
from rowbook.scenarios.row_files import read_input
from rowbook.sources.files.text.column_reading import column_form
from rowbook.sources.files.text.form_guesses import form_hint
from rowbook.sources.files.text.value_forms import ISO, TextForm
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ScenarioRows:
    """The rows of a dataset, of its types, with the columns that there are: declared ones,
    `_period` where the table has one, system columns that rows bring. `periods` are the identifiers
    that a run takes: those that it reads, and finer ones by the dataset's rule; `expected` are
    those that there must be rows of, each with the identifiers that such rows have."""

    fields: tuple[Field, ...]
    rows: Sequence[Mapping[str, Value]]
    periods: tuple[str, ...]
    expected: Mapping[str, tuple[str, ...]]

    @staticmethod
    def origin(dataset: Dataset) -> str:
        return f"the input of dataset '{dataset.source_name}'"


@dataclass(frozen=True, slots=True)
class ScenarioRun:
    entry: Entry[ScenarioDefinition]
    setting: ScenarioSetting
    plan: ProjectPlan
    context: RunContext

    @classmethod
    def of(cls, entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> ScenarioRun:
        """Of a scenario whose project has a plan."""
        plan = setting.plan
        assert plan is not None
        period = plan.calendar.parse(entry.model.period)
        now = read_now(entry.model.now)
        as_of = read_as_of(entry.model.as_of, period)
        run_id, project_id = new_run_id(now), _project_id(setting)
        context = RunContext(run_id, project_id, now, period, plan.calendar, as_of)
        return cls(entry, setting, plan, context)

    def tables(self, dataset: Dataset) -> SourceTables:
        """The same as a source has it, for the loader of plain rows."""
        given = self.input(dataset)
        sources = {c.name: c.source or c.name for c in dataset.definition.main_table.columns}
        names = {f.name: sources.get(f.name, f.name) for f in given.fields}
        rows = [{names[name]: value for name, value in row.items()} for row in given.rows]
        table = PlainTable(tuple(names.values()), rows, ScenarioRows.origin(dataset))
        return SourceTables((table,), given.periods, given.expected)

    def input(self, dataset: Dataset) -> ScenarioRows:
        rows, of_file = self._given(dataset)
        declared = source_fields(dataset)
        brought = {name for row in rows for name in row}
        system = {f.name: f for f in (*ALWAYS, PERIOD)}
        fields = {**declared, **{n: f for n, f in system.items() if n in brought}}
        fields |= {f.name: f for f, _ in stored_columns(dataset, ()) if f.name not in fields}
        read = {n: _reading(f, dataset, of_file=of_file) for n, f in fields.items()}
        typed = [{n: read_value(row.get(n)) for n, read_value in read.items()} for row in rows]
        if PERIOD.name in fields:
            own = {PERIOD.name: self.context.period.identifier}
            typed = [{**row, **own} if row[PERIOD.name] is None else row for row in typed]
        wanted = read_periods(dataset, self.context)
        accepted = {each.identifier: self._accepted(each, dataset) for each in wanted.periods}
        periods = tuple(dict.fromkeys(name for names in accepted.values() for name in names))
        may_miss = dataset.origin is None or dataset.reads_all
        if may_miss or dataset.definition.missing == "empty":
            accepted = {}
        else:
            accepted |= dict.fromkeys(wanted.outside, ())
        return ScenarioRows(tuple(fields.values()), typed, periods, accepted)

    def _given(self, dataset: Dataset) -> tuple[Sequence[Mapping[str, Any]], bool]:
        """The rows, and whether they stand in a file."""
        given = self.entry.model.input
        name = dataset.source_name
        rows = given.get(name) or given.get(dataset.origin.id if dataset.origin else dataset.id)
        if rows is None:
            message = f"the project uses dataset '{name}', but input gives no rows for it"
            raise RowbookError.of("SCENARIO_001", message)
        if rows.rows is not None:
            return rows.rows, False
        place = self.entry.place.at("input", name, "file")
        return read_input(rows.file or "", place, self.setting.known.boundary), True

    def _accepted(self, period: Period, dataset: Dataset) -> tuple[str, ...]:
        """What rows of a period may have. A scenario needs neither a resolver nor a rule that
        matches."""
        overrides = self.setting.project.model.resolver_overrides
        found = resolver_for(dataset, overrides, self.setting.known)
        calendar = self.context.calendar
        finer: tuple[Period, ...] = ()
        if isinstance(found, Version):
            with suppress(RowbookError):
                level = choose_rule(dataset, period, calendar, found.model).data_level
                finer = calendar.expand(period, level) if level else ()
        return tuple(dict.fromkeys(p.identifier for p in (period, *finer)))


def _project_id(setting: ScenarioSetting) -> str:
    model = setting.project.model
    if isinstance(model, ProjectDefinition):
        return model.identity
    return derived_id("project", model.name)


def _reading(field: Field, dataset: Dataset, *, of_file: bool) -> Callable[[Any], Value]:
    """How the cells of a column are read: those of a file as its format says."""
    form = ISO
    if of_file:
        form = column_form(ISO, field.name, dataset.formats.get(field.name, {}))

    def read(cell: Any) -> Value:
        try:
            return read_cell(_usual(cell, field, form), field.type)
        except ValueError:
            text = cell.text if isinstance(cell, Scalar) else str(cell)
            where = f"for column '{field.name}', {field.type}"
            message = f"dataset '{dataset.name}': '{text}' does not fit {where}"
            hint = form_hint([text], field.type, form) if of_file else None
            raise RowbookError.of("DATASET_011", message, hint=hint) from None

    return read


def _usual(cell: Any, field: Field, form: TextForm) -> Any:
    """ValueError where a cell is not in its column's form."""
    if form is ISO or cell is None:
        return cell
    usual = form.usual(cell.text, field.type)
    if usual is None:
        raise ValueError(cell.text)
    return replace(cell, text=usual)
