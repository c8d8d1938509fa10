"""Calendars: levels, a rule or none, and periods that are listed."""

from __future__ import annotations

from rowbook.definitions.models.calendar import MonthsRuleDefinition, WeeksRuleDefinition
from tests.definitions.models.samples import model_of, refusal


def test_the_type_of_the_rule_says_what_it_holds() -> None:
    months = model_of("calendar: {name: c, rule: {type: months, start_month: 7}}")
    weeks = model_of(
        'calendar: {name: c, rule: {type: weeks, pattern: 4-4-5, start: "2025-12-29"}}'
    )
    assert months.rule == MonthsRuleDefinition(type="months", start_month=7)
    assert weeks.rule == WeeksRuleDefinition(type="weeks", pattern="4-4-5", start="2025-12-29")


def test_a_year_of_months_starts_with_january() -> None:
    assert model_of("calendar: {name: c, rule: {type: months}}").rule.start_month == 1


def test_without_a_rule_all_periods_are_listed() -> None:
    calendar = model_of(
        "calendar: {name: c, periods: [{identifier: 2026, level: year, start: 2026-01-01,"
        " end: 2026-12-31}]}"
    )
    (period,) = calendar.periods
    assert calendar.rule is None
    assert (period.identifier, period.start, period.parent) == ("2026", "2026-01-01", None)


def test_an_unknown_rule_is_refused() -> None:
    assert refusal("calendar: {name: c, rule: {type: days}}")[0] == "YAML_004"
