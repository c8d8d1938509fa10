"""`rowbook check`: expectations alone, nothing published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Debug,
    Folder,
    Format,
    JUnit,
    Period,
    Project,
    Quiet,
    RowEngine,
    Settings,
    Trust,
    read_settings,
)
from rowbook.cli.render.expectations.verdict_table import (
    print_samples,
    print_verdict_table,
    verdicts_json,
)
from rowbook.cli.render.printing import print_json, print_lines, report_findings
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.row_table import engine_label, engine_words
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import CheckResult


def check(
    project: Project,
    period: Period,
    as_of: Annotated[str | None, typer.Option("--as-of", help="The as-of date.")] = None,
    draft: Annotated[bool, typer.Option("--draft", help="Check the files as they are.")] = False,
    settings: Settings = None,
    engine: RowEngine = None,
    junit: JUnit = None,
    quiet: Quiet = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Check expectations alone: is the month ready?

    They alone are computed, with the columns that they need. Nothing is written or recorded. The
    active version is checked; with --draft, and for a project that was never activated, the files
    as they are. Where an expectation would stop the run, it exits with 1.

    Up to 10,000 rows of csv, json and parquet files are computed by the reference engine, which
    takes about a second; larger inputs, and other kinds, on Spark.

    Examples:

      rowbook check monthly_close --period 2026-01

      rowbook check monthly_close --period 2026-01 --junit build/month.xml
    """
    named, spark = engine_words(engine)
    parameters = read_settings(settings)
    workspace = open_workspace(folder, trust=trust, engine=spark, debug=debug)
    with Progress(quiet=quiet or format == "json") as progress:
        progress.say(f"{project} for {period}, nothing is published")
        try:
            found = workspace.check(
                project,
                period,
                draft=draft,
                as_of=as_of,
                parameters=parameters,
                engine=named,
                on_engine=lambda choice: progress.say(engine_label("computed", choice)),
                on_session=progress.session,
                on_step=progress.step,
                on_wait=progress.begin,
            )
        except RowbookError as error:
            progress.done()
            return report_findings(error, workspace.root, format, {"ok": False, "expectations": []})
    if junit is not None:
        from rowbook.cli.render.expectations.verdict_junit import JUnitSuite, verdicts_junit
        from rowbook.cli.render.junit_file import save_junit

        suite = JUnitSuite(f"{found.project} {found.period}", found.project, found.expectations)
        save_junit(junit, verdicts_junit([suite]))
    if format == "json":
        shown = verdicts_json(found.expectations)
        print_json({"ok": found.ok, "engine": found.engine, "expectations": shown})
    else:
        print_verdict_table(found.expectations)
        print_samples(found.expectations)
        print_lines([_summary(found)])
    return Exit.DONE if found.ok else Exit.FINDINGS


def _summary(found: CheckResult) -> str:
    if not found.expectations:
        return "the project and its datasets expect nothing"
    stops = sum(each.stops for each in found.expectations)
    of = number(len(found.expectations), "expectation")
    return f"{stops} of {of} would stop a run" if stops else f"{of}: nothing would stop a run"
