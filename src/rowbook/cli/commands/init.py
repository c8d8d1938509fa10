"""`rowbook init`: a workspace that works at once, to learn from and to start with."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Format, Quiet
from rowbook.cli.render.printing import print_json
from rowbook.errors import RowbookError
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import NewWorkspace

_ABOUT = {
    "README.md": "where to begin, step by step",
    "rowbook.yaml": "name and settings of the workspace",
    "projects": "the rules: what happens to the rows, step by step",
    "scenarios": "tests of the rules",
    "datasets": "tables with their columns and types",
    "datasources": "places that hold tables",
    "resolvers": "which place has the data of a period",
    "data": "data to work on",
    ".gitignore": "keeps out of git what runs make",
    ".rowbook-schema": "lets editors complete and check the YAML",
}
"""What is in a new workspace, for people, in the order to look at it."""


def init(
    directory: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="The folder to make; left out: the current one."),
    ] = None,
    template: Annotated[
        Literal["close", "minimal"],
        typer.Option(
            "--template", help="A month-end close that explains itself, or a small start."
        ),
    ] = "close",
    folder: Annotated[
        Path | None,
        typer.Option("-C", metavar="DIR", help="Where to be, if not in the current folder."),
    ] = None,
    quiet: Quiet = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Make a workspace that works at once, with data.

    It has a project, scenarios, and a README to follow.

    The folder must be empty, hidden files such as .git aside, or not exist. Either the whole
    workspace is made, or nothing.

    Examples:

      rowbook init acme_close

      rowbook init --template minimal
    """
    from rowbook.api import init_workspace

    if folder is not None and not folder.is_dir():
        hint = "name a folder that exists"
        raise RowbookError.of("USAGE_001", f"{folder} is not a folder", hint=hint)
    made = init_workspace((folder or Path()) / (directory or Path()), template)
    if format == "json":
        print_json(
            {
                "folder": str(made.folder),
                "name": made.name,
                "template": made.template,
                "files": list(made.files),
                "resumed": made.resumed,
            }
        )
    elif not quiet:
        sys.stdout.writelines(line + "\n" for line in _lines(made))
    return Exit.DONE


def _lines(made: NewWorkspace) -> Iterator[str]:
    way = os.path.relpath(made.folder)
    where = "here" if way == "." else f"in {way}"
    begun = "finished what an earlier init began: " if made.resumed else "made "
    yield f"{begun}workspace {made.name} {where}, {number(len(made.files), 'file')}"
    yield ""
    entries = {path.partition("/")[0]: "/" in path for path in made.files}
    for name, about in _ABOUT.items():
        if name in entries:
            yield f"  {name + '/' * entries[name]:<18}{about}"
    yield ""
    yield "what to do next:"
    yield ""
    if way != ".":
        yield f"  cd {shlex.quote(way)}"
    yield "  rowbook validate"
    yield f"  rowbook run {made.project} --period 2026-01"
    yield "  rowbook test"
