"""`rowbook run`: runs a project for a period, with progress and a ledger."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.asked import ask
from rowbook.cli.exits import Exit
from rowbook.cli.findings import as_json, print_findings
from rowbook.cli.options import Debug, EngineOption, Folder, Format
from rowbook.cli.progress import Progress
from rowbook.definitions.folder import find_workspace
from rowbook.errors import RowbookError

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


def run(
    project: Annotated[str, typer.Argument(help="The project, by name or id.")],
    period: Annotated[str, typer.Option("--period", help="The run's period, such as 2026-01.")],
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="The as-of date; left out: the period's end.")
    ] = None,
    now: Annotated[
        str | None, typer.Option("--now", help="The run's clock, for repeating a run exactly.")
    ] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Run the files as they are, outputs into the sandbox.")
    ] = False,
    engine: EngineOption = None,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Run a project for a period.

    Projects are not activated yet in this version: every run is a draft, whose outputs go into
    .rowbook/sandbox/<run id>/.

    Examples:

      rowbook run monthly_close --period 2026-01 --draft

      rowbook run monthly_close --period 2026-01 --format json
    """
    root = find_workspace(folder or Path())
    asked = ask(root, project, period, as_of, now)
    if isinstance(asked, RowbookError):
        return _refused(asked, format)
    progress = Progress(quiet=format == "json")
    progress.say(f"run {asked.context.run_id} of {project} for {period}")
    if not draft:
        progress.say("this project was never activated: it runs as a draft, into the sandbox")
    from rowbook.runs.draft import run_draft

    progress.say("starting Spark …")
    result = run_draft(asked, engine, debug=debug, on_step=progress.step)
    if format == "json":
        _print_json(result)
    else:
        _print_text(result)
    return Exit.DONE if result.status == "completed" else Exit.RUN_FAILED


def _refused(error: RowbookError, form: str) -> int:
    """Invalid definitions: nothing ran."""
    if form == "json":
        empty: dict[str, object] = {"operations": [], "outputs": []}
        result = {"run_id": None, "status": "failed", **empty}
        first = as_json(error.diagnostics[0])
        sys.stdout.write(json.dumps({**result, "error": first}, indent=2) + "\n")
    else:
        print_findings(error.diagnostics, "", sys.stderr)
    return Exit.FINDINGS


def _print_json(result: RunResult) -> None:
    found = {
        "run_id": result.run_id,
        "status": result.status,
        "operations": [entry.as_json() for entry in result.ledger],
        "outputs": [output.as_json() for output in result.outputs],
        "error": as_json(result.error) if result.error else None,
    }
    sys.stdout.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")


def _print_text(result: RunResult) -> None:
    from rowbook.cli.tables import console, table

    out = console()
    rows = [
        (e.seq, e.name, e.type, e.rows_in, e.matched, e.added, e.deleted, e.rows_out, e.duration_ms)
        for e in result.ledger
    ]
    if rows:
        out.print(table(_LEDGER, rows))
    for output in result.outputs:
        size = f"{output.rows:,} rows, {len(output.columns)} columns, {output.bytes:,} bytes"
        out.print(f"wrote {output.destination}: {size}", markup=False)
    if result.error is not None:
        print_findings([result.error], "", sys.stderr)
    out.print(f"{result.status}  run {result.run_id}", markup=False)
