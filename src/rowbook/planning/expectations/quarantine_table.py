"""The table of rows that a project quarantines (EXPECT_005)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.definitions.place import Place
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD, ROW_ID, Columns, is_system
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.expectations.run_points import RunPoints
from rowbook.planning.operations.destination import check_destination
from rowbook.planning.operations.one_file import file_place
from rowbook.planning.resolution.destinations import (
    FormatOptions,
    destination_label,
    shared_file,
)
from rowbook.planning.resolution.templates import OF_PERIOD, placeholders
from rowbook.planning.steps import OutputStep

_OF_EACH_ROW = ("_expectation", "_run_id", "_dataset", ROW_ID)


def plan_quarantine(expectations: Iterable[Expectation], points: RunPoints) -> OutputStep | None:
    """What it is to hold: why and whence a row was taken, and the columns of all points at which
    rows are."""
    taking = [each for each in expectations if each.otherwise == "quarantine"]
    destination, place = points.context.project.quarantine, points.entry.place.at("quarantine")
    if destination is None:
        for each in taking[:1]:
            _report_no_table(each, points)
        return None
    found = check_destination(destination, place, points.context)
    if not taking:
        if not points.context.findings.failed:
            message = "no expectation quarantines rows: the table is never written"
            points.context.findings.warn(place, "EXPECT_005", message)
        return None
    fields = _fields(taking, place, points)
    _check_own_table(destination, found, PERIOD.name in fields, place, points)
    rows, written = Columns.of(fields.values()), tuple(fields)
    return OutputStep(0, "quarantine", None, (), rows, destination, written, False, "replace", None)


def _report_no_table(expectation: Expectation, points: RunPoints) -> None:
    names = [each.name for each in points.context.project.expectations]
    place = points.entry.place.at("input_dataset_id")
    whose = f" of dataset '{expectation.owner}'"
    if expectation.owner is None:
        place = points.entry.place.at("expectations", names.index(expectation.name), "otherwise")
        whose = ""
    message = f"rows that '{expectation.name}'{whose} quarantines have no table to go to"
    hint = "say where, in the project: quarantine: {datasource_id: …, table: …}"
    points.context.findings.add(place, "EXPECT_005", message, hint)


def _check_own_table(
    destination: DestinationDefinition,
    found: FormatOptions | None,
    by_period: bool,
    place: Place,
    points: RunPoints,
) -> None:
    """No output writes it too, and rows of several periods go together into it."""
    findings, label = points.context.findings, destination_label(destination)
    for step in points.steps:
        if isinstance(step, OutputStep) and destination_label(step.destination) == label:
            message = f"operation {step.seq} '{step.name}' writes to '{label}' too"
            findings.add(place, "EXPECT_005", message, "give quarantined rows a table of their own")
    if found is None or found.one_file is None or not by_period:
        return
    if placeholders(found.label).isdisjoint(OF_PERIOD):
        hint = "put {{identifier}} in the name of the file"
        findings.add(file_place(place), "OUTPUT_008", shared_file(found.label), hint)


def _fields(taking: Sequence[Expectation], place: Place, points: RunPoints) -> dict[str, Field]:
    """In the order of the table."""
    at_points = [(each, tuple(_fields_at(each, points))) for each in taking]
    fields = {name: Field(name, t.STRING) for name in _OF_EACH_ROW}
    if any(field.name == PERIOD.name for _, found in at_points for field in found):
        fields[PERIOD.name] = PERIOD
    lower = {name.lower(): name for name in fields}
    for expectation, found in at_points:
        for field in (each for each in found if not is_system(each.name)):
            name = lower.setdefault(field.name.lower(), field.name)
            other = fields.setdefault(name, Field(name, field.type))
            if (other.name, other.type) != (field.name, field.type):
                message = (
                    f"quarantined rows have a column '{name}', {other.type}, and where"
                    f" '{expectation.name}' takes them '{field.name}', {field.type}"
                )
                points.context.findings.add(place, "EXPECT_005", message)
    return fields


def _fields_at(expectation: Expectation, points: RunPoints) -> Iterable[Field]:
    dataset = expectation.point.dataset
    if dataset is not None:
        return dataset.readable.fields.values()
    return points.columns_at(expectation.point).fields.values()
