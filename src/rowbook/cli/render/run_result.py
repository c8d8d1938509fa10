"""How a run went, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rowbook.cli.exit_codes import Exit
from rowbook.cli.render.diagnostics import as_json, columns_of, print_findings
from rowbook.cli.render.expectations.verdict_table import (
    print_verdict_table,
    print_waivers,
    verdicts_json,
)
from rowbook.cli.render.printing import print_lines
from rowbook.cli.render.text_tables import print_table
from rowbook.errors import listing
from rowbook.text.table_layout import TextColumn
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import LedgerEntry, RunResult

_LEDGER = (
    TextColumn("seq", numeric=True),
    TextColumn("operation", long="cut"),
    TextColumn("type", spare=2),
    TextColumn("rows in", numeric=True, spare=1),
    *(TextColumn(each, numeric=True) for each in ("matched", "added", "deleted", "quarantined")),
    *(TextColumn(each, numeric=True) for each in ("rows out", "ms")),
)
_QUARANTINED = "quarantined"
_KEYS = (
    *("seq", "name", "type", "rows_in", "matched", "added", "deleted", _QUARANTINED),
    *("rows_out", "duration_ms"),
)


def exit_of(result: RunResult) -> Exit:
    if result.status == "cancelled":
        return Exit.INTERRUPTED
    return Exit.DONE if result.status in ("completed", "waiting") else Exit.RUN_FAILED


def result_json(result: RunResult) -> dict[str, Any]:
    return {
        "run_id": result.run_id,
        "status": result.status,
        "operations": [entry.as_json() for entry in result.ledger],
        "outputs": [output.as_json() for output in result.outputs],
        "error": as_json(result.error) if result.error else None,
        "errors": [as_json(error) for error in result.errors],
        "warnings": list(result.warnings),
        "expectations": verdicts_json(result.expectations),
        "seal": result.seal,
    }


def print_result(result: RunResult, *, quiet: bool = False) -> None:
    if not quiet:
        print_ledger([entry.as_json() for entry in result.ledger])
        print_unmatched(result.unmatched)
    is_waiting = result.status == "waiting"
    done = "staged for" if is_waiting else "wrote"
    print_outputs([output.as_json() for output in result.outputs], done)
    if not quiet:
        print_verdict_table(result.expectations)
    print_waivers([each.waiver for each in result.expectations if each.waiver is not None])
    print_lines(f"warning: {warning}" for warning in result.warnings)
    print_findings(result.errors, "", sys.stderr)
    seal = f"  seal {result.seal}" if result.seal else ""
    print_lines([f"{result.status}  run {result.run_id}{seal}"])
    if is_waiting and not quiet:
        print_lines([f"`rowbook runs approve {result.run_id}` publishes it"])


def print_ledger(entries: Sequence[Mapping[str, Any]]) -> None:
    """What was quarantined has a column only where something was."""
    if entries:
        has_taken = any(entry[_QUARANTINED] for entry in entries)
        shown = [i for i, key in enumerate(_KEYS) if has_taken or key != _QUARANTINED]
        rows = [[entry[_KEYS[i]] for i in shown] for entry in entries]
        print_table([_LEDGER[i] for i in shown], rows)


def print_unmatched(entries: Sequence[LedgerEntry]) -> None:
    if entries:
        named = listing([f"{each.seq} '{each.name}'" for each in entries])
        what = "operation" if len(entries) == 1 else "operations"
        print_lines([f"note: {what} {named} matched no rows"])


def print_outputs(outputs: Sequence[Mapping[str, Any]], done: str = "wrote") -> None:
    """What was `done` with each, a line each; two where a terminal is narrow."""
    available = columns_of(sys.stdout)
    for each in outputs:
        size = f"{number(each['rows'], 'row')}, {number(len(each['columns']), 'column')}"
        version = each.get("dataset_version")
        registered = f", registered as version {version}" if version else ""
        where = f"{done} {each['destination']}:"
        what = f"{size}, {each['bytes']:,} bytes{registered}"
        is_long = available is not None and len(where) + len(what) >= available
        print_lines([where, f"      {what}"] if is_long else [f"{where} {what}"])
