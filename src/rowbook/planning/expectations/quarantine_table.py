"""The table of rows that a project quarantines (EXPECT_005)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD, ROW_ID, Columns, is_system
from rowbook.planning.expectations.expectation import Expectation
from rowbook.planning.expectations.run_points import RunPoints
from rowbook.planning.operations.destination import check_destination
from rowbook.planning.steps import OutputStep

_OF_EACH_ROW = ("_expectation", "_run_id", "_dataset", ROW_ID)


def plan_quarantine(expectations: Iterable[Expectation], points: RunPoints) -> OutputStep | None:
    """What it is to hold: why and whence a row was taken, and the columns of all points at which
    rows are."""
    taking = [each for each in expectations if each.otherwise == "quarantine"]
    destination = points.context.project.quarantine
    findings, place = points.context.findings, points.entry.place
    if destination is not None:
        check_destination(destination, place.at("quarantine"), points.context)
    if not taking:
        if destination is not None and not points.context.project.expectations:
            message = "no expectation quarantines rows: the table is never written"
            findings.warn(place.at("quarantine"), "EXPECT_005", message)
        return None
    if destination is None:
        first = taking[0]
        whose = f"dataset '{first.owner}' " if first.owner else ""
        message = f"rows that {whose}'{first.name}' quarantines have no table to go to"
        hint = "quarantine: {datasource_id: …, table: …}"
        findings.add(place, "EXPECT_005", message, hint)
        return None
    fields = {name: Field(name, t.STRING) for name in _OF_EACH_ROW}
    found = [list(_fields_at(each, points)) for each in taking]
    if any(field.name == PERIOD.name for each in found for field in each):
        fields[PERIOD.name] = PERIOD
    for expectation, columns in zip(taking, found, strict=True):
        for field in columns:
            if is_system(field.name):
                continue
            other = fields.setdefault(field.name, Field(field.name, field.type))
            if other.type != field.type:
                message = (
                    f"column '{field.name}' of quarantined rows is {other.type} and, where"
                    f" '{expectation.name}' takes rows, {field.type}"
                )
                findings.add(place.at("quarantine"), "EXPECT_005", message)
    rows = Columns.of(fields.values())
    written = tuple(fields)
    return OutputStep(0, "quarantine", None, (), rows, destination, written, False, "replace", None)


def _fields_at(expectation: Expectation, points: RunPoints) -> Iterator[Field]:
    dataset = expectation.point.dataset
    if dataset is not None:
        yield from dataset.readable.fields.values()
    else:
        yield from points.columns_at(expectation.point).fields.values()
