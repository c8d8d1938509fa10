"""Destinations of outputs: templates that are filled in for the period of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.expressions.faults import Fault
from rowbook.periods import Period
from rowbook.planning.datasources import option_text
from rowbook.planning.resolution.templates import OF_PERIOD, fill, template_faults

TEMPLATE_OPTIONS = ("file_name", "sheet")
"""Options of an output that are templates too."""
_PARTS = "write {{identifier}}, or a part that every period of the project has"


def destination_faults(text: str) -> Iterator[Fault]:
    """Of a template. The names of a table or a dataset are no part of it: those of what is read say
    nothing of what is written."""
    return template_faults(text, tuple(OF_PERIOD))


def destination_label(destination: DestinationDefinition) -> str:
    """As the project names it."""
    location = destination.location
    if location is not None:
        return location.path
    return f"{destination.datasource_id}:{destination.table}"


def fill_destination(destination: DestinationDefinition, period: Period) -> DestinationDefinition:
    """RESOLVER_004 where the period has no such part."""
    location = destination.location
    if location is None:
        table = fill(destination.table or "", period, {}, _PARTS)
        return destination.model_copy(update={"table": table})
    options = fill_options(location.options, period)
    path = fill(location.path, period, {}, _PARTS)
    filled = location.model_copy(update={"path": path, "options": options})
    return destination.model_copy(update={"location": filled})


def fill_options(options: Mapping[str, Any], period: Period) -> dict[str, Any]:
    names: Iterable[str] = (name for name in TEMPLATE_OPTIONS if name in options)
    filled = {name: fill(option_text(options[name]), period, {}, _PARTS) for name in names}
    return {**options, **filled}
