"""`rowbook preview`: the rows at a step, nothing written."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Debug,
    Folder,
    Format,
    Period,
    Project,
    Quiet,
    Trust,
)
from rowbook.cli.render.printing import print_json, report_findings
from rowbook.cli.render.progress import Progress
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError, suggestion
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import EngineChoice, EngineName


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
    columns: Annotated[
        str | None,
        typer.Option("--columns", metavar="COLUMN,COLUMN…", help="Only these, in this order."),
    ] = None,
    system: Annotated[bool, typer.Option("--system", help="Show the system columns too.")] = False,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            metavar="ENGINE",
            help="reference, spark for the workspace's Spark, or a Spark master or sc:// endpoint;"
            " left out: reference for a small input.",
        ),
    ] = None,
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
    named: EngineName | None = "reference" if engine == "reference" else "spark" if engine else None
    spark = None if engine in ("reference", "spark") else engine
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
                engine=named,
                on_engine=lambda choice: progress.say(_chosen(choice)),
                on_session=progress.session,
                on_step=progress.step,
                on_wait=progress.begin,
            )
        except RowbookError as error:
            progress.done()
            return report_findings(error, workspace.root, format, {"columns": [], "rows": []})
    names = _columns(found.columns, columns, system=system)
    if format == "json":
        rows = [{name: _plain(row[name]) for name in names} for row in found.rows]
        print_json({"engine": found.engine, "columns": names, "rows": rows})
    else:
        _print(names, found.rows)
    return Exit.DONE


def _chosen(choice: EngineChoice) -> str:
    engine = "the reference engine" if choice.engine == "reference" else "Spark"
    return f"computed by {engine}: {choice.reason}"


def _columns(known: Sequence[str], columns: str | None, *, system: bool) -> list[str]:
    """The columns to show; `--columns` may name those of the system."""
    from rowbook.api import is_listed

    if columns is None:
        return [name for name in known if system or is_listed(name)]
    names = [name.strip() for name in columns.split(",")]
    for name in names:
        if name not in known:
            hint = suggestion(name, known, "columns")
            raise RowbookError.of("USAGE_001", f"there is no column '{name}'", hint=hint)
    return list(dict.fromkeys(names))


def _plain(value: Any) -> Any:
    """JSON has neither decimals nor dates: they are text, exactly."""
    from rowbook.text.table_layout import format_table_value

    if value is None or isinstance(value, bool | int | float | str):
        return value
    return format_table_value(value).replace(",", "")


def _print(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    from decimal import Decimal

    from rowbook.cli.render.text_tables import page, print_table
    from rowbook.text.table_layout import TextColumn

    columns = [
        TextColumn(
            name,
            numeric=any(isinstance(row[name], int | float | Decimal) for row in rows),
            spare=place,
            long="cut",
        )
        for place, name in enumerate(names)
    ]
    left_out = print_table(columns, [[row[name] for name in names] for row in rows])
    sys.stdout.write(f"{number(len(rows), 'row')}\n")
    if left_out:
        listed = ", ".join(column.heading for column in left_out)
        said = f"no room for {number(len(left_out), 'column')}: {listed}; --columns chooses"
        page(sys.stdout).print(said, markup=False)
