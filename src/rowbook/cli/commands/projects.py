"""`rowbook projects`: what became of projects that were activated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Project
from rowbook.cli.render.printing import as_text, instant, print_json
from rowbook.cli.render.text_tables import print_table
from rowbook.cli.workspace_option import open_workspace
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.api import ProjectChange

_CHANGES = (
    TextColumn("version", numeric=True),
    TextColumn("status"),
    TextColumn("when (UTC)"),
    TextColumn("by", long="cut"),
    TextColumn("reason", long="wrapped"),
)


def history(
    project: Project,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show when a project became active, inactive or in conflict.

    And who or what made it so.

    Examples:

      rowbook projects history monthly_close
    """
    changes = open_workspace(folder).project_history(project)
    if format == "json":
        print_json({"project": project, "changes": [_as_json(each) for each in changes]})
    else:
        print_table(_CHANGES, [_cells(each) for each in changes])
    return Exit.DONE


COMMANDS = {"history": history}


def _cells(change: ProjectChange) -> list[Any]:
    when = instant(change.changed_at)
    return [change.version, change.status, when, change.changed_by, change.reason or ""]


def _as_json(change: ProjectChange) -> dict[str, Any]:
    return {
        "version": change.version,
        "status": change.status,
        "changed_at": as_text(change.changed_at),
        "changed_by": change.changed_by,
        "reason": change.reason,
        "report": change.report,
    }
