"""Mismatches as a diff: for people, in lines that fit 100 columns, and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rowbook.errors import Diagnostic
from rowbook.text.cell_text import as_json, first_difference, format_both, format_cell
from rowbook.text.table_layout import table_lines
from rowbook.text.visible import clip, pad, width

if TYPE_CHECKING:
    from rowbook.api import CellDifference, Mismatch, RowPair, RowsDifference
    from rowbook.text.cell_text import Cell

WIDTH = 98
"""A report indents these lines, and fits 100 columns."""
MOST_SHOWN = 20
"""Rows a section."""
MOST_IN_JSON = 200
_RED, _GREEN, _BOLD, _PLAIN = "\033[31m", "\033[32m", "\033[1m", "\033[0m"

Describe: TypeAlias = Callable[[Diagnostic], Iterable[str]]
"""Says a diagnostic in lines of text."""


def lines(mismatch: Mismatch, describe: Describe, *, paint: bool = False) -> Iterator[str]:
    head = f"{mismatch.what}: {mismatch.message}  (line {mismatch.position.line})"
    wrapped = textwrap.wrap(head, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    yield from (_painted(line, _BOLD, paint) for line in wrapped)
    for difference in mismatch.cells:
        yield from cell_lines(difference, 4)
    for error in mismatch.errors:
        yield from (f"    {line}" for line in describe(error))
    if mismatch.rows is not None:
        yield from _rows(mismatch.rows, paint)


def cell_lines(difference: CellDifference, indent: int) -> Iterator[str]:
    """`amount: expected 10.50, got 10.55`; on two lines where one is too short, cut such that the
    first difference is seen."""
    blanks = " " * indent
    expected, got = format_both(difference.expected, difference.got)
    line = f"{blanks}{difference.column}: expected {expected}, got {got}"
    if width(line) <= WIDTH:
        yield line
        return
    column = clip(difference.column, WIDTH // 2)
    lead = f"{blanks}{column}: expected "
    room, around = WIDTH - width(lead), first_difference(expected, got)
    yield lead + clip(expected, room, around)
    yield pad("", width(lead) - 4) + "got " + clip(got, room, around)


def _rows(rows: RowsDifference, paint: bool) -> Iterator[str]:
    if rows.pairs:
        yield "  different rows"
        for pair in rows.pairs[:MOST_SHOWN]:
            yield from _pair(pair)
        yield from _more(len(rows.pairs))
    sections = (
        ("missing rows", _RED, [(row.cells, row.origin) for row in rows.missing]),
        ("unexpected rows", _GREEN, [(cells, "") for cells in rows.unexpected]),
    )
    for title, colour, found in sections:
        if found:
            yield f"  {title}"
            table = table_lines(rows.columns, found[:MOST_SHOWN], WIDTH)
            yield from (_painted(line, colour, paint) for line in table)
            yield from _more(len(found))
    if rows.searched is not None:
        yield f"  only the first {rows.searched} rows of each side were searched for pairs"


def _pair(pair: RowPair) -> Iterator[str]:
    parts = [] if pair.number is None else [f"row {pair.number}"]
    parts += [f"{column} {format_cell(cell)}" for column, cell in pair.known_by]
    origin = f"({pair.origin})"
    room = WIDTH - 5 - width(origin)
    yield f"    {clip(', '.join(parts), room)} {origin}" if parts else f"    {origin}"
    for difference in pair.cells:
        yield from cell_lines(difference, 6)


def _more(count: int) -> Iterator[str]:
    if count > MOST_SHOWN:
        yield f"    … and {count - MOST_SHOWN} more"


def _painted(line: str, colour: str, paint: bool) -> str:
    return f"{colour}{line}{_PLAIN}" if paint else line


def mismatch_json(mismatch: Mismatch) -> dict[str, Any]:
    """A mismatch for programs; of long lists the first rows, and how many there are."""
    found: dict[str, Any] = {
        "what": mismatch.what,
        "message": mismatch.message,
        "line": mismatch.position.line,
    }
    if mismatch.cells:
        found["cells"] = [_cell_json(cell) for cell in mismatch.cells]
    rows = mismatch.rows
    if rows is not None:

        def row(cells: Sequence[Cell]) -> dict[str, Any]:
            return dict(zip(rows.columns, map(as_json, cells), strict=True))

        found["missing"] = [row(r.cells) for r in rows.missing[:MOST_IN_JSON]]
        found["unexpected"] = [row(cells) for cells in rows.unexpected[:MOST_IN_JSON]]
        found["different"] = [_pair_json(pair) for pair in rows.pairs[:MOST_IN_JSON]]
        found["counts"] = {
            "missing": len(rows.missing),
            "unexpected": len(rows.unexpected),
            "different": len(rows.pairs),
        }
    return found


def _pair_json(pair: RowPair) -> dict[str, Any]:
    return {
        "row": {column: as_json(cell) for column, cell in pair.known_by},
        "origin": pair.origin,
        "cells": [_cell_json(cell) for cell in pair.cells],
    }


def _cell_json(cell: CellDifference) -> dict[str, Any]:
    return {"column": cell.column, "expected": as_json(cell.expected), "got": as_json(cell.got)}
