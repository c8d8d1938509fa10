"""`rowbook runs`: what ran, how it went, and going on with what failed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowbook.cli.options import Debug, EngineOption, Folder, Format
from rowbook.cli.output import as_text, instant, print_json
from rowbook.cli.progress import Progress
from rowbook.cli.run_output import exit_of, print_ledger, print_outputs, print_result, result_json
from rowbook.definitions.folder import find_workspace

if TYPE_CHECKING:
    from rowbook.catalog import Run, RunRecord, Store

RunId = Annotated[str, typer.Argument(metavar="ID", help="The run's id, or how it begins.")]
_SHORTEST = 4
_LISTED = (
    ("run", False),
    ("project", False),
    ("version", False),
    ("period", False),
    ("status", False),
    ("started", False),
    ("took", True),
)


def list_runs(
    project: Annotated[
        str | None, typer.Option("--project", help="Only runs of this project.")
    ] = None,
    period: Annotated[str | None, typer.Option("--period", help="Only of this period.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, newest first.")] = 20,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """List runs, newest first.

    Examples:

      rowbook runs list

      rowbook runs list --project monthly_close --period 2026-01 --format json
    """
    with _opened(folder) as (_, store):
        found = store.runs.newest(project=project, period=period, limit=limit)
    if format == "json":
        print_json({"runs": [_run_json(each) for each in found]})
        return 0
    from rowbook.cli.tables import console, table

    if found:
        console().print(table(_LISTED, [_row(each) for each in found]))
    else:
        console().print("no runs yet", markup=False)
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
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show a run: steps with counts, outputs, timings, warnings, and the error.

    Examples:

      rowbook runs show 0199c0

      rowbook runs show 0199c0 --definitions
    """
    with _opened(folder) as (_, store):
        record = store.runs.record(_find(store, run_id))
        taken = store.runs.snapshot(record.run.id)
    if snapshot:
        print_json(taken or {})
    elif definitions:
        from rowbook.runs.snapshot import definitions_text

        sys.stdout.write(definitions_text(taken) if taken else "")
    elif format == "json":
        print_json(_record_json(record))
    else:
        _print_record(record)
    return 0


def cancel(
    run_id: RunId,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Ask a run to end.

    A run that is being run sees it at its next heartbeat, within seconds; what it had not published
    stays unpublished.

    Examples:

      rowbook runs cancel 0199c0
    """
    from rowbook.catalog import this_process
    from rowbook.runs.times import at_present

    with _opened(folder) as (_, store):
        found = _find(store, run_id)
        asked = store.runs.request_cancel(found, by=this_process().user, at=at_present())
    if format == "json":
        print_json(_run_json(asked))
    else:
        said = "was cancelled" if asked.status == "cancelled" else "was asked to end"
        sys.stdout.write(f"run {asked.id} {said}\n")
    return 0


def resume(
    run_id: RunId,
    accept_changed_input: Annotated[
        bool,
        typer.Option(
            "--accept-changed-input", help="Go on although its input was changed; recorded."
        ),
    ] = False,
    reopen_closed: Annotated[
        str | None,
        typer.Option(
            "--reopen-closed", metavar="REASON", help="Why a closed period is written to; recorded."
        ),
    ] = None,
    engine: EngineOption = None,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Go on with a failed run: same snapshot, same clock, same row ids.

    Outputs that it finished are not written again.

    Examples:

      rowbook runs resume 0199c0
    """
    from rowbook.runs.life import Manner, resume_run

    def go_on(root: Path, store: Store, found: str, manner: Manner) -> Any:
        return resume_run(root, store, found, manner, accept_changed_input=accept_changed_input)

    return _again(run_id, "resuming", go_on, folder, format, debug, engine, reopen_closed)


def repeat(
    run_id: RunId,
    engine: EngineOption = None,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Run again what a run ran, from its snapshot: as a draft, into the sandbox.

    The definitions are those of the snapshot, whatever became of the files, and so are period and
    clock: with the same data, the same rows and row ids come out. That is how a figure is proved.

    Examples:

      rowbook runs repeat 0199c0
    """
    from rowbook.runs.life import repeat_run

    return _again(run_id, "repeating", repeat_run, folder, format, debug, engine, None)


def _again(
    run_id: str,
    doing: str,
    go_on: Callable[..., Any],
    folder: Path | None,
    form: str,
    debug: bool,
    engine: str | None,
    reopened: str | None,
) -> int:
    from rowbook.runs.life import Manner

    progress = Progress(quiet=form == "json")
    progress.say(f"{doing} run {run_id}")
    with _opened(folder) as (root, store):
        manner = Manner(engine, debug, progress.step, reopened)
        result = go_on(root, store, _find(store, run_id), manner)
    if form == "json":
        print_json(result_json(result))
    else:
        print_result(result)
    return exit_of(result)


@contextmanager
def _opened(folder: Path | None) -> Iterator[tuple[Path, Store]]:
    """The workspace and its store, in which dead runs have been seen to."""
    from rowbook.definitions.folder import read_workspace
    from rowbook.runs.recovering import recover_dead_runs
    from rowbook.runs.stores import open_workspace_store

    root = find_workspace(folder or Path())
    with open_workspace_store(read_workspace(root)) as store:
        recover_dead_runs(store, root)
        yield root, store


def _find(store: Store, begins: str) -> str:
    """The id of the run that an id, or the beginning of one, means; else the text as it is."""
    found = [each.id for each in store.runs.newest() if each.id.startswith(begins)]
    return found[0] if len(found) == 1 and len(begins) >= _SHORTEST else begins


def _row(run: Run) -> tuple[Any, ...]:
    took = _seconds(run)
    version = "draft" if run.draft else f"{run.project_version}"
    shown = f"{took:.1f} s" if took is not None else ""
    return run.id, run.project_name, version, run.period, run.status, instant(run.started_at), shown


def _seconds(run: Run) -> float | None:
    if run.started_at is None or run.finished_at is None:
        return None
    return (run.finished_at - run.started_at).total_seconds()


def _run_json(run: Run) -> dict[str, Any]:
    return {
        "run_id": run.id,
        "project": run.project_name,
        "version": run.project_version,
        "draft": run.draft,
        "period": run.period,
        "status": run.status,
        "started_at": as_text(run.started_at),
        "finished_at": as_text(run.finished_at),
    }


def _record_json(record: RunRecord) -> dict[str, Any]:
    run = record.run
    return {
        **_run_json(run),
        "as_of": run.as_of,
        "clock": as_text(run.clock),
        "trigger": run.trigger,
        "engine": run.engine,
        "requested_by": run.requested_by,
        "reopened": run.reopened,
        "operations": [each.entry for each in record.steps],
        "outputs": [each.output for each in record.outputs],
        "warnings": [each.warning for each in record.warnings],
        "resumptions": [
            {
                "number": each.number,
                "resumed_at": as_text(each.resumed_at),
                "resumed_by": each.resumed_by,
                "from_seq": each.from_seq,
                "accepted_input": each.accepted_input,
                "failure": each.failure,
            }
            for each in record.resumptions
        ],
        "error": run.failure,
    }


def _print_record(record: RunRecord) -> None:
    from rowbook.cli.tables import console

    run, out = record.run, console()
    version = "draft" if run.draft else f"version {run.project_version}"
    out.print(f"run {run.id}  {run.status}", markup=False)
    out.print(f"{run.project_name} ({version}) for {run.period}, as of {run.as_of}", markup=False)
    took = _seconds(run)
    times = f"started {instant(run.started_at)} UTC" if run.started_at else "never started"
    lasted = f", took {took:.1f} s" if took is not None else ""
    out.print(f"{times} by {run.requested_by} on {run.engine}{lasted}", markup=False)
    if run.reopened:
        out.print(f"wrote into a closed period: {run.reopened}", markup=False)
    for each in record.resumptions:
        before = (each.failure or {}).get("message", "")
        out.print(
            f"resumed {instant(each.resumed_at)} by {each.resumed_by} after {before}", markup=False
        )
    print_ledger([each.entry for each in record.steps])
    print_outputs([each.output for each in record.outputs])
    for warned in record.warnings:
        out.print(f"warning: {warned.warning['message']}", markup=False)
    if run.failure:
        seq = run.failure.get("seq")
        at = f" at operation {seq} '{run.failure.get('operation')}'" if seq else ""
        out.print(f"failed{at}: {run.failure['code']}  {run.failure['message']}", markup=False)


COMMANDS: dict[str, Callable[..., int]] = {
    "list": list_runs,
    "show": show,
    "resume": resume,
    "repeat": repeat,
    "cancel": cancel,
}
