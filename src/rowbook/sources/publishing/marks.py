"""The mark of a table: which outputs of which runs it is and was, so that after a crash it can be
seen whether one of them was published.

It lies in the table, since it must become visible with it in one step. Readers of other tools take
any file in a table's folder for a part of it, hidden or not (polars refuses the table then); none
minds an empty folder. So a mark is a hidden folder of empty folders, whose names say it all:
`.rowbook-output/00.<run>.<seq>`, the newest first. Older tables have a file of lines instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rowbook.sources.files.listing import MARK

_REMEMBERED = 100
"""Outputs that a table names: far more than are published while a dead run waits to be settled."""


def mark(
    staged: Path, run_id: str, seq: int, before: Path | None = None, also: Iterable[int] = ()
) -> None:
    """With the outputs that the table `before` was: if their runs died before they could say so,
    they are known to have been published nevertheless. `also` are those of the run that are
    published with this one."""
    own = [(run_id, each) for each in (seq, *also)]
    outputs = [*own, *(marked_outputs(before) if before else ())]
    folder = staged / MARK
    folder.mkdir()
    for place, (run, number) in enumerate(outputs[:_REMEMBERED]):
        (folder / f"{place:02}.{run}.{number}").mkdir()


def is_marked(table: Path, run_id: str, seq: int) -> bool:
    return (run_id, seq) in marked_outputs(table)


def published_since(table: Path, run_id: str, seq: int) -> tuple[tuple[str, int], ...] | None:
    """The outputs, as run and seq, that a table became after an output of a run, newest first; None
    where the table does not know that output, or is not there."""
    outputs = marked_outputs(table)
    return outputs[: outputs.index((run_id, seq))] if (run_id, seq) in outputs else None


def marked_outputs(table: Path) -> tuple[tuple[str, int], ...]:
    """As run and seq, the newest first."""
    found = table / MARK
    try:
        words = (
            [entry.name.split(".")[1:] for entry in sorted(found.iterdir())]
            if found.is_dir()
            else [line.split() for line in found.read_text(encoding="ascii").splitlines()]
        )
        return tuple((run, int(number)) for run, number in words)
    except (OSError, ValueError):
        return ()
