"""`rowbook run`: runs a project for a period or several, with progress and a ledger."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Debug,
    EngineOption,
    Folder,
    Format,
    PeriodOrNone,
    Project,
    Quiet,
    ReopenClosed,
)
from rowbook.cli.render.diagnostics import as_json, print_findings
from rowbook.cli.render.printing import print_json, shown_from
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.run_result import exit_of, print_result, result_json
from rowbook.definitions.workspace_root import find_workspace
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.runs.prepare.request import Request


def run(
    project: Project,
    period: PeriodOrNone = None,
    periods: Annotated[
        str | None,
        typer.Option(
            "--periods",
            metavar="FIRST..LAST",
            help="Several periods, one after the other, such as 2026-01..2026-06.",
        ),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="The as-of date; left out: the period's end.")
    ] = None,
    now: Annotated[
        str | None, typer.Option("--now", help="The run's clock, for repeating a run exactly.")
    ] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Run the files as they are, outputs into the sandbox.")
    ] = False,
    reopen_closed: ReopenClosed = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE.html",
            help="Write a page about the run, with amounts and sample rows, however it ends.",
        ),
    ] = None,
    report_column: Annotated[
        str | None,
        typer.Option(
            "--report-column",
            metavar="NAME",
            help="Whose total the report follows; left out: the first decimal of the input.",
        ),
    ] = None,
    engine: EngineOption = None,
    quiet: Quiet = False,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Run a project for a period.

    The active version of the project runs, with the dataset versions that it pins. With --draft,
    and for a project that was never activated, the file runs as it is, and outputs go into
    .rowbook/sandbox/<run id>/.

    Examples:

      rowbook run monthly_close --period 2026-01

      rowbook run monthly_close --periods 2026-01..2026-06

      rowbook run monthly_close --period 2026-01 --draft --format json

      rowbook run monthly_close --period 2026-01 --report close.html
    """
    if period is None and periods is None:
        hint = "say --period 2026-01, or for several --periods 2026-01..2026-03"
        raise RowbookError.of("USAGE_001", "no period is named", hint=hint)
    if period is not None and periods is not None:
        raise RowbookError.of("USAGE_001", "name --period or --periods, and not both")
    if periods is not None and as_of is not None:
        raise RowbookError.of("USAGE_001", "--as-of is for one period")
    first, _, last = (periods or "").partition("..")
    if periods is not None and not (first and last):
        hint = "name two periods, such as 2026-01..2026-03; --period names one"
        raise RowbookError.of("USAGE_001", f"'{periods}' is not FIRST..LAST", hint=hint)
    if periods is not None and report is not None:
        raise RowbookError.of("USAGE_001", "--report is for one period")
    if report_column is not None and report is None:
        raise RowbookError.of("USAGE_001", "--report-column is for --report FILE.html")
    root = find_workspace(folder or Path())
    progress = Progress(quiet=quiet or format == "json")
    progress.say(f"{project} for {period or periods}")
    from rowbook.definitions.workspace_files import read_workspace
    from rowbook.reports.running import ReportOrder, run_reported
    from rowbook.runs.execute.run import RunOptions
    from rowbook.runs.prepare.project_version import chosen_request, periods_between
    from rowbook.runs.workspace_store import open_workspace_store

    order = ReportOrder.checked(report, report_column) if report is not None else None
    with progress, open_workspace_store(read_workspace(root)) as store:
        try:
            asked = chosen_request(root, store, project, period or first, as_of, now, draft=draft)
        except RowbookError as error:
            return _refused(error, root, format)
        if asked.is_draft and not draft:
            progress.say("this project was never activated: it runs as a draft, into the sandbox")
        requests = [asked]
        if last:
            calendar = asked.context.calendar
            between = periods_between(calendar, first, last)
            requests += [asked.for_period(each) for each in between[1:]]
        manner = RunOptions(engine, debug, progress.step, reopen_closed)
        ended = Exit.DONE
        results = []
        try:
            for each in requests:
                _announce(each, progress)
                if order is not None:
                    progress.say("the report's figures first: a pass over the data an operation")
                result = run_reported(each, store, manner, order)
                results.append(result)
                progress.done()
                if format == "text":
                    print_result(result, quiet=quiet)
                ended = exit_of(result)
                if ended != Exit.DONE:
                    break
        finally:  # a later period may be refused
            if format == "json" and results:
                found = [result_json(result) for result in results]
                print_json(found[0] if periods is None else {"runs": found})
    return ended


def _announce(asked: Request, progress: Progress) -> None:
    version = "draft" if asked.is_draft else f"version {asked.version}"
    period = asked.context.period.identifier
    progress.say(f"run {asked.context.run_id} of {asked.project_name} ({version}) for {period}")
    progress.begin("starting Spark")


def _refused(error: RowbookError, root: Path, form: str) -> int:
    """Invalid definitions: nothing ran. Anything else is raised again."""
    if all(d.position is None for d in error.diagnostics):
        raise error
    if form == "json":
        nothing: dict[str, object] = {"run_id": None, "status": "failed", "operations": []}
        print_json({**nothing, "outputs": [], "error": as_json(error.diagnostics[0])})
    else:
        print_findings(error.diagnostics, shown_from(root), sys.stderr)
    return Exit.FINDINGS
