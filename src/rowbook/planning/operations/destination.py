"""Where an output goes: exactly one form, templates that can be filled in, a place that may be
written to (V-003)."""

from __future__ import annotations

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.definitions.place import Place
from rowbook.locations.file_options import sheet_fault
from rowbook.locations.object_urls import is_in_store, store_options
from rowbook.locations.text_encodings import encoding_named
from rowbook.planning.datasources import (
    BY_NAME,
    ONLY_READ,
    check_options,
    check_table,
    check_target,
    root_of,
    store_write_fault,
)
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.operations.context import Context
from rowbook.planning.resolution.destinations import (
    TEMPLATE_OPTIONS,
    FormatOptions,
    destination_faults,
)
from rowbook.planning.resolution.templates import sample

_UTF_8 = "utf-8"


def check_destination(
    destination: DestinationDefinition, place: Place, context: Context
) -> FormatOptions | None:
    """Its format; None where that is not known."""
    findings = context.findings
    location = destination.location
    by_source = destination.datasource_id is not None or destination.table is not None
    found = FormatOptions.of(destination, context.known)
    if location is not None and (by_source or destination.options):
        message = "a destination is a table of a data source or a location, not both"
        findings.add(place, "OUTPUT_003", message)
    elif location is not None and found is not None:
        here = place.at("location")
        _check_path(found, here.at("path"), context)
        extra = store_options(location.path)
        check_options(location.format, location.options, here.at("options"), findings, extra)
        _check_written(found, here.at("options"), context)
    elif not destination.datasource_id or not destination.table:
        missing = "table" if destination.datasource_id else "datasource_id"
        message = (
            f"a destination in a data source needs {missing} too"
            if by_source
            else "an output needs a destination"
        )
        findings.add(place, "OUTPUT_003", message)
    elif found is None:
        _check_template(destination.table, place.at("table"), context)
        _report_missing(destination.datasource_id, place.at("datasource_id"), context)
    else:
        _check_table(destination, found, place, context)
    return found


def _check_table(
    destination: DestinationDefinition, found: FormatOptions, place: Place, context: Context
) -> None:
    findings, options = context.findings, place.at("options")
    source = context.known.datasource(destination.datasource_id or "")
    assert not isinstance(source, Missing)
    if found.kind in BY_NAME:
        _check_template(found.path, place.at("table"), context)
        check_table(found.kind, found.path, place.at("table"), findings)
        for name in destination.options:
            message = "a table of a database has no options of its own"
            findings.add(options.at(name), "DATASOURCE_002", message)
    else:
        among = {**source.model.options, **destination.options}
        _check_path(found, place.at("table"), context, root_of(source.model))
        extra = ("publication",) if is_in_store(found.path, root_of(source.model)) else ()
        check_options(found.kind, destination.options, options, findings, extra, among)
        _check_written(found, options, context)


def _check_path(found: FormatOptions, place: Place, context: Context, root: str = ".") -> None:
    """The folder is what is replaced."""
    _check_template(found.path, place, context)
    one_file = found.one_file
    folder, _ = one_file or (found.path, "")
    fault = store_write_fault(found.kind, found.options, one_file=one_file is not None)
    check_target(folder, place, context.known, context.findings, root, fault)


def _report_missing(source: str, place: Place, context: Context) -> None:
    found = context.known.datasource(source)
    if not context.sandbox and isinstance(found, Missing) and not found.uncertain:
        code = "DATASOURCE_005" if found.reason == "disabled" else "DATASOURCE_001"
        context.findings.add(place, code, found.message, found.hint)


def _check_written(found: FormatOptions, place: Place, context: Context) -> None:
    """What can be read so and not be written; templates among the options."""
    findings = context.findings
    for name in ONLY_READ.get(found.kind, ()):
        if name in found.options:
            findings.add(place.at(name), "DATASOURCE_002", f"'{name}' is for reading alone")
    encoding = encoding_named(found.options.get("encoding", _UTF_8))
    if found.kind == "json" and encoding not in (None, _UTF_8):
        message = f"json files are written in UTF-8, not in {encoding}"
        findings.add(place.at("encoding"), "DATASOURCE_002", message, "leave encoding out")
    for name in TEMPLATE_OPTIONS:
        _check_template(found.options.get(name, ""), place.at(name), context)
    if found.sheet is not None and (fault := sheet_fault(sample(found.sheet))):
        findings.add(place.at("sheet"), "OUTPUT_009", fault)


def _check_template(text: str, place: Place, context: Context) -> None:
    for fault in destination_faults(text):
        context.findings.fault(place, fault)
