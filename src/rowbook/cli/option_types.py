"""Options and arguments that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from rowbook.cli import completion
from rowbook.errors import RowbookError

Folder: TypeAlias = Annotated[
    Path | None,
    typer.Option("-C", metavar="DIR", help="The workspace, if not the current folder or above."),
]
Trust: TypeAlias = Annotated[
    bool, typer.Option("--trust", help="Use all settings of the workspace, this once.")
]
Format: TypeAlias = Annotated[
    Literal["text", "json"], typer.Option("--format", help="Output for people or for programs.")
]
Debug: TypeAlias = Annotated[
    bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")
]
EngineOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="A Spark master or sc:// endpoint, instead of the workspace's.",
    ),
]
Project: TypeAlias = Annotated[
    str, typer.Argument(help="The project, by name or id.", autocompletion=completion.projects)
]
ProjectOrNone: TypeAlias = Annotated[
    str | None,
    typer.Argument(help="The project, by name or id.", autocompletion=completion.projects),
]
Period: TypeAlias = Annotated[
    str,
    typer.Option(
        "--period", help="The run's period, such as 2026-01.", autocompletion=completion.periods
    ),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A value for a parameter of the project; repeatable."
    ),
]
PeriodOrNone: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--period", help="The period, such as 2026-01.", autocompletion=completion.periods
    ),
]
RunId: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The run's id, how it begins, or latest.", autocompletion=completion.runs
    ),
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print results and errors only.")
]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Reason: TypeAlias = Annotated[
    str | None, typer.Option("--reason", metavar="TEXT", help="Why; it is recorded.")
]
Waive: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--waive",
        metavar="NAME",
        help="An expectation that shall not stop the run, with --reason; repeatable.",
    ),
]
JUnit: TypeAlias = Annotated[
    Path | None,
    typer.Option("--junit", metavar="FILE", help="Also write the expectations as JUnit XML."),
]
AcceptChangedInput: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--accept-changed-input", help="Answer for the data as it is now, where it was changed."
    ),
]
ProofPage: TypeAlias = Annotated[
    Path | None, typer.Option("-o", metavar="FILE.html", help="Write a page instead of lines.")
]
ReopenClosed: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--reopen-closed", metavar="REASON", help="Why a closed period is written to; recorded."
    ),
]
RowFormat: TypeAlias = Annotated[
    Literal["text", "json", "csv"],
    typer.Option("--format", help="A table for people, or rows for programs."),
]
RowEngine: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="reference, spark for the workspace's Spark, or a Spark master or sc:// endpoint;"
        " left out: reference for a small input.",
    ),
]
Columns: TypeAlias = Annotated[
    str | None,
    typer.Option("--columns", metavar="COLUMN,COLUMN…", help="Only these, in this order."),
]
System: TypeAlias = Annotated[bool, typer.Option("--system", help="Show the system columns too.")]
Where: TypeAlias = Annotated[
    str | None,
    typer.Option("--where", metavar="CONDITION", help="Only rows for which this is true."),
]
RowLimit: TypeAlias = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="At most so many rows; else 20 as a table, or all."),
]


def read_settings(texts: list[str] | None) -> dict[str, str]:
    """The values of --set, by parameter."""
    found: dict[str, str] = {}
    for text in texts or ():
        name, separator, value = text.partition("=")
        if not name or not separator:
            message = f"--set '{text}' is not NAME=VALUE, such as threshold=6000"
            raise RowbookError.of("USAGE_001", message)
        if name in found:
            raise RowbookError.of("USAGE_001", f"--set gives parameter '{name}' two values")
        found[name] = value
    return found
