"""`rowbook diff`: what two runs wrote, compared; or the file as it is with what was published."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Annotated

import typer

from rowbook.cli import completion
from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Debug,
    EngineOption,
    Folder,
    Format,
    PeriodOrNone,
    Quiet,
    Settings,
    Trust,
    read_settings,
)
from rowbook.cli.render.printing import print_json, report_failure, report_findings
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.run_result import exit_of, print_result, result_json
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError

_COLUMNS = "COLUMN,COLUMN…"


def diff(
    project: Annotated[
        str | None,
        typer.Argument(
            help="The project, by name or id; with --period.", autocompletion=completion.projects
        ),
    ] = None,
    period: PeriodOrNone = None,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="ID",
            help="A run to compare, instead of a new draft.",
            autocompletion=completion.runs,
        ),
    ] = None,
    runs: Annotated[
        tuple[str, str] | None,
        typer.Option("--runs", metavar="BEFORE AFTER", help="Two runs, by their ids."),
    ] = None,
    settings: Settings = None,
    output: Annotated[
        str | None,
        typer.Option("--output", help="One output, by seq, name or table; left out: all."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar=_COLUMNS, help="What tells rows apart; left out: chosen."),
    ] = None,
    columns: Annotated[
        str | None, typer.Option("--columns", metavar=_COLUMNS, help="Compare only these.")
    ] = None,
    ignore: Annotated[
        str | None, typer.Option("--ignore", metavar=_COLUMNS, help="Do not compare these.")
    ] = None,
    tolerance: Annotated[
        list[str] | None,
        typer.Option(
            "--tolerance", metavar="COLUMN=NUMBER", help="By how much numbers may differ."
        ),
    ] = None,
    group_by: Annotated[
        str | None, typer.Option("--group-by", metavar=_COLUMNS, help="Totals of groups too.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="At most so many rows of each sort.")
    ] = 20,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Repeat a run whose data was replaced, as a draft.")
    ] = False,
    fail_on_change: Annotated[
        bool, typer.Option("--fail-on-change", help="Exit with 1 if anything differs.")
    ] = False,
    engine: EngineOption = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Compare what two runs wrote: rows, cells, totals.

    With a project and a period, its file is run as a draft and compared with the last completed run
    of that period: what a changed rule does, before anything is published. The draft has the as-of
    date, the clock and the given parameters of that run; --set gives others. With --runs any two
    runs are compared.

    Examples:

      rowbook diff monthly_close --period 2026-01

      rowbook diff monthly_close --period 2026-01 --output 110 --group-by entity

      rowbook diff --runs 0199c0 0199d4 --tolerance amount=0.01 --fail-on-change
    """
    said = _check_grammar(project, period, run, runs)
    parameters = read_settings(settings)
    if runs is not None and parameters:
        raise RowbookError.of("USAGE_001", "--set is for a new draft, not for runs")
    progress = Progress(quiet=quiet or format == "json")
    progress.say(said)
    from rowbook.api import Criteria

    criteria = Criteria(
        _names(key, "--key"),
        _names(columns, "--columns"),
        _names(ignore, "--ignore"),
        dict(_tolerance(each) for each in tolerance or ()),
        _names(group_by, "--group-by"),
        limit,
    )
    workspace = open_workspace(folder, trust=trust, engine=engine, debug=debug)
    from rowbook.api import DraftFailedError, RunProblemsError

    with progress:
        try:
            compare = partial(
                workspace.diff, project or "", period or "", run=run, parameters=parameters
            )
            found = (compare if runs is None else partial(workspace.diff_runs, *runs))(
                output=output,
                criteria=criteria,
                recompute=recompute,
                on_step=progress.step,
                on_session=progress.session,
            )
        except DraftFailedError as failed:
            progress.done()
            if format == "json":
                print_json(result_json(failed.result))
            else:
                print_result(failed.result)
            return exit_of(failed.result)
        except RunProblemsError as error:
            progress.done()
            ended = report_failure(error, format, {"outputs": []})
            return Exit.REFUSED if ended == Exit.REFUSED else Exit.RUN_FAILED
        except RowbookError as error:
            return report_findings(error, workspace.root, format, {"outputs": []})
    if format == "json":
        from rowbook.cli.render.diff_json import difference_json

        print_json(difference_json(found))
    else:
        from rowbook.cli.render.diff_text import print_difference

        print_difference(found)
    return Exit.FINDINGS if fail_on_change and not found.same else Exit.DONE


def _check_grammar(
    project: str | None, period: str | None, run: str | None, runs: tuple[str, str] | None
) -> str:
    """What is compared, in words."""
    if runs is not None and any((project, period, run)):
        message = "--runs stands alone: its two runs say which project and period"
        raise RowbookError.of("USAGE_001", message)
    if runs is None and (project is None or period is None):
        message = "name a project and --period, or two runs with --runs"
        raise RowbookError.of("USAGE_001", message)
    if runs is not None:
        return f"comparing run {runs[0]} with run {runs[1]}"
    other = f"run {run}" if run is not None else "a draft of its file"
    return f"comparing the last run of {project} for {period} with {other}"


def _names(text: str | None, option: str) -> tuple[str, ...]:
    if text is None:
        return ()
    names = [name.strip() for name in text.split(",")]
    if not all(names) or len(set(names)) < len(names):
        message = f"{option} '{text}' is not a list of different columns, such as account,entity"
        raise RowbookError.of("USAGE_001", message)
    return tuple(names)


def _tolerance(text: str) -> tuple[str, Decimal]:
    column, _, number = text.partition("=")
    try:
        allowed = Decimal(number)
    except InvalidOperation:
        allowed = Decimal("NaN")
    if not column or not allowed.is_finite() or allowed < 0:
        message = f"--tolerance '{text}' is not COLUMN=NUMBER, such as amount=0.01"
        raise RowbookError.of("USAGE_001", message)
    return column, allowed
