"""Calendars and periods: identifiers, first and last days, parents, and what a period consists of.

Pure values and functions; nothing here reads files, clocks or settings.
"""

from rowbook.periods.build import CalendarRule as CalendarRule
from rowbook.periods.build import build_calendar as build_calendar
from rowbook.periods.build import check_calendar as check_calendar
from rowbook.periods.calendar import Calendar as Calendar
from rowbook.periods.explicit import ExplicitPeriod as ExplicitPeriod
from rowbook.periods.gregorian import GREGORIAN as GREGORIAN
from rowbook.periods.offsets import period_at as period_at
from rowbook.periods.offsets import same_last_year as same_last_year
from rowbook.periods.offsets import year_to_date as year_to_date
from rowbook.periods.period import CalendarFault as CalendarFault
from rowbook.periods.period import Level as Level
from rowbook.periods.period import Period as Period
from rowbook.periods.rules import MonthsRule as MonthsRule
from rowbook.periods.rules import WeekPattern as WeekPattern
from rowbook.periods.rules import WeeksRule as WeeksRule
