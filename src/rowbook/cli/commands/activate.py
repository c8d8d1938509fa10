"""`rowbook activate`: a project's file becomes the version that runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Project
from rowbook.cli.render.diagnostics import print_findings
from rowbook.cli.render.printing import print_json, report_findings, shown_from
from rowbook.definitions.workspace_root import find_workspace
from rowbook.errors import RowbookError
from rowbook.runs.prepare.lease_clock import at_present

if TYPE_CHECKING:
    from rowbook.runs.versions.activation import ActivationResult


def activate(
    project: Project,
    keep_pin: Annotated[
        bool,
        typer.Option("--keep-pin", help="Stay on the dataset versions that were active before."),
    ] = False,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Make a project's file the version that runs.

    It is checked fully, and pins the versions of its datasets. Later changes of the file are a
    draft until the next activation. A project that is in conflict adopts the new versions of its
    datasets, or stays on the old ones with --keep-pin.

    Examples:

      rowbook activate monthly_close

      rowbook activate monthly_close --keep-pin
    """
    from rowbook.runs.versions.activation import activate as activate_project
    from rowbook.store import this_process

    root = find_workspace(folder or Path())
    by, at = this_process().user, at_present()
    try:
        result = activate_project(root, project, keep_pin=keep_pin, by=by, at=at)
    except RowbookError as error:
        nothing = {"project": project, "version": None, "status": None}
        return report_findings(error, root, format, nothing)
    print_findings(result.warnings, shown_from(root), sys.stderr)
    version = result.version
    if format == "json":
        print_json({"project": version.name, "version": version.version, "status": "active"})
        return Exit.DONE
    sys.stdout.write(f"project {version.name} {_outcome(result)}\n")
    for name, pinned in sorted(result.datasets.items()):
        sys.stdout.write(f"  dataset {name}  version {pinned}\n")
    return Exit.DONE


def _outcome(result: ActivationResult) -> str:
    if result.is_new:
        return f"version {result.version.version} is active"
    if result.before == "active":
        return f"version {result.version.version} is active already: nothing changed"
    return f"version {result.version.version} is active again"
