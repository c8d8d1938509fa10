"""`rowbook infer`: definitions proposed for data."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Trust
from rowbook.cli.prompts import ask_trust
from rowbook.cli.render.printing import print_json, print_lines
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import Inference, Proposal


def infer(
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…", help="Files, a Delta table, or DATASOURCE:TABLE of a database."
        ),
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="What the dataset is called, if not as the file.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the definitions into the workspace.")
    ] = False,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Propose definitions for files and tables.

    It looks at all values: encoding and delimiter, how numbers and dates are written, the types of
    columns and whether values are missing, what tells rows apart, and which date says the period. A
    dataset, a data source and a resolver are printed as YAML, with comments that say what was seen.
    They are checked; --write makes files of them, and never overwrites one.

    Files whose names differ by the month alone are one dataset.

    Examples:

      rowbook infer data/ledger.csv

      rowbook infer data/gl_2026-01.csv data/gl_2026-02.csv --name gl --write

      rowbook infer erp:public.journal --write
    """
    from rowbook.api import infer

    found = infer(*data, folder=folder or Path(), name=name, write=write, trust=trust or ask_trust)
    if format == "json":
        print_json(
            {
                "datasets": [_proposal_json(each) for each in found.proposals],
                "written": list(found.written),
            }
        )
    elif write:
        print_lines(_written(found))
    else:
        sys.stdout.write("---\n".join(_texts(found)))
    return Exit.DONE


def _texts(found: Inference) -> Iterator[str]:
    """One stream of YAML, whose documents say which file they are for."""
    for proposal in found.proposals:
        for file, text in proposal.files.items():
            yield f"# {file}\n{text}"


def _written(found: Inference) -> Iterator[str]:
    way = os.path.relpath(found.root)
    for file in found.written:
        yield f"wrote {file if way == '.' else os.path.join(way, file)}"  # noqa: PTH118
    for proposal in found.proposals:
        rows, columns = proposal.profile.rows, len(proposal.profile.columns)
        seen = f"{number(rows, 'row')}, {number(columns, 'column')}"
        yield f"dataset {proposal.name}: {seen}"
    yield ""
    yield "what to do next:"
    yield ""
    yield "  rowbook validate"
    for proposal in found.proposals:
        period = proposal.period or "PERIOD"
        yield f"  rowbook datasets read {proposal.name} --period {period}"


def _proposal_json(proposal: Proposal) -> dict[str, Any]:
    profile = proposal.profile
    return {
        "name": proposal.name,
        "data": profile.extract.label,
        "rows": profile.rows,
        "columns": [
            {
                "name": column.name,
                "source": column.header,
                "type": str(column.choice.type),
                "nullable": column.nullable,
                "format": dict(column.choice.options),
                "evidence": column.choice.evidence,
            }
            for column in profile.columns
        ],
        "period": proposal.period,
        "keys": [list(key) for key in profile.keys.keys],
        "files": proposal.files,
    }
