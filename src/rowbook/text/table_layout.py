"""Tables of text: how wide columns are, which fit a terminal, what is cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from rowbook.text.cell_text import format_cell
from rowbook.text.visible import clip, pad, width

if TYPE_CHECKING:
    from rowbook.text.cell_text import Cell

GAP = 2
_NARROWEST = 16
_WIDEST_CELL = 30


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A column of a table. Where a terminal has too little room, columns with the highest `spare`
    are left out first, 0 never; a text that is too long for what remains is cut or wrapped."""

    heading: str
    numeric: bool = False
    spare: int = 0
    long: Literal["kept", "cut", "wrapped"] = "kept"


def format_table_value(value: Any) -> str:
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


def total_width(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def natural_widths(columns: Sequence[TextColumn], cells: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(width(column.heading), *(width(row[i]) for row in cells), 1)
        for i, column in enumerate(columns)
    ]


def columns_that_fit(
    columns: Sequence[TextColumn], natural: Sequence[int], available: int
) -> list[int]:
    """Which columns fit, once those that may give way are as narrow as can be."""
    kept = list(range(len(columns)))
    while True:
        least = [_least(columns[i], natural[i]) for i in kept]
        spare = max(kept, key=lambda i: columns[i].spare)
        if total_width(least) <= available or columns[spare].spare == 0:
            return kept
        kept.remove(spare)


def fit_widths(
    columns: Sequence[TextColumn], natural: Sequence[int], available: int | None
) -> list[int]:
    """What is left goes to the columns that give way, from the left."""
    if available is None or total_width(natural) <= available:
        return list(natural)
    widths = [_least(column, wide) for column, wide in zip(columns, natural, strict=True)]
    for i, wide in enumerate(natural):
        widths[i] += max(min(wide - widths[i], available - total_width(widths)), 0)
    return widths


def table_lines(
    columns: Sequence[str], rows: Sequence[tuple[Sequence[Cell], str]], wide: int
) -> Iterator[str]:
    """The rows below their columns' names, each with its origin; as lists of `column: value` where
    that is too wide."""
    texts = [[clip(format_cell(cell), _WIDEST_CELL) for cell in cells] for cells, _ in rows]
    widths = [max(map(width, column)) for column in zip(columns, *texts, strict=True)]
    origins = [f"({origin})" if origin else "" for _, origin in rows]
    if 4 + sum(widths) + 2 * len(widths) + max(map(width, origins)) > wide:
        for (cells, _), origin in zip(rows, origins, strict=True):
            yield from _list(columns, cells, origin, wide)
        return
    numeric = [all(_is_number(cells[i]) for cells, _ in rows) for i in range(len(columns))]
    for line, origin in zip((columns, *texts), ("", *origins), strict=True):
        parts = zip(line, widths, numeric, strict=True)
        text = "  ".join(pad(part, most, right=right) for part, most, right in parts)
        yield f"    {text}  {origin}".rstrip()


def _least(column: TextColumn, natural: int) -> int:
    return natural if column.long == "kept" else min(natural, _NARROWEST)


def _list(columns: Sequence[str], cells: Sequence[Cell], origin: str, wide: int) -> Iterator[str]:
    parts = [f"{name}: {format_cell(cell)}" for name, cell in zip(columns, cells, strict=True)]
    line = "    "
    for i, part in enumerate([*parts, origin] if origin else parts):
        text = clip(part + ("," if i < len(parts) - 1 else ""), wide - 6)
        if line.strip() and width(line) + width(text) + 1 > wide:
            yield line
            line = "      "
        line += f" {text}" if line.strip() else text
    yield line


def _is_number(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, int | float | Decimal) and not isinstance(cell, bool))
