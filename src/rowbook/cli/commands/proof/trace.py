"""`rowbook trace`: the life of a row in a run."""

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
from rowbook.cli.render.proof.life_lines import trace_lines
from rowbook.cli.render.proof.proof_printing import print_proof
from rowbook.cli.workspace_option import open_workspace

MOST_SHOWN = 3


def trace(
    run_id: RunId,
    row: Annotated[
        str,
        typer.Argument(
            metavar="ROW",
            help="A _row_id, or how it begins; or column=value,… as read or as published.",
        ),
    ],
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="Only rows that come from this dataset.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All rows that are meant, not three.")
    ] = False,
    accept_changed_input: AcceptChangedInput = False,
    page: ProofPage = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Tell the life of a row in a run: where it was read, what each operation did to it, and what
    became of it.

    The run is replayed, on the data that it read and with the rules that it had then; nothing is
    written. Where the data is much, Spark finds the rows that are meant, and these are replayed.
    Where that data was changed since, the command says what and tells nothing.

    Examples:

      rowbook trace latest journal_id=DE01-202601-019,line_number=1

      rowbook trace 0199c0 currency=EUR --dataset fx_rates

      rowbook trace latest journal_id=DE01-202601-019,line_number=1 -o row.html
    """
    workspace = open_workspace(folder, trust=trust, debug=debug)
    with Progress(quiet=format == "json") as progress:
        found = workspace.trace(
            run_id,
            row,
            dataset=dataset,
            limit=None if every else MOST_SHOWN,
            accept_changed_input=accept_changed_input,
            page=page,
            on_session=progress.session,
            on_wait=progress.begin,
        )
    print_proof(found.as_json(), trace_lines(found), page, format)
    return Exit.DONE
