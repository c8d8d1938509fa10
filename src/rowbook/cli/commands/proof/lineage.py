"""`rowbook lineage`: which columns an output's columns come from; no Spark, no data."""

from __future__ import annotations

import sys
from typing import Annotated, Literal, TypeAlias

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Project, Trust
from rowbook.cli.render.printing import print_json, report_findings
from rowbook.cli.render.proof.lineage_text import lineage_json, lineage_lines
from rowbook.cli.workspace_option import open_workspace
from rowbook.errors import RowbookError
from rowbook.text.visible import visible

Form: TypeAlias = Literal["text", "json", "svg", "mermaid"]


def lineage(
    project: Project,
    column: Annotated[
        str | None,
        typer.Option("--column", metavar="COLUMN", help="One column; or table.column."),
    ] = None,
    upstream: Annotated[
        bool, typer.Option("--upstream", help="Through the projects that make what it reads.")
    ] = False,
    downstream: Annotated[
        bool, typer.Option("--downstream", help="Where columns go to, here and in other projects.")
    ] = False,
    draft: Annotated[
        bool, typer.Option("--draft", help="By the files as they are, not the active version.")
    ] = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Annotated[  # noqa: A002
        Form, typer.Option("--format", help="For people, for programs, or as a picture.")
    ] = "text",
    debug: Debug = False,
) -> int:
    """Show which columns the columns of outputs come from.

    By the expressions of the project alone: without Spark, and without data. A value is made of a
    column as it is (identity), by computing (transformation) or by summing up (aggregation). Other
    columns only decide: which row a join finds, which group a row is of, which value a condition
    chooses, which rows there are. Beside each stand the operations on the way.

    Examples:

      rowbook lineage monthly_close

      rowbook lineage monthly_close --column amount_usd

      rowbook lineage monthly_close --column gl_entries.amount --downstream

      rowbook lineage monthly_close --format svg > lineage.svg
    """
    if upstream and downstream:
        raise RowbookError.of("USAGE_001", "--upstream or --downstream, not both")
    if downstream and format in ("svg", "mermaid"):
        raise RowbookError.of("USAGE_001", "--downstream is for --format text and json")
    workspace = open_workspace(folder, trust=trust)
    direction: Literal["project", "upstream", "downstream"] = "project"
    if upstream or downstream:
        direction = "upstream" if upstream else "downstream"
    try:
        found = workspace.lineage(project, column, direction=direction, draft=draft)
    except RowbookError as error:
        return report_findings(error, workspace.root, format, {"project": project})
    match format:
        case "text":
            sys.stdout.writelines(f"{visible(line)}\n" for line in lineage_lines(found))
        case "json":
            print_json(lineage_json(found))
        case picture:
            from rowbook.api import draw_lineage

            sys.stdout.write(draw_lineage(found, picture))
    return Exit.DONE
