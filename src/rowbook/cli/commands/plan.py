"""`rowbook plan`: what a run would do; no Spark, no rows read, nothing written."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TextIO, TypeAlias

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    Debug,
    Folder,
    Period,
    Project,
    Settings,
    Trust,
    read_settings,
)
from rowbook.cli.render.diagnostics import as_json, print_findings
from rowbook.cli.render.printing import (
    note_json,
    note_lines,
    path_from_here,
    print_json,
    report_findings,
)
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError
from rowbook.text.plan_words import iso
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import ChainPlan, LineageResult, RunPlan

Form: TypeAlias = Literal["text", "json", "svg", "mermaid", "html"]


def plan(
    project: Project,
    period: Period,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="The as-of date; left out: the period's end.")
    ] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Plan the files as they are, not the active version.")
    ] = False,
    settings: Settings = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it there, not to stdout."),
    ] = None,
    upstream: Annotated[
        bool,
        typer.Option("--upstream", help="The projects that make what it reads, and their order."),
    ] = False,
    stages: Annotated[
        bool, typer.Option("--stages", help="Show how it would be computed, and why so.")
    ] = False,
    lineage: Annotated[
        bool, typer.Option("--lineage", help="In a picture: what columns of tables are made of.")
    ] = False,
    connect: Annotated[
        bool, typer.Option("--connect", help="Ask databases what is in their tables.")
    ] = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Annotated[  # noqa: A002
        Form, typer.Option("--format", help="For people, for programs, or as a picture or page.")
    ] = "text",
    debug: Debug = False,
) -> int:
    """Show what a run would do, without Spark.

    No rows are read, nothing is written, and no database is asked without --connect. The
    dataset versions, where they are and what is there; each operation with what it reads and
    writes, and the columns after it. As in `run`, it is the active version, or the file as it is
    with --draft and for a project that was never activated. It ends with what the run would fail
    of as things are now, if there is any; the exit code is then 1. With --upstream it is the order
    of the projects that `run --upstream` would run, and which of them would be passed over.

    Examples:

      rowbook plan monthly_close --period 2026-01

      rowbook plan monthly_close --period 2026-01 --format html -o plan.html

      rowbook plan monthly_close --period 2026-01 --draft --format mermaid

      rowbook plan monthly_close --period 2026-01 --lineage --format mermaid

      rowbook plan monthly_close --period 2026-01 --stages

      rowbook plan monthly_close --period 2026-01 --upstream
    """
    if stages and format not in ("text", "json"):
        raise RowbookError.of("USAGE_001", "--stages is for --format text and json")
    if stages and upstream:
        raise RowbookError.of("USAGE_001", "--stages is for one project, without --upstream")
    if lineage and (format in ("text", "json") or upstream):
        message = "--lineage is for --format svg, mermaid and html of one project"
        hint = f"rowbook lineage {project} shows it as text and as json"
        raise RowbookError.of("USAGE_001", message, hint=hint)
    parameters = read_settings(settings)
    workspace = open_workspace(folder, trust=trust)
    root = workspace.root
    try:
        if upstream:
            chain = workspace.plan_upstream(
                project, period, draft=draft, as_of=as_of, parameters=parameters, connect=connect
            )
            return _show_chain(chain, format, root, output)
        planned = workspace.plan(
            project, period, draft=draft, as_of=as_of, parameters=parameters, connect=connect
        )
        origins = workspace.lineage(project, draft=draft) if lineage else None
    except RowbookError as error:
        return report_findings(error, root, format, {"project": project, "period": period})
    if planned.version is None and not draft:
        sys.stderr.write("this project was never activated: it would run as a draft\n")
    if planned.drift is not None:
        sys.stderr.writelines(f"{line}\n" for line in note_lines(planned.drift))
    _print(lambda stream: _write(planned, format, root, stream, origins, stages=stages), output)
    if output is not None or format not in ("text", "json"):
        _write_problems(planned, root, sys.stderr)
    return Exit.FINDINGS if planned.problems else Exit.DONE


def _show_chain(chain: ChainPlan, form: Form, root: Path, output: Path | None) -> Exit:
    from rowbook.cli.commands.chains.chain_plan import write_chain, write_chain_problems

    for link in chain.links:
        if link.drift is not None:
            sys.stderr.writelines(f"{line}\n" for line in note_lines(link.drift))
    _print(lambda stream: write_chain(chain, form, root, stream), output)
    if output is not None or form not in ("text", "json"):
        write_chain_problems(chain, root, sys.stderr)
    return Exit.FINDINGS if chain.problems else Exit.DONE


def _print(write: Callable[[TextIO], None], output: Path | None) -> None:
    """On stdout, or into a file."""
    if output is None:
        write(sys.stdout)
        return
    text = io.StringIO()
    write(text)
    try:
        output.write_text(text.getvalue(), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        message = f"{output} cannot be written: {error.strerror or error}"
        raise RowbookError.of("USAGE_001", message) from error


def _write(
    planned: RunPlan,
    form: Form,
    root: Path,
    stream: TextIO,
    origins: LineageResult | None,
    *,
    stages: bool,
) -> None:
    match form:
        case "text" if stages:
            from rowbook.cli.render.plan_text import stages_text

            stream.write(stages_text(planned))
            _write_problems(planned, root, stream)
        case "text":
            from rowbook.cli.render.plan_text import print_plan
            from rowbook.cli.render.text_tables import page

            print_plan(planned, page(stream))
            print_findings(planned.warnings, path_from_here(root), stream)
            _write_problems(planned, root, stream)
        case "json":
            print_json(_as_json(planned, stages=stages), stream)
        case picture:
            from rowbook.api import draw_plan

            stream.write(draw_plan(planned, picture, origins))


def _write_problems(planned: RunPlan, root: Path, stream: TextIO) -> None:
    if planned.problems:
        found = number(len(planned.problems), "problem")
        stream.write(f"\n{found} that a run would fail of:\n")
        print_findings(planned.problems, path_from_here(root), stream)


def _as_json(plan: RunPlan, *, stages: bool) -> dict[str, Any]:
    found = asdict(replace(plan, warnings=(), problems=(), drift=None))
    del found["drift"]
    if not stages:
        del found["stages"]
    return {
        **found,
        "draft": plan.version is None,
        "first_day": iso(plan.first_day),
        "last_day": iso(plan.last_day),
        "as_of": iso(plan.as_of),
        "warnings": [as_json(each) for each in plan.warnings],
        "problems": [as_json(each) for each in plan.problems],
        "notes": [note_json(plan.drift)] if plan.drift else [],
    }
