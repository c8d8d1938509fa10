"""`rowbook explain`: what a figure is made of."""

from __future__ import annotations

from typing import Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import (
    AcceptChangedInput,
    Debug,
    Folder,
    Format,
    ProofPage,
    RunId,
    Trust,
)
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.proof.explanation_lines import explanation_lines
from rowbook.cli.render.proof.proof_printing import print_proof
from rowbook.cli.workspace_option import open_workspace


def explain(
    run_id: RunId,
    column: Annotated[
        str, typer.Option("--column", metavar="COLUMN", help="The column that has the figure.")
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", metavar="OUTPUT", help="Which output, by seq, name or table, if several."
        ),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            "--where", metavar="CONDITION", help="Which rows of the output; several are summed up."
        ),
    ] = None,
    group_by: Annotated[
        str | None,
        typer.Option(
            "--group-by", metavar="COLUMN,…", help="Gather what adds to it by these columns."
        ),
    ] = None,
    not_in: Annotated[
        str | None,
        typer.Option(
            "--not", metavar="CONDITION", help="Of the rows that are not in it, only such as these."
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many rows are listed.")] = 5,
    accept_changed_input: AcceptChangedInput = False,
    page: ProofPage = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Explain a figure: the rows and rules behind it, and why other rows are not in it.

    The run is replayed, on the data that it read and with the rules that it had then; nothing is
    written. Where the data is much, Spark finds the rows that are meant, and these are replayed.
    What adds to the figure adds up to it. Where the data was changed since, the command says what
    and explains nothing.

    Examples:

      rowbook explain latest --output profit_and_loss --column actual_usd --where "level = 'result'"

      rowbook explain latest --output 110 --column amount_usd --group-by entity,report_line

      rowbook explain latest --output 110 --column amount_usd --not "journal_id = 'DE01-202601-063'"

      rowbook explain latest --output 110 --column amount_usd -o figure.html
    """
    workspace = open_workspace(folder, trust=trust, debug=debug)
    with Progress(quiet=format == "json") as progress:
        found = workspace.explain(
            run_id,
            column,
            output=output,
            where=where,
            group_by=[name.strip() for name in group_by.split(",")] if group_by else (),
            not_in=not_in,
            limit=limit,
            accept_changed_input=accept_changed_input,
            page=page,
            on_session=progress.session,
            on_wait=progress.begin,
        )
    print_proof(found.as_json(), explanation_lines(found), page, format)
    return Exit.DONE
