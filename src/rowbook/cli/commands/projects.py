"""`rowbook projects`, `activate` and `deactivate`: what became of projects that were activated."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Project, Reason, Trust
from rowbook.cli.render.diagnostics import print_findings
from rowbook.cli.render.printing import path_from_here, print_json, report_findings
from rowbook.cli.render.status_changes import CHANGE, change_cells, change_json
from rowbook.cli.render.text_tables import print_table
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.api import ActivationResult

_CHANGES = (TextColumn("version", numeric=True), *CHANGE)


def activate(
    project: Project,
    keep_pin: Annotated[
        bool,
        typer.Option("--keep-pin", help="Stay on the dataset versions that were active before."),
    ] = False,
    folder: Folder = None,
    trust: Trust = False,
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
    workspace = open_workspace(folder, trust=trust)
    try:
        result = workspace.activate(project, keep_pin=keep_pin)
    except RowbookError as error:
        nothing = {"project": project, "version": None, "status": None}
        return report_findings(error, workspace.root, format, nothing)
    print_findings(result.warnings, path_from_here(workspace.root), sys.stderr)
    version = result.version
    if format == "json":
        print_json({"project": version.name, "version": version.version, "status": "active"})
        return Exit.DONE
    sys.stdout.write(f"project {version.name} {_outcome(result)}\n")
    for name, pinned in sorted(result.datasets.items()):
        sys.stdout.write(f"  dataset {name}  version {pinned}\n")
    return Exit.DONE


def deactivate(
    project: Project,
    reason: Reason = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Stop a project from running until activated again.

    Its file still runs as a draft.

    Examples:

      rowbook deactivate monthly_close --reason "replaced by quarterly_close"
    """
    result = open_workspace(folder, trust=trust).deactivate(project, reason=reason)
    found = result.project
    if format == "json":
        print_json({"project": found.name, "version": found.version, "status": found.status})
    else:
        already = "" if result.was_running else " already"
        sys.stdout.write(f"project {found.name} version {found.version} is inactive{already}\n")
    return Exit.DONE


def _outcome(result: ActivationResult) -> str:
    if result.is_new:
        return f"version {result.version.version} is active"
    if result.before == "active":
        return f"version {result.version.version} is active already: nothing changed"
    return f"version {result.version.version} is active again"


def history(
    project: Project,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show when a project became active, inactive or in conflict.

    And who or what made it so.

    Examples:

      rowbook projects history monthly_close
    """
    changes = open_workspace(folder, trust=trust).project_history(project)
    if format == "json":
        listed = [
            {"version": each.version, **change_json(each), "report": each.report}
            for each in changes
        ]
        print_json({"project": project, "changes": listed})
    else:
        print_table(_CHANGES, [[each.version, *change_cells(each)] for each in changes])
    return Exit.DONE


COMMANDS = {"history": history}
