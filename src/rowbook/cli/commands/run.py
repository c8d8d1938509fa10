"""`rowbook run`: runs a project for a period or several, with progress and a ledger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.option_types import (
    Debug,
    EngineOption,
    Folder,
    Format,
    JUnit,
    PeriodOrNone,
    ProjectOrNone,
    Quiet,
    Reason,
    ReopenClosed,
    Settings,
    Trust,
    Waive,
    read_settings,
)
from rowbook.cli.render.diagnostics import as_json
from rowbook.cli.render.printing import (
    note_json,
    note_lines,
    print_json,
    report_failure,
    report_findings,
)
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.run_result import exit_of, print_result, result_json
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.api import RunResult, RunStart
    from rowbook.cli.render.expectations.verdict_junit import JUnitSuite


def run(
    project: ProjectOrNone = None,
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
    upstream: Annotated[
        bool,
        typer.Option("--upstream", help="The projects that make what it reads first, in order."),
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="All active projects, in order, instead of one.")
    ] = False,
    settings: Settings = None,
    waive: Waive = None,
    reason: Reason = None,
    junit: JUnit = None,
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
            help="Whose total the report follows; left out: a decimal that is not 0 at the end.",
        ),
    ] = None,
    engine: EngineOption = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Run a project for a period.

    The active version of the project runs, with the dataset versions that it pins. With --draft,
    and for a project that was never activated, the file runs as it is, and outputs go into
    .rowbook/sandbox/<run id>/.

    With --upstream the projects that register what it reads run before it, but for those that
    would do again what they did; with --all all active ones, producers first. A failure stops what
    depends on it, and nothing else; the exit code is then 1.

    Examples:

      rowbook run monthly_close --period 2026-01

      rowbook run monthly_close --periods 2026-01..2026-06

      rowbook run monthly_close --period 2026-01 --upstream

      rowbook run --all --period 2026-01

      rowbook run monthly_close --period 2026-01 --draft --format json

      rowbook run monthly_close --period 2026-01 --report close.html

      rowbook run monthly_close --period 2026-01 --set threshold=6000

      rowbook run close --period 2026-01 --waive "it balances" --reason "known"
    """
    first, last = _check_grammar(period, periods, as_of, report, report_column)
    parameters = read_settings(settings)
    _check_projects(project, report, parameters, upstream=upstream, every=every)
    if (waive or reason or junit) and (upstream or every):
        message = "--waive, --reason and --junit are for one project, without --upstream and --all"
        raise RowbookError.of("USAGE_001", message)
    workspace = open_workspace(folder, trust=trust, engine=engine, debug=debug)
    if upstream or project is None:
        from rowbook.cli.commands.chains.chain_run import ChainWords, run_chain

        until = None if periods is None else last
        words = ChainWords(project, first, until, draft, as_of, now, parameters, reopen_closed)
        return run_chain(workspace, words, format, quiet=quiet)
    progress = Progress(quiet=quiet or format == "json")
    progress.say(f"{project} for {period or periods}")
    results: list[RunResult] = []
    notes: list[dict[str, object]] = []
    suites: list[JUnitSuite] = []
    started: list[RunStart] = []

    def begin(start: RunStart) -> None:
        started.append(start)
        if start.version is None and not draft and not results:
            progress.say("this project was never activated: it runs as a draft, into the sandbox")
        if start.drift is not None and not notes:
            notes.append(note_json(start.drift))
            for line in note_lines(start.drift):
                progress.say(line)
        version = "draft" if start.version is None else f"version {start.version}"
        progress.say(f"run {start.run_id} of {start.project} ({version}) for {start.period}")
        if report is not None:
            progress.say("the report's figures first: a pass over the data an operation")

    def end(result: RunResult) -> None:
        results.append(result)
        progress.done()
        if junit is not None:
            from rowbook.cli.render.expectations.verdict_junit import suite_of, verdicts_junit
            from rowbook.cli.render.junit_file import save_junit

            suites.append(suite_of(started[-1], result))
            save_junit(junit, verdicts_junit(suites))
        if format == "text":
            print_result(result, quiet=quiet)

    with progress:
        try:
            if periods is None:
                result = workspace.run(
                    project,
                    first,
                    draft=draft,
                    as_of=as_of,
                    now=now,
                    parameters=parameters,
                    reopen_closed=reopen_closed,
                    on_step=progress.step,
                    on_start=begin,
                    on_session=progress.session,
                    on_wait=progress.begin,
                    report=report,
                    report_column=report_column,
                    waive=waive or (),
                    reason=reason,
                )
                end(result)
            else:
                workspace.run_periods(
                    project,
                    first,
                    last,
                    draft=draft,
                    now=now,
                    parameters=parameters,
                    reopen_closed=reopen_closed,
                    on_step=progress.step,
                    on_start=begin,
                    on_session=progress.session,
                    on_wait=progress.begin,
                    on_end=end,
                    waive=waive or (),
                    reason=reason,
                )
        except RowbookError as error:
            progress.done()
            if debug or not results:
                return report_findings(error, workspace.root, format, _nothing(error))
            return report_failure(error, format, {"runs": list(map(result_json, results))})
        except BaseException:  # a later period may be interrupted
            if format == "json" and results:
                print_json({"runs": list(map(result_json, results))})
            raise
    if format == "json":
        found = list(map(result_json, results))
        print_json({**(found[0] if periods is None else {"runs": found}), "notes": notes})
    return exit_of(results[-1])


def _check_grammar(
    period: str | None,
    periods: str | None,
    as_of: str | None,
    report: Path | None,
    report_column: str | None,
) -> tuple[str, str]:
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
    return (period, period) if period is not None else (first, last)


def _check_projects(
    project: str | None,
    report: Path | None,
    parameters: dict[str, str],
    *,
    upstream: bool,
    every: bool,
) -> None:
    if project is None and not every:
        hint = "say `rowbook run PROJECT`, or --all for all active ones"
        raise RowbookError.of("USAGE_001", "no project is named", hint=hint)
    if every and (project is not None or upstream):
        message = "--all is for no project in particular: name one, or say --all"
        raise RowbookError.of("USAGE_001", message)
    if every and parameters:
        raise RowbookError.of("USAGE_001", "--set is for a project that is named, not for --all")
    if report is not None and (upstream or every):
        raise RowbookError.of("USAGE_001", "--report is for one run, without --upstream and --all")


def _nothing(error: RowbookError) -> dict[str, object]:
    nothing: dict[str, object] = {"run_id": None, "status": "failed", "operations": []}
    return {**nothing, "outputs": [], "error": as_json(error.diagnostics[0])}
