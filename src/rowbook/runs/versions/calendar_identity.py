"""The identity of a calendar, under which the store keeps the status of its periods."""

from __future__ import annotations

from rowbook.definitions.models.calendar import CalendarDefinition
from rowbook.definitions.models.entity import derived_id
from rowbook.errors import RowbookError
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.lookup import Missing


def calendar_identity(name: str, definitions: Definitions) -> str:
    """The id of a calendar, by name or id (PERIOD_002). The built-in one has a derived id, as every
    calendar that states none."""
    calendar = definitions.calendar(name)
    if isinstance(calendar, Missing):
        raise RowbookError.of("PERIOD_002", calendar.message, hint=calendar.hint)
    for place in (definitions, definitions.stored()):
        for key, each in place.calendars.items() if place else ():
            if each is calendar and key != calendar.name:
                return key
    return derived_id(CalendarDefinition.kind, calendar.name)
