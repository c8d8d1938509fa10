"""Outputs that are one file, or a sheet of one: what cannot be with it."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.definitions.models.operations import OutputOperation
from rowbook.definitions.place import Place
from rowbook.planning.columns import PERIOD
from rowbook.planning.findings import Findings
from rowbook.planning.operations.context import Context, OperationPlace
from rowbook.planning.resolution.destinations import OWN_FILE, FormatOptions, shared_file
from rowbook.planning.resolution.templates import OF_PERIOD, placeholders
from rowbook.planning.steps import AnyStep, OutputStep


def check_one_file(
    operation: OutputOperation,
    found: FormatOptions | None,
    written: Sequence[str],
    here: OperationPlace,
    context: Context,
) -> None:
    if found is None or found.one_file is None:
        return
    findings, arguments = context.findings, operation.arguments
    if arguments.mode == "append":
        message = f"'{found.label}' is one file: rows cannot be appended to it"
        hint = "use mode replace" + ("" if found.kind == "excel" else ", or leave single_file out")
        findings.add(here.arguments.at("mode"), "OUTPUT_008", message, hint)
    by_period = PERIOD.name in written and arguments.mode == "replace"
    if by_period and placeholders(found.label).isdisjoint(OF_PERIOD):
        place = file_place(here.arguments.at("destination"))
        findings.add(place, "OUTPUT_008", shared_file(found.label), OWN_FILE)
    if arguments.register_as_dataset is not None and found.kind == "excel":
        message = "a workbook cannot be registered as a dataset: it does not keep all values exact"
        place = here.arguments.at("register_as_dataset")
        findings.add(place, "OUTPUT_009", message, "register an output of parquet or csv instead")


def check_sheets(steps: Sequence[AnyStep], places: Sequence[Place], context: Context) -> None:
    """Each sheet of a workbook is that of one output; Excel does not tell them apart by case."""
    taken: dict[tuple[str, str], int] = {}
    for step, place in zip(steps, places, strict=True):
        if not isinstance(step, OutputStep):
            continue
        found = FormatOptions.of(step.destination, context.known)
        if found is None or found.sheet is None:
            continue
        source = step.destination.datasource_id or ""
        first = taken.setdefault((f"{source}:{found.label}", found.sheet.lower()), step.seq)
        if first != step.seq:
            message = f"sheet '{found.sheet}' of '{found.label}' is that of operation {first}"
            _add(OperationPlace(place, step.columns), message, context.findings)


def _add(here: OperationPlace, message: str, findings: Findings) -> None:
    destination = here.arguments.at("destination")
    options = (destination.at("location", "options", "sheet"), destination.at("options", "sheet"))
    place = next((each for each in options if each.exists), destination)
    findings.add(place, "OUTPUT_009", message, "give each output of the workbook its own sheet")


def file_place(destination: Place) -> Place:
    """Where the name of the file is said, or what it follows from."""
    said = (
        destination.at("location", "options", "file_name"),
        destination.at("options", "file_name"),
        destination.at("location", "path"),
        destination.at("table"),
    )
    return next((each for each in said if each.exists), destination)
