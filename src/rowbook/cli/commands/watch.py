"""`rowbook watch`: at every save, what it changes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli import completion
from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Debug,
    Folder,
    Format,
    PeriodOrNone,
    Settings,
    Trust,
    read_settings,
)
from rowbook.cli.render.printing import path_from_here
from rowbook.cli.workspace_option import open_workspace

if TYPE_CHECKING:
    from rowbook.api import WatchEvent


def watch(
    project: Annotated[
        str | None,
        typer.Argument(
            help="A project whose rows to follow, by name or id.",
            autocompletion=completion.projects,
        ),
    ] = None,
    period: PeriodOrNone = None,
    settings: Settings = None,
    once: Annotated[bool, typer.Option("--once", help="End after the first round.")] = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Check definitions and run scenarios at every save.

    The first round runs all scenarios; each save then runs those that it touches. With a project
    and a period it also shows what the save does to rows: those of the first operation that was
    changed, before and after, where the input is small. Nothing is written. Ctrl-C ends it.

    Examples:

      rowbook watch

      rowbook watch monthly_close --period 2026-01

      rowbook watch --once --format json
    """
    from rowbook.cli.render.watch_events import event_json, event_lines

    parameters = read_settings(settings)
    workspace = open_workspace(folder, trust=trust, debug=debug)
    way = path_from_here(workspace.root)
    ok = True
    for event in workspace.watch(project, period, parameters=parameters, once=once):
        lines = [event_json(event)] if format == "json" else event_lines(event, way, once=once)
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
        ok = _is_ok(event, ok)
    return Exit.DONE if ok else Exit.FINDINGS


def _is_ok(event: WatchEvent, before: bool) -> bool:
    """How the last round ended."""
    from rowbook.api import RoundEnd

    return event.ok if isinstance(event, RoundEnd) else before
