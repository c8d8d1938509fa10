"""Planning `output`: V-001 … V-005, V-007."""

from __future__ import annotations

import re

from rowbook.definitions.models.field_types import NAME_PATTERN
from rowbook.definitions.models.operations import OutputArguments, OutputOperation
from rowbook.definitions.place import Place
from rowbook.expressions.binding.foreign_words import column_hint
from rowbook.locations.file_options import ENDINGS
from rowbook.planning.columns import PERIOD, Columns
from rowbook.planning.datasources import READ_OPTIONS
from rowbook.planning.operations.context import Context, OperationPlace, column_of, used_joins
from rowbook.planning.operations.destination import check_destination
from rowbook.planning.operations.one_file import check_one_file
from rowbook.planning.resolution.destinations import FormatOptions
from rowbook.planning.steps import OutputStep, SortKey

_DESCENDING = "-"
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
    found = check_destination(arguments.destination, here.arguments.at("destination"), context)
    written = _written(arguments, here, context)
    check_one_file(operation, found, written, here, context)
    if arguments.register_as_dataset is not None:
        _check_name(arguments.register_as_dataset, here.arguments, context)
        _check_read_back(arguments, here.arguments.at("destination"), context)
    return OutputStep(
        operation.seq,
        operation.name,
        selector,
        used_joins(context.lookups.joins, (selector,)),
        here.before,
        arguments.destination,
        written,
        arguments.include_deleted,
        arguments.mode,
        arguments.register_as_dataset,
        _sort_keys(arguments, found, here, context),
    )


def _check_name(name: str, arguments: Place, context: Context) -> None:
    place = arguments.at("register_as_dataset")
    if not name.strip():
        context.findings.add(place, "OUTPUT_004", "the dataset to register has an empty name")
    elif not re.fullmatch(NAME_PATTERN, name):
        context.findings.add(place, "WORKSPACE_003", f"'{name}' is not a name")


def _check_read_back(arguments: OutputArguments, destination: Place, context: Context) -> None:
    """A registered output is read with the options of its data source alone."""
    location = arguments.destination.location
    options, place = arguments.destination.options, destination.at("options")
    if location is not None:
        options, place = location.options, destination.at("location", "options")
    for name in options:
        if name in READ_OPTIONS:
            message = f"'{name}' is not known to who reads the dataset that this output becomes"
            hint = "write to a table of a data source with this option, or do not register it"
            context.findings.add(place.at(name), "DATASOURCE_002", message, hint)


def _written(arguments: OutputArguments, here: OperationPlace, context: Context) -> tuple[str, ...]:
    before = here.before
    if arguments.columns is None:
        return tuple(before.fields)
    place = here.arguments.at("columns")
    if not arguments.columns:
        context.findings.add(place, "OUTPUT_007", "an output needs at least one column")
    chosen: dict[str, None] = {}
    for i, reference in enumerate(arguments.columns):
        column = _column(reference, place.at(i), before, context)
        if column is None:
            continue
        if column in chosen:
            context.findings.add(place.at(i), "OUTPUT_002", f"column '{column}' stands twice")
        chosen[column] = None
    if arguments.register_as_dataset is not None:
        chosen |= dict.fromkeys(_temporal(before, context))
    return tuple(chosen)


def _sort_keys(
    arguments: OutputArguments,
    found: FormatOptions | None,
    here: OperationPlace,
    context: Context,
) -> tuple[SortKey, ...]:
    if arguments.order_by is None:
        return ()
    place = here.arguments.at("order_by")
    if not arguments.order_by:
        message = "an order needs at least one column"
        context.findings.add(place, "OUTPUT_010", message, "leave order_by out for any order")
    if found is not None and found.kind not in ENDINGS:
        message = f"a table of {found.kind} has no order"
        context.findings.add(place, "OUTPUT_010", message, "leave order_by out, or write files")
    keys: dict[str, SortKey] = {}
    for i, reference in enumerate(arguments.order_by):
        name = reference.removeprefix(_DESCENDING)
        column = _column(name, place.at(i), here.before, context)
        if column in keys:
            context.findings.add(place.at(i), "OUTPUT_010", f"column '{column}' stands twice")
        elif column is not None:
            keys[column] = SortKey(column, name != reference)
    return tuple(keys.values())


def _column(reference: str, place: Place, before: Columns, context: Context) -> str | None:
    """The column of the working dataset; None where there is none, which is reported."""
    alias, column = column_of(reference, context.input.table_name if context.input else None)
    unknown = column not in before.fields and before.complete
    if unknown or (alias is not None and context.input is not None):
        hint = column_hint(column, tuple(f.name for f in before.business))
        context.findings.add(place, "OUTPUT_002", f"unknown column '{reference}'", hint)
        return None
    return column


def _temporal(columns: Columns, context: Context) -> tuple[str, ...]:
    if PERIOD.name in columns.fields:
        return (PERIOD.name,)
    dataset = context.input
    if dataset is not None and dataset.definition.main_table.temporal_mode == "bitemporal":
        return dataset.validity or ()
    return ()
