"""`rowbook projects`: what became of projects that were activated."""

from __future__ import annotations

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Project, Trust
from rowbook.cli.render.printing import print_json
from rowbook.cli.render.status_changes import CHANGE, change_cells, change_json
from rowbook.cli.render.text_tables import print_table
from rowbook.cli.workspace_option import open_workspace
from rowbook.text.table_layout import TextColumn

_CHANGES = (TextColumn("version", numeric=True), *CHANGE)


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
