"""`rowbook preview`: the rows at a step, nothing written."""

from __future__ import annotations

from typing import Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Columns,
    Debug,
    Folder,
    Format,
    Period,
    Project,
    Quiet,
    RowEngine,
    Settings,
    System,
    Trust,
    read_settings,
)
from rowbook.cli.render.printing import print_json, report_findings
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.row_table import (
    choose_columns,
    engine_label,
    engine_words,
    print_rows,
    rows_json,
)
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError


def preview(
    project: Project,
    period: Period,
    after: Annotated[
        int | None,
        typer.Option("--after", metavar="SEQ", help="After this operation; else the last."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many rows.")] = 20,
    as_of: Annotated[str | None, typer.Option("--as-of", help="The as-of date.")] = None,
    now: Annotated[str | None, typer.Option("--now", help="The run's clock.")] = None,
    settings: Settings = None,
    columns: Columns = None,
    system: System = False,
    engine: RowEngine = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show the rows after an operation; nothing is written.

    The rows are those of the working dataset, deleted ones left out. A table on a terminal has as
    many columns as fit; --columns chooses others.

    Up to 10,000 rows of csv, json and parquet files are computed by the reference engine, which
    takes about a second; larger inputs, and other kinds, on Spark.

    Examples:

      rowbook preview monthly_close --period 2026-01 --after 20 --limit 10

      rowbook preview monthly_close --period 2026-01 --columns entity,amount
    """
    named, spark = engine_words(engine)
    parameters = read_settings(settings)
    workspace = open_workspace(folder, trust=trust, engine=spark, debug=debug)
    with Progress(quiet=quiet or format == "json") as progress:
        progress.say(f"{project} for {period}, nothing is written")
        try:
            found = workspace.preview_rows(
                project,
                period,
                after,
                limit=limit,
                as_of=as_of,
                now=now,
                parameters=parameters,
                engine=named,
                on_engine=lambda choice: progress.say(engine_label("computed", choice)),
                on_session=progress.session,
                on_step=progress.step,
                on_wait=progress.begin,
            )
        except RowbookError as error:
            progress.done()
            return report_findings(error, workspace.root, format, {"columns": [], "rows": []})
    names = choose_columns(found.columns, columns, system=system)
    if format == "json":
        print_json({"engine": found.engine, **rows_json(names, found.rows)})
    else:
        print_rows(names, found.rows)
    return Exit.DONE
