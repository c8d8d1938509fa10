"""`rowbook datasets`: the datasets in the store, and what made them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowbook.cli import completion
from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Columns,
    Debug,
    Folder,
    Format,
    Period,
    Quiet,
    RowEngine,
    RowFormat,
    RowLimit,
    Trust,
    Where,
)
from rowbook.cli.render.printing import (
    as_text,
    instant,
    print_json,
    print_lines,
    report_findings,
)
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.row_table import (
    MOST_SHOWN,
    choose_columns,
    engine_label,
    engine_words,
    print_table_rows,
)
from rowbook.cli.render.text_tables import print_table
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.api import DatasetDetails, DatasetVersion, Production, Run

_VERSION = TextColumn("version", numeric=True)
_LISTED = (
    TextColumn("name", long="cut"),
    _VERSION,
    TextColumn("status", spare=1),
    TextColumn("columns", numeric=True, spare=2),
    TextColumn("produced by", long="cut"),
)
_COLUMNS = (*map(TextColumn, ("column", "type", "nullable")), TextColumn("source", long="cut"))
_BY = TextColumn("by", long="cut")
_FROM = TextColumn("from", long="cut")
_VERSIONS = (_VERSION, TextColumn("status"), TextColumn("recorded (UTC)"), _BY, _FROM)
_PRODUCTIONS = (_VERSION, TextColumn("written (UTC)"), _BY, TextColumn("seq", numeric=True))


def list_(
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """List the datasets that were applied or registered by runs.

    Examples:

      rowbook datasets list
    """
    found = open_workspace(folder, trust=trust).datasets()
    if format == "json":
        print_json({"datasets": [_summary(each) for each in found]})
    elif not found:
        sys.stdout.write("no datasets in the store: `rowbook apply` records those in files\n")
    else:
        rows = [
            (
                each.definition.name,
                each.recorded.version,
                each.status,
                _column_count(each),
                _producer(each.produced_by) or f"a file, by {each.recorded.recorded_by}",
            )
            for each in found
        ]
        print_table(_LISTED, rows)
    return Exit.DONE


def show(
    dataset: Annotated[
        str,
        typer.Argument(
            metavar="NAME[@VERSION]",
            help="The dataset, by name or id.",
            autocompletion=completion.datasets,
        ),
    ],
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show a dataset: columns, versions, runs that wrote it.

    Examples:

      rowbook datasets show gl_entries

      rowbook datasets show gl_entries@2
    """
    details = open_workspace(folder, trust=trust).dataset(*_reference(dataset))
    if format == "json":
        print_json(_details(details))
    else:
        _print(details)
    return Exit.DONE


def read(
    dataset: Annotated[
        str,
        typer.Argument(
            metavar="NAME[@VERSION]",
            help="The dataset, by name or id.",
            autocompletion=completion.datasets,
        ),
    ],
    period: Period,
    where: Where = None,
    limit: RowLimit = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="The as-of date.")] = None,
    calendar: Annotated[str, typer.Option("--calendar", help="The period's.")] = "gregorian",
    columns: Columns = None,
    engine: RowEngine = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: RowFormat = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show the rows of a dataset, as a run would load them.

    They are found, read, checked and filtered as for a run of that period, by the files as they
    are. Csv, json and parquet files and workbooks are read without Spark, up to 100,000 rows.

    Examples:

      rowbook datasets read gl_entries --period 2026-01

      rowbook datasets read budget --period 2026-01 --where "amount < 0" --format csv
    """
    named, spark = engine_words(engine)
    workspace = open_workspace(folder, trust=trust, engine=spark, debug=debug)
    name, version = _reference(dataset)
    with Progress(quiet=quiet or format != "text") as progress:
        try:
            found = workspace.read_rows(
                name,
                period,
                where=where,
                limit=limit or (MOST_SHOWN if format == "text" else None),
                version=version,
                calendar=calendar,
                as_of=as_of,
                engine=named,
                on_engine=lambda choice: progress.say(engine_label("read", choice)),
                on_session=progress.session,
                on_wait=progress.begin,
            )
        except RowbookError as error:
            progress.done()
            return report_findings(error, workspace.root, format, {"columns": [], "rows": []})
    names = choose_columns(found.columns, columns, system=True)
    print_table_rows(found, names, format, {"dataset": name, "period": period})
    return Exit.DONE


COMMANDS: dict[str, Callable[..., int]] = {"list": list_, "show": show, "read": read}


def _reference(text: str) -> tuple[str, int | None]:
    name, at, version = text.partition("@")
    if at and not (version.isascii() and version.isdigit()):
        message = f"'{version}' is not a version"
        raise RowbookError.of("USAGE_001", message, hint="write NAME or NAME@2")
    return name, int(version) if at else None


def _column_count(each: DatasetVersion) -> int | str:
    other = each.definition.of
    return len(each.definition.main_table.columns) if other is None else f"of {other}"


def _producer(run: Run | None) -> str | None:
    return f"{run.project_name} {run.period}, run {run.id}" if run else None


def _print(details: DatasetDetails) -> None:
    columns = details.selected.definition.main_table.columns
    cells = [(c.name, c.type, "yes" if c.nullable else "no", c.source or "") for c in columns]
    versions = [
        (
            each.recorded.version,
            each.status,
            instant(each.recorded.recorded_at),
            each.recorded.recorded_by,
            _producer(each.produced_by) or "a file",
        )
        for each in details.versions
    ]
    productions = [
        (each.version, instant(each.recorded_at), _producer(details.runs[each.run_id]), each.seq)
        for each in details.productions
    ]
    print_lines(_head(details.selected))
    tables = (_COLUMNS, cells), (_VERSIONS, versions), (_PRODUCTIONS, productions)
    for headings, rows in tables:
        if not rows:
            continue
        sys.stdout.write("\n")
        print_table(headings, rows)


def _head(selected: DatasetVersion) -> Iterator[str]:
    definition, table_ = selected.definition, selected.definition.main_table
    yield f"dataset {definition.name} version {selected.recorded.version}  {selected.status}"
    if definition.description:
        yield definition.description
    yield f"  id            {selected.recorded.id}"
    if definition.of is not None:
        yield f"  of            {definition.of}"
        yield f"  periods       {definition.periods}"
        yield f"  missing       {definition.missing}"
        yield f"  require       {definition.require or 'nothing'}"
        return
    yield f"  table         {table_.name}"
    by = f", by {table_.period_from}" if table_.period_from else ""
    yield f"  temporal mode {table_.temporal_mode or 'snapshot'}{by}"
    if (wide := table_.unpivot) is not None:
        yield f"  unpivot       {', '.join(wide.columns)} as {wide.name} and {wide.value}"
    yield f"  natural key   {', '.join(definition.natural_key_columns) or 'none'}"
    yield f"  resolver      {definition.resolver_id or 'the default'}"
    for lookup in definition.lookups:
        pinned = f"@{lookup.dataset_version}" if lookup.dataset_version else ""
        yield f"  lookup        {lookup.alias}: {lookup.dataset_id}{pinned} on {lookup.on}"


def _summary(each: DatasetVersion) -> dict[str, Any]:
    return {
        "name": each.definition.name,
        "id": each.recorded.id,
        "version": each.recorded.version,
        "status": each.status,
        "columns": len(each.definition.main_table.columns),
        "produced_by": each.recorded.produced_by,
    }


def _details(details: DatasetDetails) -> dict[str, Any]:
    selected, definition = details.selected, details.selected.definition
    return {
        **_summary(selected),
        "columns": [
            {"name": c.name, "type": c.type, "nullable": c.nullable, "source": c.source}
            for c in definition.main_table.columns
        ],
        **_view(selected),
        "table": definition.main_table.name,
        "temporal_mode": definition.main_table.temporal_mode,
        "natural_key_columns": list(definition.natural_key_columns),
        "resolver": definition.resolver_id,
        "lookups": [
            {"alias": each.alias, "dataset": each.dataset_id, "on": each.on}
            for each in definition.lookups
        ],
        "versions": [
            {
                "version": each.recorded.version,
                "status": each.status,
                "recorded_at": as_text(each.recorded.recorded_at),
                "recorded_by": each.recorded.recorded_by,
                "produced_by": each.recorded.produced_by,
            }
            for each in details.versions
        ],
        "productions": [_production(each, details) for each in details.productions],
    }


def _view(selected: DatasetVersion) -> dict[str, Any]:
    """Of a dataset that reads another one."""
    definition = selected.definition
    if definition.of is None:
        return {}
    periods = definition.model_dump(include={"periods"}, exclude_none=True)
    return {
        "of": definition.of,
        **periods,
        "missing": definition.missing,
        "require": definition.require,
    }


def _production(each: Production, details: DatasetDetails) -> dict[str, Any]:
    run = details.runs[each.run_id]
    return {
        "version": each.version,
        "run_id": each.run_id,
        "project": run.project_name,
        "period": run.period,
        "seq": each.seq,
        "recorded_at": as_text(each.recorded_at),
    }
