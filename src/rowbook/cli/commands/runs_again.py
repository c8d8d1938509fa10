"""`rowbook runs resume` and `rowbook runs repeat`: what ran once runs again, from its snapshot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from rowbook.cli.option_types import Debug, EngineOption, Folder, Format, Quiet, ReopenClosed, RunId
from rowbook.cli.render.printing import print_json
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.run_result import exit_of, print_result, result_json
from rowbook.cli.workspace_store import find_run, opened

if TYPE_CHECKING:
    from rowbook.runs.execute.result import RunResult
    from rowbook.runs.execute.run import RunOptions
    from rowbook.store import Store

    _GoOn: TypeAlias = Callable[[Path, Store, str, RunOptions], RunResult]


def resume(
    run_id: RunId,
    accept_changed_input: Annotated[
        bool,
        typer.Option(
            "--accept-changed-input", help="Go on although its input was changed; recorded."
        ),
    ] = False,
    reopen_closed: ReopenClosed = None,
    engine: EngineOption = None,
    quiet: Quiet = False,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Go on with a failed run.

    It has the same snapshot, the same clock, the same row ids. Outputs that it finished are not
    written again.

    Examples:

      rowbook runs resume 0199c0
    """

    def go_on(root: Path, store: Store, found: str, manner: RunOptions) -> RunResult:
        from rowbook.runs.execute.run import resume_run

        return resume_run(root, store, found, manner, accept_changed_input=accept_changed_input)

    asked = _Asked(run_id, folder, engine, reopen_closed, format, quiet, debug)
    return _again(asked, "resuming", go_on)


def repeat(
    run_id: RunId,
    engine: EngineOption = None,
    quiet: Quiet = False,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Run again what a run ran, as a draft.

    Outputs go into the sandbox. The definitions are those of the snapshot, whatever became of the
    files, and so are period and clock: with the same data, the same rows and row ids come out. That
    is how a figure is proved.

    Examples:

      rowbook runs repeat 0199c0
    """

    def go_on(root: Path, store: Store, found: str, manner: RunOptions) -> RunResult:
        from rowbook.runs.execute.run import repeat_run

        return repeat_run(root, store, found, manner)

    return _again(_Asked(run_id, folder, engine, None, format, quiet, debug), "repeating", go_on)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What both commands take."""

    run_id: str
    folder: Path | None
    engine: str | None
    reopened: str | None
    form: str
    quiet: bool
    debug: bool


def _again(asked: _Asked, doing: str, go_on: _GoOn) -> int:
    with Progress(quiet=asked.quiet or asked.form == "json") as progress:
        progress.say(f"{doing} run {asked.run_id}")
        from rowbook.runs.execute.run import RunOptions

        with opened(asked.folder) as (root, store):
            found = find_run(store, asked.run_id)
            progress.begin("starting Spark")
            manner = RunOptions(asked.engine, asked.debug, progress.step, asked.reopened)
            result = go_on(root, store, found, manner)
    if asked.form == "json":
        print_json(result_json(result))
    else:
        print_result(result, quiet=asked.quiet)
    return exit_of(result)
