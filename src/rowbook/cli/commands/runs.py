"""`rowbook runs`: what ran, and going on with what failed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli import completion
from rowbook.cli.option_types import (
    Debug,
    EngineOption,
    Folder,
    Format,
    Quiet,
    Reason,
    ReopenClosed,
    RunId,
    Trust,
    Waive,
)
from rowbook.cli.render.printing import print_json, print_lines
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.repetition import exit_of_repetition, print_verdicts, repetition_json
from rowbook.cli.render.run_record import details_json, print_details, print_runs, run_json
from rowbook.cli.render.run_result import exit_of, print_result, result_json
from rowbook.cli.workspace_option import open_workspace

if TYPE_CHECKING:
    from rowbook.api import RunResult

Comment = Annotated[
    str | None, typer.Option("--comment", metavar="TEXT", help="Why; recorded with your name.")
]


def list_runs(
    project: Annotated[
        str | None,
        typer.Option(
            "--project", help="Only runs of this project.", autocompletion=completion.projects
        ),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option("--period", help="Only of this period.", autocompletion=completion.periods),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, newest first.")] = 20,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """List runs, newest first.

    Examples:

      rowbook runs list

      rowbook runs list --project monthly_close --period 2026-01 --format json
    """
    found = open_workspace(folder, trust=trust).runs(project=project, period=period, limit=limit)
    if format == "json":
        print_json({"runs": [run_json(each) for each in found]})
    elif found:
        print_runs(found)
    else:
        print_lines(["no runs yet"])
    return 0


def show(
    run_id: RunId,
    snapshot: Annotated[
        bool, typer.Option("--snapshot", help="The snapshot, as JSON: all that decided the run.")
    ] = False,
    definitions: Annotated[
        bool,
        typer.Option("--definitions", help="The project and what it used, as definition files."),
    ] = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show a run: steps, outputs, warnings, the error.

    Examples:

      rowbook runs show 0199c0

      rowbook runs show 0199c0 --definitions
    """
    workspace = open_workspace(folder, trust=trust)
    if snapshot:
        print_json(workspace.snapshot(run_id) or {})
    elif definitions:
        sys.stdout.write(workspace.definitions(run_id))
    elif format == "json":
        print_json(details_json(workspace.show(run_id)))
    else:
        print_details(workspace.show(run_id))
    return 0


def report(
    run_id: RunId,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.html", help="Where the page goes.")
    ],
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Write a page about a run, from its record.

    Amounts and sample rows are taken while a run runs, with `rowbook run --report`.

    Examples:

      rowbook runs report 0199c0 -o close.html
    """
    found = open_workspace(folder, trust=trust).report(run_id, output)
    if format == "json":
        print_json({"run_id": found, "report": str(output)})
    else:
        sys.stdout.write(f"wrote {output}\n")
    return 0


def cancel(
    run_id: RunId,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Ask a run to end.

    A run that is being run sees it at its next heartbeat, within seconds; what it had not published
    stays unpublished.

    Examples:

      rowbook runs cancel 0199c0
    """
    run = open_workspace(folder, trust=trust).cancel(run_id)
    if format == "json":
        print_json(run_json(run))
    else:
        said = "was cancelled" if run.status == "cancelled" else "was asked to end"
        sys.stdout.write(f"run {run.id} {said}\n")
    return 0


def resume(
    run_id: RunId,
    accept_changed_input: Annotated[
        bool,
        typer.Option(
            "--accept-changed-input", help="Go on although its input was changed; recorded."
        ),
    ] = False,
    waive: Waive = None,
    reason: Reason = None,
    reopen_closed: ReopenClosed = None,
    engine: EngineOption = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Go on with a failed run.

    It has the same snapshot, the same clock, the same row ids. Outputs that it finished are not
    written again. Where expectations stopped it, --waive lets it publish, for a reason that is
    recorded.

    Examples:

      rowbook runs resume 0199c0

      rowbook runs resume 0199c0 --waive "it balances" --reason "known"
    """
    workspace = open_workspace(folder, trust=trust, engine=engine, debug=debug)
    with Progress(quiet=quiet or format == "json") as progress:
        progress.say(f"resuming run {run_id}")
        result = workspace.resume(
            run_id,
            accept_changed_input=accept_changed_input,
            reopen_closed=reopen_closed,
            on_step=progress.step,
            on_session=progress.session,
            on_wait=progress.begin,
            waive=waive or (),
            reason=reason,
        )
    return _print_end(result, format, quiet=quiet)


def approve(
    run_id: RunId,
    comment: Comment = None,
    reopen_closed: ReopenClosed = None,
    engine: EngineOption = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Publish what a run computed that waits for approval.

    Exactly the rows that it staged, if what it read and where it writes are as they were; else it
    is refused with what changed. Who started a run may not approve it, unless the workspace says
    `self_approval: true`.

    Examples:

      rowbook runs approve 0199c0 --comment "agrees with the trial balance"
    """
    workspace = open_workspace(folder, trust=trust, engine=engine, debug=debug)
    with Progress(quiet=quiet or format == "json") as progress:
        result = workspace.approve(
            run_id,
            comment=comment,
            reopen_closed=reopen_closed,
            on_session=progress.session,
            on_wait=progress.begin,
        )
    return _print_end(result, format, quiet=quiet)


def reject(
    run_id: RunId,
    comment: Comment = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """End a run that waits for approval; nothing of it is published.

    Examples:

      rowbook runs reject 0199c0 --comment "rates of last month"
    """
    run = open_workspace(folder, trust=trust).reject(run_id, comment=comment)
    if format == "json":
        print_json(run_json(run))
    else:
        sys.stdout.write(f"run {run.id} was rejected\n")
    return 0


def repeat(
    run_id: RunId,
    engine: EngineOption = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Run again what a run ran, as a draft.

    Outputs go into the sandbox. The definitions are those of the snapshot, whatever became of the
    files, and so are period and clock: with the same data, the same rows and row ids come out. That
    is how a figure is proved: inputs and outputs are compared with those of the run, and where one
    is different, it exits with 1.

    Examples:

      rowbook runs repeat 0199c0
    """
    workspace = open_workspace(folder, trust=trust, engine=engine, debug=debug)
    with Progress(quiet=quiet or format == "json") as progress:
        progress.say(f"repeating run {run_id}")
        result = workspace.repeat(run_id, on_step=progress.step, on_session=progress.session)
    if format == "json":
        print_json(repetition_json(result))
    else:
        print_result(result, quiet=quiet)
        print_verdicts(result)
    return exit_of_repetition(result)


def _print_end(result: RunResult, form: str, *, quiet: bool) -> int:
    """How a run ended that somebody went on with; gives the exit code."""
    if form == "json":
        print_json(result_json(result))
    else:
        print_result(result, quiet=quiet)
    return exit_of(result)


COMMANDS: dict[str, Callable[..., int]] = {
    "list": list_runs,
    "show": show,
    "report": report,
    "resume": resume,
    "approve": approve,
    "reject": reject,
    "repeat": repeat,
    "cancel": cancel,
}
