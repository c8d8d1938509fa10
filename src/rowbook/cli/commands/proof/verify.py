"""`rowbook verify`: past runs computed again, and compared with all that is recorded of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rowbook.cli.option_types import Debug, EngineOption, Folder, Format, Trust
from rowbook.cli.render.printing import print_json, print_lines
from rowbook.cli.render.proof.verification_text import exit_of, verification_lines
from rowbook.cli.workspace_option import open_workspace


def verify(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN]...", help="Ids of runs, or their beginnings."),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option("--period", metavar="PERIOD", help="The runs in force for a period."),
    ] = None,
    all_active: Annotated[
        bool, typer.Option("--all-active", help="The runs in force for all periods.")
    ] = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="Compare rows, not their fingerprints alone.")
    ] = False,
    accept_changed_input: Annotated[
        bool,
        typer.Option(
            "--accept-changed-input",
            help="Where what was read is not there any more, compute on what is there now.",
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A certificate as HTML, with JSON beside it."
        ),
    ] = None,
    engine: EngineOption = None,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Compute past runs again, and compare.

    A run is computed from its snapshot with its clock and its id, from the data that it read: where
    that changed since, from what was kept of it. What each operation counted, the rows of each
    output, the tables on disk and the seal of the record are compared. No data is written.

    Exit code 0: proved. 1: something differs, or the record was changed. 3: it cannot be
    recomputed. 4: refused.

    Examples:

      rowbook verify 01a1e318

      rowbook verify --period 2026-01 -o certificate.html

      rowbook verify --all-active --exact
    """
    found = open_workspace(folder, trust=trust, engine=engine, debug=debug).verify(
        *(runs or ()),
        period=period,
        all_active=all_active,
        exact=exact,
        accept_changed_input=accept_changed_input,
        certificate=output,
    )
    if format == "json":
        print_json({"runs": [each.as_json() for each in found]})
    else:
        print_lines(verification_lines(found))
        if output is not None:
            print_lines([f"wrote {output} and {output.with_suffix('.json')}"])
    return exit_of(found)
