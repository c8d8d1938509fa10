"""`rowbook preview`: the rows at a step, nothing written."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rowbook.cli.asked import ask
from rowbook.cli.exits import Exit
from rowbook.cli.findings import print_findings
from rowbook.cli.options import Debug, EngineOption, Folder, Format
from rowbook.cli.progress import Progress
from rowbook.definitions.folder import find_workspace
from rowbook.errors import RowbookError


def preview(
    project: Annotated[str, typer.Argument(help="The project, by name or id.")],
    period: Annotated[str, typer.Option("--period", help="The run's period, such as 2026-01.")],
    after: Annotated[
        int | None,
        typer.Option("--after", metavar="SEQ", help="After this operation; else the last."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many rows.")] = 20,
    as_of: Annotated[str | None, typer.Option("--as-of", help="The as-of date.")] = None,
    now: Annotated[str | None, typer.Option("--now", help="The run's clock.")] = None,
    system: Annotated[bool, typer.Option("--system", help="Show the system columns too.")] = False,
    engine: EngineOption = None,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show the rows of the working dataset after an operation; nothing is written.

    Examples:

      rowbook preview monthly_close --period 2026-01 --after 20 --limit 10
    """
    root = find_workspace(folder or Path())
    asked = ask(root, project, period, as_of, now)
    if isinstance(asked, RowbookError):
        print_findings(asked.diagnostics, "", sys.stderr)
        return Exit.FINDINGS
    seqs = [step.seq for step in asked.plan.steps]
    if after is not None and after not in seqs:
        known = ", ".join(map(str, seqs))
        raise RowbookError.of("USAGE_001", f"there is no operation {after}", hint=f"seqs: {known}")
    from rowbook.runs.previewing import preview_rows

    progress = Progress(quiet=format == "json")
    progress.say("starting Spark …")
    columns, rows = preview_rows(
        asked, engine, after=after, limit=limit, debug=debug, on_step=progress.step
    )
    chosen = [c for c in columns if system or not c.startswith("_") or c == "_period"]
    if format == "json":
        found = {"columns": chosen, "rows": [{c: _plain(row[c]) for c in chosen} for row in rows]}
        sys.stdout.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    else:
        _print(chosen, rows)
    return Exit.DONE


def _plain(value: Any) -> Any:
    """JSON has neither decimals nor dates: they are text, exactly."""
    from rowbook.cli.tables import shown

    if value is None or isinstance(value, bool | int | float | str):
        return value
    return shown(value).replace(",", "")


def _print(columns: list[str], rows: list[dict[str, Any]]) -> None:
    from decimal import Decimal

    from rowbook.cli.tables import console, table

    numeric = {c: any(isinstance(row[c], int | float | Decimal) for row in rows) for c in columns}
    out = console()
    out.print(
        table([(c, numeric[c]) for c in columns], [[row[c] for c in columns] for row in rows])
    )
    out.print(f"{len(rows):,} row{'s' * (len(rows) != 1)}", markup=False)
