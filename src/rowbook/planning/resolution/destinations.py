"""Destinations of outputs: templates that are filled in for the period of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.errors import RowbookError
from rowbook.expressions.faults import Fault
from rowbook.locations.file_options import one_file
from rowbook.periods import Calendar, Period
from rowbook.planning.datasources import option_text
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.templates import (
    OF_PERIOD,
    fill,
    is_of_one_period,
    template_faults,
)
from rowbook.value_class import dataclass

OWN_FILE = "leave _period out of its columns, or put {{identifier}} in the name of the file"
FIRST_SHEET = "Sheet1"
"""What a sheet is called where nobody says it, as Excel does."""
TEMPLATE_OPTIONS = ("file_name", "sheet")
"""Options of an output that are templates too."""
_PARTS = "write {{identifier}}, or a part that every period of the project has"


def destination_faults(text: str) -> Iterator[Fault]:
    """Of a template. The names of a table or a dataset are no part of it: those of what is read say
    nothing of what is written. A brace alone is a character like others."""
    for fault in template_faults(text, tuple(OF_PERIOD)):
        first, behind = fault.span
        if behind - first > 1:
            yield fault


def destination_label(destination: DestinationDefinition) -> str:
    """As the project names it."""
    location = destination.location
    if location is not None:
        return f"{location.path}{_own_parts(location.options)}"
    table = f"{destination.datasource_id}:{destination.table}"
    return f"{table}{_own_parts(destination.options)}"


def output_name(destination: DestinationDefinition) -> str:
    """What scenarios call it by: the table, or the path; with its file and sheet, where it says
    such."""
    location = destination.location
    if location is not None:
        return f"{location.path}{_own_parts(location.options)}"
    return f"{destination.table or ''}{_own_parts(destination.options)}"


def _own_parts(options: Mapping[str, Any]) -> str:
    """What tells outputs of one folder apart."""
    name, sheet = (option_text(options.get(part)) for part in TEMPLATE_OPTIONS)
    return f"{name and '/'}{name}{sheet and '!'}{sheet}"


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """The format of a destination, and all options that hold for it, those of its data source among
    them."""

    path: str
    kind: str
    options: Mapping[str, str]

    @classmethod
    def of(
        cls, destination: DestinationDefinition, known: DefinitionLookup
    ) -> FormatOptions | None:
        """None where the data source is not there."""
        location = destination.location
        if location is not None:
            return cls(location.path, location.format, _texts(location.options))
        found = known.datasource(destination.datasource_id or "")
        if isinstance(found, Missing):
            return None
        options = {**found.model.options, **destination.options}
        return cls(destination.table or "", found.model.type, _texts(options))

    @property
    def one_file(self) -> tuple[str, str] | None:
        return one_file(self.path, self.kind, self.options)

    @property
    def label(self) -> str:
        """The path of the one file, or of the folder."""
        return "/".join(self.one_file or (self.path,))

    @property
    def sheet(self) -> str | None:
        return self.options.get("sheet", FIRST_SHEET) if self.kind == "excel" else None


def _texts(options: Mapping[str, Any]) -> dict[str, str]:
    return {name: option_text(value) for name, value in options.items()}


def fill_destination(
    destination: DestinationDefinition, period: Period, known: DefinitionLookup
) -> DestinationDefinition:
    """RESOLVER_004 where the period has no such part."""
    found = FormatOptions.of(destination, known)
    given = found.options if found else {}
    names = [name for name in TEMPLATE_OPTIONS if name in given]
    filled = {name: fill(given[name], period, {}, _PARTS) for name in names}
    location = destination.location
    if location is None:
        table = fill(destination.table or "", period, {}, _PARTS)
        options = {**destination.options, **filled}
        return destination.model_copy(update={"table": table, "options": options})
    path = fill(location.path, period, {}, _PARTS)
    options = {**location.options, **filled}
    place = location.model_copy(update={"path": path, "options": options})
    return destination.model_copy(update={"location": place})


def check_own_file(
    destination: DestinationDefinition,
    period: Period,
    calendar: Calendar,
    known: DefinitionLookup,
) -> None:
    """OUTPUT_008 where the one file of a destination is also that of another period, whose rows
    would be lost with it."""
    found = FormatOptions.of(destination, known)
    if found is None or found.one_file is None:
        return
    if not is_of_one_period(found.label, period, calendar.peers(period)):
        raise RowbookError.of("OUTPUT_008", shared_file(found.label), hint=OWN_FILE)


def shared_file(label: str) -> str:
    return f"the output has _period, but '{label}' is one file for several periods"
