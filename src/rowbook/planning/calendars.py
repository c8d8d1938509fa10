"""From calendar definitions to calendars."""

from __future__ import annotations

from datetime import date

from rowbook.definitions.models.calendar import (
    CalendarDefinition,
    MonthsRuleDefinition,
    PeriodDefinition,
    WeeksRuleDefinition,
)
from rowbook.definitions.place import Place
from rowbook.expressions.literals import parse_date
from rowbook.periods import (
    Calendar,
    CalendarRule,
    ExplicitPeriod,
    Level,
    MonthsRule,
    WeeksRule,
    build_calendar,
    check_calendar,
)
from rowbook.planning.findings import Findings


def read_calendar(model: CalendarDefinition, place: Place, findings: Findings) -> Calendar | None:
    faulty = False

    def day(text: str, at: Place) -> date:
        nonlocal faulty
        parsed = parse_date(text)
        if parsed is None:
            faulty = True
            findings.add(at, "PERIOD_003", f"'{text}' is not a date", "write 2026-01-31")
        return parsed or date(2000, 1, 1)

    def explicit(period: PeriodDefinition, at: Place) -> ExplicitPeriod:
        return ExplicitPeriod(
            period.identifier,
            period.level,
            day(period.start, at.at("start")),
            day(period.end, at.at("end")),
            period.parent,
        )

    rule: CalendarRule | None = None
    match model.rule:
        case MonthsRuleDefinition(start_month=start_month):
            rule = MonthsRule(start_month)
        case WeeksRuleDefinition(pattern=pattern, start=start):
            rule = WeeksRule(pattern, day(start, place.at("rule", "start")))
    levels = [Level(level.name, level.identifier, level.parent) for level in model.levels]
    periods = [explicit(p, place.at("periods", i)) for i, p in enumerate(model.periods)]
    if faulty:
        return None
    faults = check_calendar(model.name, levels, rule, periods)
    for fault in faults:
        findings.add(place.at(*fault.path), "PERIOD_003", fault.message, fault.hint)
    return None if faults else build_calendar(model.name, levels, rule, periods)
