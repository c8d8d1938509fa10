"""Planning `output`: V-001 … V-005, V-007."""

from __future__ import annotations

import re

from rowbook.definitions.models.field_types import NAME_PATTERN
from rowbook.definitions.models.operations import (
    DestinationDefinition,
    OutputArguments,
    OutputOperation,
)
from rowbook.definitions.place import Place
from rowbook.expressions.foreign_words import column_hint
from rowbook.planning.columns import PERIOD, Columns
from rowbook.planning.datasources import (
    READ_ONLY,
    check_options,
    check_table,
    check_target,
    root_of,
)
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.operations.context import Context, OperationPlace, column_of, used_joins
from rowbook.planning.steps import OutputStep

_UNWRITABLE = "header_row"
_FOR_READING = "is for reading: a file that is written begins with its header"
_CODES = dict.fromkeys(("EXPR_001", "EXPR_002", "EXPR_003", "SELECTOR_001"), "OUTPUT_001")


def plan_output(operation: OutputOperation, here: OperationPlace, context: Context) -> OutputStep:
    findings, arguments = context.findings, operation.arguments
    selector = findings.condition(
        here.place.at("selector"),
        operation.selector,
        context.scope(here.before),
        _CODES,
        "OUTPUT_005",
    )
    _check_destination(arguments.destination, here.arguments.at("destination"), context)
    if arguments.register_as_dataset is not None:
        _check_name(arguments.register_as_dataset, here.arguments, context)
    return OutputStep(
        operation.seq,
        operation.name,
        selector,
        used_joins(context.lookups.joins, (selector,)),
        here.before,
        arguments.destination,
        _written(arguments, here, context),
        arguments.include_deleted,
        arguments.mode,
        arguments.register_as_dataset,
    )


def _check_destination(destination: DestinationDefinition, place: Place, context: Context) -> None:
    findings = context.findings
    by_source = destination.datasource_id is not None or destination.table is not None
    if by_source and destination.location is not None:
        message = "a destination is a table of a data source or a location, not both"
        findings.add(place, "OUTPUT_003", message)
    elif destination.location is not None:
        location = destination.location
        _check_writable(location.format, place.at("location", "format"), context)
        check_target(location.path, place.at("location", "path"), context.known, findings)
        options = place.at("location", "options")
        check_options(location.format, location.options, options, findings)
        if _UNWRITABLE in location.options:
            findings.add(
                options.at(_UNWRITABLE), "DATASOURCE_002", f"'{_UNWRITABLE}' {_FOR_READING}"
            )
    elif not destination.datasource_id or not destination.table:
        missing = "table" if destination.datasource_id else "datasource_id"
        message = (
            f"a destination in a data source needs {missing} too"
            if by_source
            else "an output needs a destination"
        )
        findings.add(place, "OUTPUT_003", message)
    elif not context.sandbox:
        found = context.known.datasource(destination.datasource_id)
        if not isinstance(found, Missing):
            _check_writable(found.model.type, place.at("datasource_id"), context)
            if _UNWRITABLE in found.model.options:
                message = f"'{_UNWRITABLE}' of data source '{found.model.name}' {_FOR_READING}"
                findings.add(place.at("datasource_id"), "DATASOURCE_002", message)
            if found.model.type == "jdbc":
                check_table(destination.table, place.at("table"), findings)
            else:
                root = root_of(found.model)
                check_target(destination.table, place.at("table"), context.known, findings, root)
        elif not found.uncertain:
            code = "DATASOURCE_005" if found.reason == "disabled" else "DATASOURCE_001"
            findings.add(place.at("datasource_id"), code, found.message, found.hint)


def _check_writable(kind: str, place: Place, context: Context) -> None:
    if kind in READ_ONLY:
        message = f"data of type {kind} is read, and not written"
        context.findings.add(place, "DATASOURCE_008", message, "write csv, which Excel opens")


def _check_name(name: str, arguments: Place, context: Context) -> None:
    place = arguments.at("register_as_dataset")
    if not name.strip():
        context.findings.add(place, "OUTPUT_004", "the dataset to register has an empty name")
    elif not re.fullmatch(NAME_PATTERN, name):
        context.findings.add(place, "WORKSPACE_003", f"'{name}' is not a name")


def _written(arguments: OutputArguments, here: OperationPlace, context: Context) -> tuple[str, ...]:
    before = here.before
    if arguments.columns is None:
        return tuple(before.fields)
    place = here.arguments.at("columns")
    if not arguments.columns:
        context.findings.add(place, "OUTPUT_007", "an output needs at least one column")
    table = context.input.table_name if context.input else None
    chosen: dict[str, None] = {}
    for i, reference in enumerate(arguments.columns):
        alias, column = column_of(reference, table)
        unknown = column not in before.fields and before.complete
        if unknown or (alias is not None and context.input is not None):
            hint = column_hint(column, tuple(f.name for f in before.business))
            context.findings.add(place.at(i), "OUTPUT_002", f"unknown column '{reference}'", hint)
        elif column in chosen:
            context.findings.add(place.at(i), "OUTPUT_002", f"column '{column}' stands twice")
        chosen[column] = None
    if arguments.register_as_dataset is not None:
        chosen |= dict.fromkeys(_temporal(before, context))
    return tuple(chosen)


def _temporal(columns: Columns, context: Context) -> tuple[str, ...]:
    if PERIOD.name in columns.fields:
        return (PERIOD.name,)
    dataset = context.input
    if dataset is not None and dataset.definition.main_table.temporal_mode == "bitemporal":
        return dataset.validity or ()
    return ()
