"""How a chain went, for people and for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rowbook.cli.render.diagnostics import as_json, print_findings
from rowbook.cli.render.printing import print_lines
from rowbook.cli.render.run_result import print_result, result_json
from rowbook.cli.render.text_tables import print_table
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.api import ChainLink, ChainResult

_SUMMARY = (
    *map(TextColumn, ("project", "period", "status")),
    TextColumn("what", long="wrapped"),
)


def link_json(link: ChainLink) -> dict[str, Any]:
    return {
        "project": link.project,
        "version": link.version,
        "period": link.period,
        "status": link.status,
        "because": link.because,
        "run": result_json(link.run) if link.run else None,
        "errors": [as_json(error) for error in link.errors],
    }


def print_link(link: ChainLink, folder: str, *, quiet: bool) -> None:
    """As soon as it is known, below a line that says of what; what was not run is in the summary
    alone. `folder` is the way from here to the files that are named."""
    if link.run is not None:
        why = f": {link.because}" if link.because else ""
        print_lines([f"{link.project} for {link.period}{why}"])
        print_result(link.run, quiet=quiet)
        print_lines([""])
    elif link.errors:
        print_lines([f"{link.project} for {link.period}: failed before it began", ""])
        print_findings(link.errors, folder, sys.stderr)


def print_summary(result: ChainResult) -> None:
    print_table(
        _SUMMARY, [(each.project, each.period, each.status, _what(each)) for each in result.links]
    )


def _what(link: ChainLink) -> str:
    if link.status == "not run":
        return f"because {link.because}"
    if link.errors:
        return f"{link.errors[0].code}  {link.errors[0].text}"
    return f"run {link.run.run_id}" if link.run else link.because or ""
