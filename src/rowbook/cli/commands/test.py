# ruff: noqa: PT028
"""`rowbook test`: runs scenarios, by the reference engine or on Spark, and shows what differs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Quiet, Trust
from rowbook.cli.render.diagnostics import as_json, coloured, columns_of
from rowbook.cli.render.diagnostics import lines as finding_lines
from rowbook.cli.render.printing import path_from_here, print_json
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.scenarios import scenario_report as report
from rowbook.cli.render.scenarios.junit import write_junit
from rowbook.cli.workspace_option import find_paths, open_workspace
from rowbook.errors import Diagnostic

if TYPE_CHECKING:
    from rowbook.api import ScenarioResult, TestEngine

REFERENCE: Final = "reference"
SPARK: Final = "spark"


def test(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Files or folders whose scenarios to run; left out: all of the workspace.",
        ),
    ] = None,
    text: Annotated[
        str,
        typer.Option(
            "-k", metavar="TEXT", help="Only scenarios whose name contains the text, in any case."
        ),
    ] = "",
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help="Also write the results as JUnit XML."),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="ENGINE",
            help="spark for the workspace's Spark, or a Spark master or sc:// endpoint; left out:"
            " the reference engine, without Spark.",
        ),
    ] = REFERENCE,
    both: Annotated[
        bool,
        typer.Option("--both", help="By the reference engine and on Spark, and compare all rows."),
    ] = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Run scenarios and show what is not as they expect.

    Examples:

      rowbook test

      rowbook test scenarios/close.yaml -k budget

      rowbook test --junit build/scenarios.xml

      rowbook test --both
    """
    root, parts = find_paths(paths or [], folder)
    used: TestEngine = "both" if both else REFERENCE if engine == REFERENCE else SPARK
    spark = None if engine in (REFERENCE, SPARK) else engine
    paint = coloured(sys.stdout)
    with Progress(quiet=quiet or format == "json") as progress:

        def show(result: ScenarioResult) -> None:
            progress.done()
            if format == "text" and not quiet:
                sys.stdout.write(report.result_line(result, paint=paint) + "\n")
                sys.stdout.flush()

        results = open_workspace(root, trust=trust, engine=spark, debug=debug).test(
            *parts,
            text=text,
            engine=used,
            on_start=lambda: _starting(progress),
            on_begin=progress.watch,
            on_done=show,
        )
    if format == "json":
        print_json(report.as_json(results, used, as_json))
    else:
        ending = _ending(results, used, path_from_here(root), debug)
        sys.stdout.writelines(line + "\n" for line in ending)
    if junit is not None:
        write_junit(junit, results, used, finding_lines)
    return Exit.FINDINGS if report.counts(results)[1] else Exit.DONE


@contextmanager
def _starting(progress: Progress) -> Iterator[None]:
    progress.begin("starting Spark")
    yield
    progress.watch("the first scenario")


def _ending(
    results: Sequence[ScenarioResult], engine: TestEngine, folder: str, debug: bool
) -> Iterator[str]:
    paint = coloured(sys.stdout)

    def describe(diagnostic: Diagnostic) -> Iterator[str]:
        return finding_lines(diagnostic, folder, paint=paint, columns=columns_of(sys.stdout))

    for result in results:
        if result.status != "passed":
            yield ""
            yield from report.details(result, describe, folder=folder, paint=paint, trace=debug)
    yield ""
    yield report.summary(results, engine)
