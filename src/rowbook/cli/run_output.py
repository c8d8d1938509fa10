"""How a run went, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rowbook.cli.exits import Exit
from rowbook.cli.findings import as_json, print_findings

if TYPE_CHECKING:
    from rowbook.runs.result import RunResult

_LEDGER = (
    ("seq", True),
    ("operation", False),
    ("type", False),
    ("rows in", True),
    ("matched", True),
    ("added", True),
    ("deleted", True),
    ("rows out", True),
    ("ms", True),
)
_KEYS = (
    *("seq", "name", "type", "rows_in", "matched", "added", "deleted", "rows_out", "duration_ms"),
)


def exit_of(result: RunResult) -> Exit:
    """The exit code that a run ends with."""
    if result.status == "cancelled":
        return Exit.INTERRUPTED
    return Exit.DONE if result.status == "completed" else Exit.RUN_FAILED


def result_json(result: RunResult) -> dict[str, Any]:
    """A run for programs."""
    return {
        "run_id": result.run_id,
        "status": result.status,
        "operations": [entry.as_json() for entry in result.ledger],
        "outputs": [output.as_json() for output in result.outputs],
        "error": as_json(result.error) if result.error else None,
        "warnings": list(result.warnings),
    }


def print_result(result: RunResult) -> None:
    """A run for people."""
    from rowbook.cli.tables import console

    print_ledger([entry.as_json() for entry in result.ledger])
    print_outputs([output.as_json() for output in result.outputs])
    out = console()
    for warning in result.warnings:
        out.print(f"warning: {warning}", markup=False)
    if result.error is not None:
        print_findings([result.error], "", sys.stderr)
    out.print(f"{result.status}  run {result.run_id}", markup=False)


def print_ledger(entries: Sequence[Mapping[str, Any]]) -> None:
    """What each operation did, as a table."""
    from rowbook.cli.tables import console, table

    if entries:
        console().print(table(_LEDGER, [[entry[key] for key in _KEYS] for entry in entries]))


def print_outputs(outputs: Sequence[Mapping[str, Any]]) -> None:
    """What was written, a line each."""
    from rowbook.cli.tables import console

    out = console()
    for each in outputs:
        size = f"{each['rows']:,} rows, {len(each['columns'])} columns, {each['bytes']:,} bytes"
        version = each.get("dataset_version")
        registered = f", registered as version {version}" if version else ""
        out.print(f"wrote {each['destination']}: {size}{registered}", markup=False)
