"""Where an output goes: exactly one form, templates that can be filled in, a place that may be
written to (V-003)."""

from __future__ import annotations

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.definitions.place import Place
from rowbook.planning.datasources import check_options, check_table, check_target, root_of
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.operations.context import Context
from rowbook.planning.resolution.destinations import destination_faults


def check_destination(destination: DestinationDefinition, place: Place, context: Context) -> None:
    findings = context.findings
    location = destination.location
    by_source = destination.datasource_id is not None or destination.table is not None
    if by_source and location is not None:
        message = "a destination is a table of a data source or a location, not both"
        findings.add(place, "OUTPUT_003", message)
    elif location is not None:
        here = place.at("location")
        _check_template(location.path, here.at("path"), context)
        check_target(location.path, here.at("path"), context.known, findings)
        check_options(location.format, location.options, here.at("options"), findings)
    elif not destination.datasource_id or not destination.table:
        missing = "table" if destination.datasource_id else "datasource_id"
        message = (
            f"a destination in a data source needs {missing} too"
            if by_source
            else "an output needs a destination"
        )
        findings.add(place, "OUTPUT_003", message)
    else:
        _check_table(destination.datasource_id, destination.table, place, context)


def format_of_destination(destination: DestinationDefinition, context: Context) -> str | None:
    """None where the data source is not there."""
    if destination.location is not None:
        return destination.location.format
    found = context.known.datasource(destination.datasource_id or "")
    return None if isinstance(found, Missing) else found.model.type


def _check_table(source: str, table: str, place: Place, context: Context) -> None:
    findings = context.findings
    _check_template(table, place.at("table"), context)
    if context.sandbox:
        return
    found = context.known.datasource(source)
    if not isinstance(found, Missing):
        if found.model.type == "jdbc":
            check_table(table, place.at("table"), findings)
        else:
            root = root_of(found.model)
            check_target(table, place.at("table"), context.known, findings, root)
    elif not found.uncertain:
        code = "DATASOURCE_005" if found.reason == "disabled" else "DATASOURCE_001"
        findings.add(place.at("datasource_id"), code, found.message, found.hint)


def _check_template(text: str, place: Place, context: Context) -> None:
    for fault in destination_faults(text):
        context.findings.fault(place, fault)
