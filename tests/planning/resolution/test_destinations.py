"""Destinations of outputs, filled in for the period of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.locations.boundary import Boundary
from rowbook.periods import GREGORIAN
from rowbook.planning.definitions.from_records import recorded_definitions
from rowbook.planning.resolution.destinations import destination_label, fill_destination
from rowbook.planning.resolution.templates import is_of_one_period
from tests.support.refusal import refusal

KNOWN = recorded_definitions([], Boundary(Path()), default_resolver=None, pins={})


def table(name: str) -> DestinationDefinition:
    return DestinationDefinition.model_validate({"datasource_id": "lake", "table": name})


def location(path: str, **options: str) -> DestinationDefinition:
    return DestinationDefinition.model_validate({"location": {"path": path, "options": options}})


@pytest.mark.parametrize(
    ("template", "period", "filled"),
    [
        ("guv_{{identifier}}", "2026-01", "guv_2026-01"),
        ("guv_{{YYYY}}_{{ MM }}", "2026-01", "guv_2026_01"),
        ("guv_{{YY}}Q{{Q}}", "2026-Q3", "guv_26Q3"),
        ("guv", "2026-01", "guv"),
    ],
)
def test_a_table_is_filled_in_for_the_period(template: str, period: str, filled: str) -> None:
    found = fill_destination(table(template), GREGORIAN.parse(period), KNOWN)
    assert (found.table, destination_label(found)) == (filled, f"lake:{filled}")


def test_a_path_is_filled_in_with_its_file_name() -> None:
    given = location("exports/{{YYYY}}", file_name="guv_{{identifier}}.csv", delimiter="{{YYYY}}")
    found = fill_destination(given, GREGORIAN.parse("2026-01"), KNOWN).location
    assert found is not None
    assert found.path == "exports/2026"
    assert found.options["file_name"] == "guv_2026-01.csv"
    assert found.options["delimiter"].text == "{{YYYY}}"
    assert destination_label(given) == "exports/{{YYYY}}/guv_{{identifier}}.csv"


def test_a_period_without_the_part_is_refused() -> None:
    year = GREGORIAN.parse("2026")
    found = refusal(lambda: fill_destination(table("guv_{{MM}}"), year, KNOWN), "RESOLVER_004")
    assert found.message == "{{MM}} has no value for 2026, a year"
    assert found.hint == "write {{identifier}}, or a part that every period of the project has"


@pytest.mark.parametrize(
    ("template", "period", "is_own"),
    [
        ("guv_{{identifier}}.csv", "2026-01", True),
        ("guv_{{YYYY}}{{MM}}.csv", "2026-01", True),
        ("guv_{{YYYY}}.csv", "2026-01", False),
        ("guv_{{YYYY}}.csv", "2026", True),
        ("guv_{{MM}}.csv", "2026-01", False),
        ("guv.csv", "2026-01", False),
    ],
)
def test_a_name_as_fine_as_the_period_is_that_of_one_period(
    template: str, period: str, is_own: bool
) -> None:
    found = GREGORIAN.parse(period)
    assert is_of_one_period(template, found, GREGORIAN.peers(found)) == is_own
