"""`rowbook validate`: every error of every definition, without Spark."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Trust
from rowbook.cli.render.diagnostics import as_json, print_findings
from rowbook.cli.render.printing import note_json, note_lines, path_from_here, print_json
from rowbook.cli.workspace_option import find_paths, open_workspace
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import Validation


def validate(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Files or folders whose findings to show; a workspace folder checks that one.",
        ),
    ] = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Check every definition of a workspace; no Spark, no data.

    A note says where the files of an active project are not the version that runs.

    Examples:

      rowbook validate

      rowbook validate projects/close.yaml

      rowbook validate -C finance --format json
    """
    root, parts = find_paths(paths or [], folder)
    found = open_workspace(root, trust=trust).validate(*parts)
    if format == "json":
        both = {"errors": found.errors, "warnings": found.warnings}
        listed = {k: [as_json(d) for d in v] for k, v in both.items()}
        print_json({"ok": found.ok, **listed, "notes": list(map(note_json, found.notes))})
    else:
        print_findings(found.findings, path_from_here(root), sys.stdout)
        for note in found.notes:
            sys.stdout.writelines(f"{line}\n" for line in note_lines(note))
        sys.stdout.write(_summary(found) + "\n")
    return Exit.DONE if found.ok else Exit.FINDINGS


def _summary(found: Validation) -> str:
    read = ", ".join(number(count, kind) for kind, count in found.definitions.items() if count)
    verdict = f"{number(len(found.errors), 'error')}, {number(len(found.warnings), 'warning')}"
    return f"{verdict}  ({read or 'nothing defined'})"
