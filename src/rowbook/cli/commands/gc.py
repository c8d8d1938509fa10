"""`rowbook gc`: removes what runs left on disk and nobody will use again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format, Trust
from rowbook.cli.render.printing import print_json
from rowbook.cli.workspace_option import open_workspace
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import Removal

_LONGEST = 36_500


def gc(
    older_than: Annotated[
        int,
        typer.Option(
            "--older-than",
            metavar="DAYS",
            min=0,
            max=_LONGEST,
            help="Leave what ended in so many days.",
        ),
    ] = 30,
    folder: Folder = None,
    trust: Trust = False,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Remove what old drafts and failed runs left, and old evidence.

    Those are the sandboxes of drafts, and data that failed runs staged. A failed run whose staged
    data is removed can no longer be resumed. Of evidence it is what tables were before outputs
    replaced them, and contents that only old drafts read. Runs that are at work are never touched.

    Examples:

      rowbook gc

      rowbook gc --older-than 7
    """
    removals = open_workspace(folder, trust=trust).gc(older_than=older_than)
    if format == "json":
        _print_json(removals)
    else:
        _print_text(removals)
    return Exit.FINDINGS if any(each.failure for each in removals) else Exit.DONE


def _print_json(removals: Sequence[Removal]) -> None:
    removed = [each for each in removals if each.failure is None]
    print_json(
        {
            "removed": [{**_as_json(each), "bytes": each.bytes} for each in removed],
            "bytes": sum(each.bytes for each in removed),
            "kept": [{**_as_json(r), "reason": r.failure} for r in removals if r.failure],
        }
    )


def _as_json(removal: Removal) -> dict[str, object]:
    return {"run_id": removal.run_id, "what": removal.what, "place": removal.place}


def _print_text(removals: Sequence[Removal]) -> None:
    for each in removals:
        run = f" of run {each.run_id}" if each.run_id else ""
        line = f"{each.what}{run}: {each.place}"
        if each.failure is None:
            sys.stdout.write(f"removed {line}  {each.bytes:,} bytes\n")
        else:
            sys.stderr.write(f"not removed: {line}: {each.failure}\n")
    removed = [each for each in removals if each.failure is None]
    size = sum(each.bytes for each in removed)
    sys.stdout.write(f"{number(len(removed), 'place')} removed, {size:,} bytes\n")
