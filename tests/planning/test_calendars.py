"""Definitions of calendars as a workspace sees them: SPEC section 6. What a calendar may be is
tested in tests/periods; here, that its faults stand at their places."""

from __future__ import annotations

from datetime import date

import pytest

from tests.support.trial import Trial, delete, plan_of, project

FISCAL = """\
calendar:
  name: fiscal
  levels:
    - {name: year, identifier: "FY{year}"}
    - {name: quarter, parent: year, identifier: "FY{year}-Q{n}"}
    - {name: month, parent: quarter, identifier: "FY{year}-{n:02}"}
  rule: {type: months, start_month: 7}
"""


def test_a_project_uses_gregorian_unless_it_says_otherwise(trial: Trial) -> None:
    assert trial.plan(project(delete("posted"))).calendar.name == "gregorian"


@pytest.mark.parametrize("reference", ["gregorian", "fiscal"])
def test_or_the_calendar_it_names(reference: str, trial: Trial) -> None:
    text = FISCAL + "---\n" + project(delete("posted"), more=f"calendar_id: {reference}")
    assert plan_of(trial.accepts(text)).calendar.name == reference


@pytest.mark.parametrize(
    "reference",
    # uuid5 of calendar:fiscal
    ["023a56db-1ebd-5bd5-a5a2-e48a3e012a7d", "023A56DB-1EBD-5BD5-A5A2-E48A3E012A7D"],
)
def test_a_calendar_is_named_by_its_id_too(reference: str, trial: Trial) -> None:
    text = FISCAL + "---\n" + project(delete("posted"), more=f"calendar_id: {reference}")
    assert plan_of(trial.accepts(text)).calendar.name == "fiscal"


def test_fiscal_years_start_in_july(trial: Trial) -> None:
    text = FISCAL + "---\n" + project(delete("posted"), more="calendar_id: fiscal")
    period = plan_of(trial.accepts(text)).calendar.parse("FY2026-01")
    assert (period.start, period.end) == (date(2025, 7, 1), date(2025, 7, 31))


def test_an_unknown_calendar_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(
        FISCAL + "---\n" + project(delete("posted"), more="calendar_id: ⟦fiscl"), "PERIOD_002"
    )
    assert found.message == "calendar 'fiscl' is not defined"
    assert (found.hint or "").startswith("did you mean 'fiscal'?")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("start_month: 7", "start_month: ⟦13"),
        ("parent: year", "parent: ⟦yeer"),
        ("{type: months, start_month: 7}", "{type: weeks, pattern: 4-4-5, start: ⟦2025-13-29}"),
        ("name: fiscal", "name: ⟦gregorian"),
    ],
)
def test_a_fault_stands_at_its_place(before: str, after: str, trial: Trial) -> None:
    trial.refuses(FISCAL.replace(before, after, 1), "PERIOD_003")


def test_the_days_of_a_listed_period_are_dates(trial: Trial) -> None:
    periods = "  periods: [{identifier: FY2026-13, level: month, start: ⟦30.06.2026, end: ⟦x}]\n"
    found = trial.refuses(FISCAL + periods, "PERIOD_003", "PERIOD_003")
    assert (found[0].message, found[0].hint) == ("'30.06.2026' is not a date", "write 2026-01-31")


def test_a_faulty_calendar_is_no_second_error_where_it_is_used(trial: Trial) -> None:
    broken = FISCAL.replace("start_month: 7", "start_month: ⟦13")
    text = broken + "---\n" + project(delete("posted"), more="calendar_id: fiscal")
    trial.refuses(text, "PERIOD_003")


@pytest.mark.parametrize(
    ("rule", "code", "message"),
    [
        ("⟦{type: days}", "YAML_004", "'rule' has an unknown type"),
        ("⟦{start_month: 7}", "YAML_004", "'rule' needs a type"),
        ("⟦{type: weeks, pattern: 4-4-5}", "YAML_003", "required key 'start' is missing"),
        (
            "{type: weeks, pattern: ⟦4-4-4, start: 2025-12-29}",
            "YAML_004",
            "'4-4-4' is not a value of 'pattern'",
        ),
        (
            "{type: months, start_month: ⟦July}",
            "YAML_004",
            "'start_month' must be a whole number, not 'July'",
        ),
        ("{type: months, ⟦start: 7}", "YAML_002", "unknown key 'start'"),
    ],
)
def test_faults_of_form(rule: str, code: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(FISCAL.replace("{type: months, start_month: 7}", rule), code)
    assert found.message == message
