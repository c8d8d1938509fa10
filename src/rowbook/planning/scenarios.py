"""Checking scenarios without running them: names, columns, values, and the project itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from decimal import Decimal, InvalidOperation

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.entity import canonical_id
from rowbook.definitions.models.project import InlineProject, ProjectDefinition
from rowbook.definitions.models.scenario import (
    ExpectedResult,
    ExpectedRows,
    ScenarioDefinition,
)
from rowbook.definitions.place import Place
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.errors import RowbookError, did_you_mean, listing, suggestion
from rowbook.errors.codes import CODES
from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.expressions.scope import Field
from rowbook.planning.columns import SYSTEM_TYPES, is_system
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.declared_columns import source_fields
from rowbook.planning.definitions.dataset_check import check_dataset
from rowbook.planning.definitions.from_files import Definitions, file_definitions, nothing_stored
from rowbook.planning.definitions.lookup import Missing, Version
from rowbook.planning.findings import Findings
from rowbook.planning.project_plan import Planned, ProjectPlan, Surroundings, plan_project
from rowbook.planning.resolution.destinations import output_name
from rowbook.planning.resolution.parameter_values import GivenParameters, check_given
from rowbook.planning.scenario_cells import read_cell
from rowbook.planning.scenario_expectations.expected_verdicts import check_scenario_expectations
from rowbook.planning.scenario_expectations.scenario_plan import plan_for
from rowbook.planning.steps import OutputStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ScenarioSetting:
    project: Entry[ProjectDefinition] | Entry[InlineProject]
    known: Definitions
    planned: Planned
    expect: ExpectedResult

    @property
    def plan(self) -> ProjectPlan | None:
        """With the expectations that the scenario looks at; None where it could not be planned."""
        plan = self.planned.plan
        return None if plan is None else plan_for(plan, self.expect)

    @property
    def used_names(self) -> tuple[str, ...]:
        """The datasets whose rows the project reads; none where it could not be planned."""
        plan = self.plan
        return tuple(dict.fromkeys(d.source_name for d in used_datasets(plan))) if plan else ()

    @property
    def used_views(self) -> tuple[str, ...]:
        plan = self.plan
        return tuple(d.name for d in used_datasets(plan) if d.origin) if plan else ()


@dataclass(frozen=True, slots=True)
class Shared:
    """What scenarios without datasets of their own have in common: the workspace's definitions, and
    its projects, each planned once."""

    known: Definitions
    planned: dict[str, Planned] = field(default_factory=dict)


def inline_datasets(entry: Entry[ScenarioDefinition]) -> list[Version[DatasetDefinition]]:
    return [
        Version(model, model.version or 1, entry.place.at("datasets", i))
        for i, model in enumerate(entry.model.datasets)
    ]


def set_up(
    entry: Entry[ScenarioDefinition],
    files: WorkspaceFiles,
    findings: Findings,
    shared: Shared | None = None,
) -> ScenarioSetting | None:
    """The scenario's project, planned; None (SCENARIO_002) where there is no such project."""
    inline = inline_datasets(entry)
    if shared is None or inline:
        stored = shared.known.stored if shared else nothing_stored
        shared = Shared(file_definitions(files, Findings(), inline, stored))
    known, model = shared.known, entry.model.project
    given = GivenParameters(entry.model.parameters, entry.place.at("parameters"))
    if isinstance(model, InlineProject):
        place = entry.place.at("project")
        project = Entry(model, place, entry.operation_paths, entry.broken_seqs)
        planned = plan_project(project, Surroundings(known, sandbox=True, given=given))
        return ScenarioSetting(project, known, planned, entry.model.expect)
    keys = {model, canonical_id(model)}
    found = next((p for p in files.projects if keys & {p.model.name, p.model.identity}), None)
    if found is None:
        if not files.incomplete & {"project", "*"}:
            hint = suggestion(model, tuple(p.model.name for p in files.projects), "projects")
            message = f"project '{model}' is not defined"
            findings.add(entry.place.at("project"), "SCENARIO_002", message, hint)
        return None
    if found.model.parameters or given.values:
        planned = plan_project(found, Surroundings(known, sandbox=True, given=given))
        return ScenarioSetting(found, known, planned, entry.model.expect)
    name = found.model.name
    if name not in shared.planned:
        shared.planned[name] = plan_project(found, Surroundings(known, sandbox=True))
    return ScenarioSetting(found, known, shared.planned[name], entry.model.expect)


def check_scenario(
    entry: Entry[ScenarioDefinition],
    files: WorkspaceFiles,
    findings: Findings,
    shared: Shared | None = None,
) -> None:
    model, place = entry.model, entry.place
    _check_expectation(model, place, findings)
    _check_clock(model, place, findings)
    setting = set_up(entry, files, findings, shared)
    if setting is None:
        return
    for version in inline_datasets(entry):
        if version.place is not None:
            check_dataset(version.model, version.place, setting.known, findings)
    if isinstance(model.project, InlineProject) and model.expect.error is None:
        findings.diagnostics += (*entry.operation_faults, *setting.planned.diagnostics)
    elif model.expect.error is None:
        given = GivenParameters(model.parameters, place.at("parameters"))
        check_given(setting.project.model, setting.project.place, given, findings)
    _check_period(entry, setting, findings)
    _check_input(entry, setting, findings)
    if setting.planned.plan is not None:
        _check_expected_columns(entry, setting, findings)


def _check_expectation(model: ScenarioDefinition, place: Place, findings: Findings) -> None:
    expect, here = model.expect, place.at("expect")
    rows = expect.working is not None or bool(expect.outputs)
    if expect.error is not None and rows:
        message = "a scenario expects an error, or rows, not both"
        findings.add(here.at("error"), "SCENARIO_005", message)
    elif expect.error is None and not (rows or expect.ledger or _verdicts_expected(expect)):
        message = (
            "a scenario expects something: working, outputs, ledger, expectations, quarantined or"
            " error"
        )
        findings.add(here, "SCENARIO_005", message)
    if expect.error is not None and expect.error.code not in CODES:
        near = did_you_mean(expect.error.code, CODES)
        message = f"'{expect.error.code}' is not a code"
        hint = f"did you mean '{near}'?" if near else None
        findings.add(here.at("error", "code"), "SCENARIO_005", message, hint)
    given = [(here.at("outputs", name), each) for name, each in expect.outputs.items()]
    alone = {"working": expect.working, "quarantined": expect.quarantined}
    given += [(here.at(key), each) for key, each in alone.items() if each is not None]
    for at, each in given:
        if (each.rows is None) == (each.file is None) and each.columns is None:
            findings.add(at, "SCENARIO_005", "expected rows are given as rows or as a file")
    for column, value in model.match.tolerance.items():
        try:
            good = value is not None and Decimal(value.text) >= 0
        except InvalidOperation:
            good = False
        if not good:
            at = place.at("match", "tolerance", column)
            findings.add(at, "SCENARIO_005", "a tolerance is a number that is not negative")


def _verdicts_expected(expect: ExpectedResult) -> bool:
    return bool(expect.expectations) or expect.quarantined is not None


def _check_clock(model: ScenarioDefinition, place: Place, findings: Findings) -> None:
    for key, text in (("as_of", model.as_of), ("now", model.now)):
        if text is not None and parse_date(text) is None and parse_timestamp(text) is None:
            message = f"'{text}' is not a date or timestamp"
            findings.add(place.at(key), "SCENARIO_004", message, "write 2026-01-31T10:00:00Z")


def _check_period(
    entry: Entry[ScenarioDefinition], setting: ScenarioSetting, findings: Findings
) -> None:
    calendar = setting.known.calendar(setting.project.model.calendar_id or "gregorian")
    expected = entry.model.expect.error
    if isinstance(calendar, Missing) or (expected and expected.code.startswith("PERIOD_")):
        return
    try:
        calendar.parse(entry.model.period)
    except RowbookError as error:
        for d in error.diagnostics:
            findings.add(entry.place.at("period"), d.code, d.message, d.hint)


def _check_input(
    entry: Entry[ScenarioDefinition], setting: ScenarioSetting, findings: Findings
) -> None:
    given: dict[str, str] = {}
    for reference, rows in entry.model.input.items():
        place = entry.place.at("input", reference)
        found = setting.known.dataset(reference, None)
        if isinstance(found, Missing):
            if found.reason == "unknown" and not found.uncertain:
                findings.add(place, "DATASET_007", found.message, found.hint)
            continue
        given[typed(found).name] = reference
        if found.origin is not None:
            message = f"dataset '{reference}' reads the rows of '{found.origin.name}'"
            hint = f"give these, with their `_period`, under {found.origin.name}"
            findings.add(place, "SCENARIO_001", message, hint)
            continue
        if (rows.rows is None) == (rows.file is None):
            findings.add(place, "SCENARIO_001", "input is given either as rows or as a file")
        for i, row in enumerate(rows.rows or ()):
            _check_row(row, typed(found), place.at("rows", i), findings)
    for name in setting.used_names:
        if name not in given:
            message = f"the project uses dataset '{name}', but input gives no rows for it"
            findings.add(
                entry.place.at("input"), "SCENARIO_001", message, f"add {name}: {{rows: []}}"
            )


def _check_row(
    row: Mapping[str, object], dataset: Dataset, place: Place, findings: Findings
) -> None:
    fields = source_fields(dataset)
    for name, cell in row.items():
        here = place.at(name)
        field = fields.get(name)
        if field is None and is_system(name) and name in SYSTEM_TYPES:
            continue
        if field is None:
            hint = suggestion(name, tuple(fields), "columns")
            message = f"dataset '{dataset.name}' has no column '{name}'"
            findings.add(here, "SCENARIO_003", message, hint)
        else:
            _check_cell(cell, field, here, findings)


def _check_cell(cell: object, field: Field, place: Place, findings: Findings) -> None:
    try:
        read_cell(cell, field.type)
    except ValueError as error:
        message = f"{error} for column '{field.name}', {field.type}"
        findings.add(place, "SCENARIO_004", message)


def _check_expected_columns(
    entry: Entry[ScenarioDefinition], setting: ScenarioSetting, findings: Findings
) -> None:
    plan = setting.planned.plan
    if plan is None:
        return
    final = plan.steps[-1].columns if plan.steps else plan.columns
    expect, place = entry.model.expect, entry.place.at("expect")
    loose = {*entry.model.match.tolerance, *entry.model.match.ignore}
    if expect.working is not None:
        at = place.at("working")
        _check_expected(expect.working, final.fields, "the working dataset", loose, at, findings)
    written: dict[str, dict[str, Field]] = {}
    for step in (s for s in plan.steps if isinstance(s, OutputStep)):
        for name in output_names(step):
            fields = {column: step.columns.fields[column] for column in step.written}
            written[name] = {**written.get(name, {}), **fields}
    for name, rows in expect.outputs.items():
        at = place.at("outputs", name)
        if name in written:
            _check_expected(rows, written[name], f"output '{name}'", loose, at, findings)
            continue
        hint = suggestion(name, tuple(written), "outputs")
        findings.add(at, "SCENARIO_003", f"the project has no output '{name}'", hint)
    if expect.quarantined is not None and plan.quarantine is not None:
        table = plan.quarantine
        columns = {name: table.columns.fields[name] for name in table.written}
        at = place.at("quarantined")
        _check_expected(expect.quarantined, columns, "the quarantine table", loose, at, findings)
    check_scenario_expectations(entry.model, plan, entry.place, findings)
    seqs = [step.seq for step in plan.steps]
    for i, ledger in enumerate(expect.ledger):
        if ledger.seq not in seqs:
            message = f"the project has no operation with seq {ledger.seq}"
            hint = f"operations: {listing([str(seq) for seq in seqs])}"
            findings.add(place.at("ledger", i, "seq"), "SCENARIO_005", message, hint)


def _check_expected(
    expected: ExpectedRows,
    fields: Mapping[str, Field],
    called: str,
    loose: Collection[str],
    place: Place,
    findings: Findings,
) -> None:
    """Columns that are there, and cells that fit their types, `loose` ones aside: a value that may
    be off need not be one that the column can hold."""

    def known(name: str, here: Place) -> bool:
        if name not in fields:
            hint = suggestion(name, tuple(fields), "columns")
            findings.add(here, "SCENARIO_003", f"{called} has no column '{name}'", hint)
        return name in fields

    for i, name in enumerate(expected.columns or ()):
        known(name, place.at("columns", i))
    for i, row in enumerate(expected.rows or ()):
        for name, cell in row.items():
            here = place.at("rows", i, name)
            if known(name, here) and name not in loose:
                _check_cell(cell, fields[name], here, findings)


def output_names(step: OutputStep) -> tuple[str, ...]:
    """What a scenario may call an output by: its table, or its path as written."""
    name = output_name(step.destination)
    return (name,) if name else ()
