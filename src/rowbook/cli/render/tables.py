"""Tables on the terminal: aligned, numbers to the right, as wide as it is; plain when piped."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, TextIO

from rowbook.cli.render.diagnostics import columns_of
from rowbook.text.visible import visible, width

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_PAGE = 80
_GAP = 2
_NARROWEST = 16


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A column of a table. Where a terminal has too little room, columns with the highest `spare`
    are left out first, 0 never; a text that is too long for what remains is cut or wrapped."""

    heading: str
    numeric: bool = False
    spare: int = 0
    long: Literal["kept", "cut", "wrapped"] = "kept"


def page(stream: TextIO) -> Console:
    """Rich for a stream: as wide as a terminal, elsewhere as a page and without colours."""
    from rich.console import Console

    width = None if stream.isatty() else _PAGE
    return Console(file=stream, width=width, highlight=False, soft_wrap=False)


def print_table(
    columns: Sequence[TextColumn], rows: Sequence[Sequence[Any]]
) -> tuple[TextColumn, ...]:
    """A table on stdout; gives the columns that were left out."""
    cells = [[visible(shown(value)) for value in row] for row in rows]
    natural = _natural(columns, cells)
    available = columns_of(sys.stdout)
    kept = list(range(len(columns)))
    if available is not None:
        kept = _fitting(columns, natural, available)
    made = _made(
        [columns[i] for i in kept],
        [[row[i] for i in kept] for row in cells],
        _widths([columns[i] for i in kept], [natural[i] for i in kept], available),
    )
    out = page(sys.stdout)
    if available is None:
        out.width = max(_total(natural), _PAGE)
    out.print(made)
    return tuple(column for i, column in enumerate(columns) if i not in kept)


def table(columns: Sequence[tuple[str, bool]], rows: Sequence[Sequence[Any]]) -> Table:
    """A table; each column is its heading and whether it holds numbers."""
    cells = [[shown(value) for value in row] for row in rows]
    return _made([TextColumn(heading, numeric) for heading, numeric in columns], cells, None)


def shown(value: Any) -> str:
    """A value as people read it."""
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).lower()
        case int():
            return f"{value:,}"
        case Decimal():
            return f"{value:,f}"
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
    return str(value)


def _made(
    columns: Sequence[TextColumn], cells: Sequence[Sequence[str]], widths: Sequence[int] | None
) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, _GAP - 1),
        collapse_padding=True,
        pad_edge=False,
        show_edge=False,
    )
    for i, column in enumerate(columns):
        made.add_column(
            column.heading,
            justify="right" if column.numeric else "left",
            overflow="ellipsis" if column.long == "cut" else "fold",
            no_wrap=column.long == "cut",
            width=widths[i] if widths else None,
        )
    for row in cells:
        made.add_row(*map(Text, row))
    return made


def _natural(columns: Sequence[TextColumn], cells: Sequence[Sequence[str]]) -> list[int]:
    """How wide each column is if nothing is cut."""
    return [
        max(width(column.heading), *(width(row[i]) for row in cells), 1)
        for i, column in enumerate(columns)
    ]


def _fitting(columns: Sequence[TextColumn], natural: Sequence[int], available: int) -> list[int]:
    """Which columns fit, once those that may give way are as narrow as can be."""
    kept = list(range(len(columns)))
    while True:
        least = [_least(columns[i], natural[i]) for i in kept]
        spare = max(kept, key=lambda i: columns[i].spare)
        if _total(least) <= available or columns[spare].spare == 0:
            return kept
        kept.remove(spare)


def _widths(
    columns: Sequence[TextColumn], natural: Sequence[int], available: int | None
) -> list[int]:
    """What is left goes to the columns that give way, from the left."""
    if available is None or _total(natural) <= available:
        return list(natural)
    widths = [_least(column, wide) for column, wide in zip(columns, natural, strict=True)]
    for i, wide in enumerate(natural):
        widths[i] += max(min(wide - widths[i], available - _total(widths)), 0)
    return widths


def _least(column: TextColumn, natural: int) -> int:
    return natural if column.long == "kept" else min(natural, _NARROWEST)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)
