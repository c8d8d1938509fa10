"""Checking what a scenario says of expectations: their names, what is measured, who violates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rowbook.definitions.models.scenario import ExpectedVerdict, ScenarioDefinition
from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.expressions.scope import Field
from rowbook.planning.expectations.expectation_plan import (
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
)
from rowbook.planning.findings import Findings
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.scenario_cells import read_cell
from rowbook.planning.scenario_expectations.sample_fields import measure_fields, sample_fields


def check_scenario_expectations(
    model: ScenarioDefinition, plan: ProjectPlan, place: Place, findings: Findings
) -> None:
    """`place` is the scenario's."""
    here = place.at("expect", "expectations")
    for i, expected in enumerate(model.expect.named_verdicts):
        found = _named(expected, plan, here.at(i), findings)
        if found is not None:
            _check_verdict(expected, found, plan, here.at(i), findings)
    for name in model.history:
        _check_history(name, model, plan.expectations, place.at("history", name), findings)
    if model.expect.quarantined is not None and plan.quarantine is None:
        message = "no expectation of the project quarantines rows"
        findings.add(place.at("expect", "quarantined"), "SCENARIO_005", message)


def _named(
    expected: ExpectedVerdict, plan: ProjectPlan, place: Place, findings: Findings
) -> Expectation | None:
    alike = [each for each in plan.expectations if each.name == expected.name]
    owners = [each.owner for each in alike]
    if not alike:
        at = place.at("name")
        _unknown(expected.name, (e.name for e in plan.expectations), at, findings)
        return None
    if expected.dataset is not None and expected.dataset not in owners:
        message = f"dataset '{expected.dataset}' has no expectation '{expected.name}'"
        hint = suggestion(expected.dataset, [each for each in owners if each], "datasets")
        findings.add(place.at("dataset"), "SCENARIO_005", message, hint)
        return None
    if expected.dataset is None and len(alike) > 1:
        message = f"'{expected.name}' is an expectation of several"
        told = ", ".join("the project" if each is None else f"dataset {each}" for each in owners)
        hint = f"say `dataset:` to mean that of a dataset; it is one of {told}"
        findings.add(place.at("name"), "SCENARIO_005", message, hint)
        return None
    return next(e for e in alike if expected.dataset in (None, e.owner))


def _unknown(name: str, known: Iterable[str], place: Place, findings: Findings) -> None:
    hint = suggestion(name, tuple(dict.fromkeys(known)), "expectations")
    findings.add(place, "SCENARIO_005", f"the project has no expectation '{name}'", hint)


def _check_verdict(
    expected: ExpectedVerdict,
    found: Expectation,
    plan: ProjectPlan,
    place: Place,
    findings: Findings,
) -> None:
    fields, is_rows = sample_fields(plan, found), isinstance(found.condition, RowCondition)
    has_none = not fields or (
        isinstance(found.condition, GroupCondition) and not found.condition.keys
    )
    for key, rows in (("rows", expected.rows), ("groups", expected.groups)):
        if rows is None:
            continue
        if has_none or is_rows != (key == "rows"):
            kind = "all rows" if has_none else "rows" if is_rows else "groups"
            if isinstance(found.condition, MatchCondition):
                kind = "an operation"
            message = f"'{found.name}' is about {kind}, and has no {key}"
            findings.add(place.at(key), "SCENARIO_005", message)
            continue
        for i, row in enumerate(rows):
            _check_cells(row, fields, "columns", place.at(key, i), findings)
    _check_cells(
        expected.measures, measure_fields(found), "measures", place.at("measures"), findings
    )


def _check_history(
    name: str,
    model: ScenarioDefinition,
    expectations: Sequence[Expectation],
    place: Place,
    findings: Findings,
) -> None:
    comparing = {
        each.name: {m.column: Field(m.column, m.expression.type) for m in against.measures}
        for each in expectations
        if isinstance(each.condition, GroupCondition)
        and (against := each.condition.against) is not None
        and against.point is None
    }
    if name in comparing:
        _check_cells(model.history[name], comparing[name], "measures", place, findings)
    elif any(each.name == name for each in expectations):
        message = f"'{name}' compares with no previous period"
        findings.add(place, "SCENARIO_005", message, "it has no `against: {period: previous}`")
    else:
        _unknown(name, comparing, place, findings)


def _check_cells(
    cells: Mapping[str, object],
    fields: Mapping[str, Field],
    noun: str,
    place: Place,
    findings: Findings,
) -> None:
    for name, cell in cells.items():
        if name not in fields:
            hint = suggestion(name, tuple(fields), noun)
            message = f"it has no {noun.removesuffix('s')} '{name}'"
            findings.add(place.at(name), "SCENARIO_003", message, hint)
            continue
        try:
            read_cell(cell, fields[name].type)
        except ValueError as error:
            message = f"{error} for {noun.removesuffix('s')} '{name}', {fields[name].type}"
            findings.add(place.at(name), "SCENARIO_004", message)
