"""Calendars and periods: identifiers, first and last days, parents, and what a period consists of.

Pure values and functions; nothing here reads files, clocks or settings.
"""

from rowbook.periods.build import CalendarRule, build_calendar, check_calendar
from rowbook.periods.calendar import Calendar
from rowbook.periods.explicit import ExplicitPeriod
from rowbook.periods.gregorian import GREGORIAN
from rowbook.periods.period import CalendarFault, Level, Period
from rowbook.periods.rules import MonthsRule, WeekPattern, WeeksRule

__all__ = [
    "GREGORIAN",
    "Calendar",
    "CalendarFault",
    "CalendarRule",
    "ExplicitPeriod",
    "Level",
    "MonthsRule",
    "Period",
    "WeekPattern",
    "WeeksRule",
    "build_calendar",
    "check_calendar",
]
