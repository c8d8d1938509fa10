"""Options that every command takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

Folder: TypeAlias = Annotated[
    Path | None,
    typer.Option("-C", metavar="DIR", help="The workspace, if not the current folder or above."),
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
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Reason: TypeAlias = Annotated[
    str | None, typer.Option("--reason", metavar="TEXT", help="Why; it is recorded.")
]
