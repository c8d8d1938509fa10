# ruff: noqa: PT028
"""`rowbook test`: runs scenarios, all in one Spark session, and shows what differs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, EngineOption, Folder, Format, Quiet
from rowbook.cli.render import scenario_report as report
from rowbook.cli.render.diagnostics import as_json, coloured, columns_of
from rowbook.cli.render.diagnostics import lines as finding_lines
from rowbook.cli.render.junit import write_junit
from rowbook.cli.render.progress import Progress
from rowbook.cli.workspace_choice import chosen
from rowbook.definitions.workspace_files import WorkspaceFiles, read_workspace
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.errors import Diagnostic, RowbookError
from rowbook.scenarios.runner import Execute, ScenarioResult, run_scenarios
from rowbook.scenarios.selection import Selected, select

if TYPE_CHECKING:
    from rowbook.scenarios.execution import Starting


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
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    engine: EngineOption = None,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Run scenarios and show what is not as they expect.

    Examples:

      rowbook test

      rowbook test scenarios/close.yaml -k budget

      rowbook test --junit build/scenarios.xml
    """
    root, wanted = chosen(paths or [], folder)
    files = read_workspace(root)
    if files.workspace is None:
        raise RowbookError(*(d for d in files.diagnostics if _is_settings(d)))
    selected = select(files, wanted, text)
    if not selected:
        raise _nothing(files, paths or [], text)
    with (
        Progress(quiet=quiet or format == "json") as progress,
        open_executor(root, engine, debug, lambda: _starting(progress)) as execute,
    ):
        as_text = format == "text" and not quiet
        results = _run(selected, files, execute, progress, as_text=as_text)
    shown_from = os.path.relpath(root)
    place = "" if shown_from == "." else shown_from
    if format == "json":
        found = report.as_json(results, as_json)
        sys.stdout.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.writelines(line + "\n" for line in _ending(results, place, debug))
    if junit is not None:
        write_junit(junit, results, finding_lines)
    return Exit.FINDINGS if report.counts(results)[1] else Exit.DONE


def open_executor(
    root: Path, engine: str | None, debug: bool, starting: Starting
) -> AbstractContextManager[Execute]:
    """What runs scenarios. Spark starts when it is called for the first time."""
    from rowbook.scenarios.execution import open_executor as opened

    return opened(root, engine, debug, starting)


@contextmanager
def _starting(progress: Progress) -> Iterator[None]:
    progress.begin("starting Spark")
    yield
    progress.watch("the first scenario")


def _is_settings(diagnostic: Diagnostic) -> bool:
    return diagnostic.position is not None and diagnostic.position.file == WORKSPACE_FILE


def _nothing(files: WorkspaceFiles, paths: Sequence[Path], text: str) -> RowbookError:
    where = f" in {', '.join(map(str, paths))}" if paths else ""
    if not files.scenarios:
        hint = "write one into the folder scenarios"
        return RowbookError.of("USAGE_001", "the workspace has no scenarios", hint=hint)
    named = f" whose name contains '{text}'" if text else ""
    hint = f"the workspace has {len(files.scenarios)}; rowbook test runs them all"
    return RowbookError.of("USAGE_001", f"there is no scenario{where}{named}", hint=hint)


def _run(
    selected: Sequence[Selected],
    files: WorkspaceFiles,
    execute: Execute,
    progress: Progress,
    *,
    as_text: bool,
) -> list[ScenarioResult]:
    paint = coloured(sys.stdout)

    def show(result: ScenarioResult) -> None:
        progress.done()
        if as_text:
            sys.stdout.write(report.result_line(result, paint=paint) + "\n")
            sys.stdout.flush()

    return run_scenarios(selected, files, execute, show, progress.watch)


def _ending(results: Sequence[ScenarioResult], folder: str, debug: bool) -> Iterator[str]:
    """Why scenarios did not pass, and how many did."""
    paint = coloured(sys.stdout)

    def describe(diagnostic: Diagnostic) -> Iterator[str]:
        return finding_lines(diagnostic, folder, paint=paint, columns=columns_of(sys.stdout))

    for result in results:
        if result.status != "passed":
            yield ""
            yield from report.details(result, describe, folder=folder, paint=paint, trace=debug)
    yield ""
    yield report.summary(results)
