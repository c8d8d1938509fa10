"""`rowbook deactivate`: stops a project from running."""

from __future__ import annotations

import sys
from pathlib import Path

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Project, Reason
from rowbook.cli.render.printing import print_json
from rowbook.definitions.workspace_root import find_workspace
from rowbook.runs.prepare.lease_clock import at_present


def deactivate(
    project: Project,
    reason: Reason = None,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Stop a project from running until activated again.

    Its file still runs as a draft.

    Examples:

      rowbook deactivate monthly_close --reason "replaced by quarterly_close"
    """
    from rowbook.runs.versions.activation import deactivate as deactivate_project
    from rowbook.store import this_process

    root = find_workspace(folder or Path())
    by, at = this_process().user, at_present()
    found, was_running = deactivate_project(root, project, by=by, at=at, reason=reason)
    if format == "json":
        print_json({"project": found.name, "version": found.version, "status": found.status})
    else:
        already = "" if was_running else " already"
        sys.stdout.write(f"project {found.name} version {found.version} is inactive{already}\n")
    return Exit.DONE
