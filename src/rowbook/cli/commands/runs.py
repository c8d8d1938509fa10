"""`rowbook runs`: what ran, and going on with what failed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowbook.cli import completion
from rowbook.cli.commands.runs_again import repeat, resume
from rowbook.cli.option_types import Debug, Folder, Format, RunId
from rowbook.cli.render.printing import as_text, instant, print_json
from rowbook.cli.render.run_result import print_ledger, print_lines, print_outputs
from rowbook.cli.render.text_tables import print_table
from rowbook.cli.workspace_store import find_run, opened
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.store import Run, RunRecord

_LISTED = (
    TextColumn("run", long="cut"),
    TextColumn("project", long="cut"),
    TextColumn("version", spare=1),
    TextColumn("period"),
    TextColumn("status"),
    TextColumn("started (UTC)", spare=2),
    TextColumn("took", numeric=True, spare=3),
)


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
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """List runs, newest first.

    Examples:

      rowbook runs list

      rowbook runs list --project monthly_close --period 2026-01 --format json
    """
    with opened(folder) as (_, store):
        found = store.runs.newest(project=project, period=period, limit=limit)
    if format == "json":
        print_json({"runs": [_run_json(each) for each in found]})
        return 0
    if found:
        print_table(_LISTED, [_row(each) for each in found])
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
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Show a run: steps, outputs, warnings, the error.

    Examples:

      rowbook runs show 0199c0

      rowbook runs show 0199c0 --definitions
    """
    with opened(folder) as (_, store):
        record = store.runs.record(find_run(store, run_id))
        taken = store.runs.snapshot(record.run.id)
    if snapshot:
        print_json(taken or {})
    elif definitions:
        from rowbook.runs.prepare.snapshot import definitions_text

        sys.stdout.write(definitions_text(taken) if taken else "")
    elif format == "json":
        print_json(_record_json(record))
    else:
        _print_record(record)
    return 0


def report(
    run_id: RunId,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.html", help="Where the page goes.")
    ],
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Write a page about a run, from its record.

    Amounts and sample rows are taken while a run runs, with `rowbook run --report`.

    Examples:

      rowbook runs report 0199c0 -o close.html
    """
    from rowbook.reports.report_page import report_html
    from rowbook.reports.running import report_of
    from rowbook.reports.saving import check_place, save

    place = check_place(output)
    with opened(folder) as (root, store):
        found = report_of(root, store, find_run(store, run_id))
    save(report_html(found), place)
    if format == "json":
        print_json({"run_id": found.run_id, "report": str(output)})
    else:
        sys.stdout.write(f"wrote {output}\n")
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
    from rowbook.runs.prepare.lease_clock import at_present
    from rowbook.store import this_process

    with opened(folder) as (_, store):
        found = find_run(store, run_id)
        asked = store.runs.request_cancel(found, by=this_process().user, at=at_present())
    if format == "json":
        print_json(_run_json(asked))
    else:
        said = "was cancelled" if asked.status == "cancelled" else "was asked to end"
        sys.stdout.write(f"run {asked.id} {said}\n")
    return 0


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
    print_lines(_head(record))
    print_ledger([each.entry for each in record.steps])
    print_outputs([each.output for each in record.outputs])
    print_lines(f"warning: {warned.warning['message']}" for warned in record.warnings)
    if failure := record.run.failure:
        seq = failure.get("seq")
        at = f" at operation {seq} '{failure.get('operation')}'" if seq else ""
        print_lines([f"failed{at}: {failure['code']}  {failure['message']}"])


def _head(record: RunRecord) -> Iterator[str]:
    run = record.run
    version = "draft" if run.draft else f"version {run.project_version}"
    yield f"run {run.id}  {run.status}"
    yield f"{run.project_name} ({version}) for {run.period}, as of {run.as_of}"
    took = _seconds(run)
    times = f"started {instant(run.started_at)} UTC" if run.started_at else "never started"
    lasted = f", took {took:.1f} s" if took is not None else ""
    yield f"{times} by {run.requested_by} on {run.engine}{lasted}"
    if run.reopened:
        yield f"wrote into a closed period: {run.reopened}"
    for each in record.resumptions:
        before = (each.failure or {}).get("message", "")
        yield f"resumed {instant(each.resumed_at)} by {each.resumed_by} after {before}"


COMMANDS: dict[str, Callable[..., int]] = {
    "list": list_runs,
    "show": show,
    "report": report,
    "resume": resume,
    "repeat": repeat,
    "cancel": cancel,
}
