"""`rowbook show`: the rows that a run wrote."""

from __future__ import annotations

from typing import Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Columns,
    Debug,
    Folder,
    Quiet,
    RowEngine,
    RowFormat,
    RowLimit,
    RunId,
    System,
    Trust,
    Where,
)
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.row_table import (
    MOST_SHOWN,
    choose_columns,
    engine_label,
    engine_words,
    print_table_rows,
)
from rowbook.cli.workspace_option import open_workspace


def show(
    run_id: RunId,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", metavar="OUTPUT", help="Which output, by seq, name or table, if several."
        ),
    ] = None,
    where: Where = None,
    limit: RowLimit = None,
    columns: Columns = None,
    system: System = False,
    engine: RowEngine = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: RowFormat = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show the rows that a run wrote.

    They are read from the table that the output wrote. Where that was replaced or changed since,
    the command says so and shows nothing: `rowbook runs repeat` computes the rows again.

    Csv, json and parquet files and workbooks are read without Spark, up to 100,000 rows.

    Examples:

      rowbook show latest --output close_subtotals

      rowbook show 0199c0 --output 80 --where "amount_usd < 0" --format csv
    """
    named, spark = engine_words(engine)
    workspace = open_workspace(folder, trust=trust, engine=spark, debug=debug)
    with Progress(quiet=quiet or format != "text") as progress:
        found = workspace.output_rows(
            run_id,
            output=output,
            where=where,
            limit=limit or (MOST_SHOWN if format == "text" else None),
            engine=named,
            on_engine=lambda choice: progress.say(engine_label("read", choice)),
            on_session=progress.session,
            on_wait=progress.begin,
        )
        progress.say(f"output {found.seq} '{found.name}' of run {found.run.id}")
    names = choose_columns(found.found.columns, columns, system=system)
    about = {
        "run_id": found.run.id,
        "seq": found.seq,
        "output": found.name,
        "destination": found.destination,
    }
    print_table_rows(found.found, names, format, about)
    return Exit.DONE
