"""Tables on the terminal: aligned, numbers to the right, as wide as it is; plain when piped."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from rowbook.cli.render.diagnostics import columns_of
from rowbook.text.table_layout import (
    GAP,
    TextColumn,
    columns_that_fit,
    fit_widths,
    format_table_value,
    natural_widths,
    total_width,
)
from rowbook.text.visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_PAGE = 80


def page(stream: TextIO) -> Console:
    """Rich for a stream: as wide as a terminal, elsewhere as a page and without colours."""
    from rich.console import Console

    width = None if stream.isatty() else _PAGE
    return Console(file=stream, width=width, highlight=False, soft_wrap=False)


def print_table(
    columns: Sequence[TextColumn], rows: Sequence[Sequence[Any]]
) -> tuple[TextColumn, ...]:
    """A table on stdout; gives the columns that were left out."""
    cells = [[visible(format_table_value(value)) for value in row] for row in rows]
    natural = natural_widths(columns, cells)
    available = columns_of(sys.stdout)
    kept = list(range(len(columns)))
    if available is not None:
        kept = columns_that_fit(columns, natural, available)
    found = _rich_table(
        [columns[i] for i in kept],
        [[row[i] for i in kept] for row in cells],
        fit_widths([columns[i] for i in kept], [natural[i] for i in kept], available),
    )
    out = page(sys.stdout)
    if available is None:
        out.width = max(total_width(natural), _PAGE)
    out.print(found)
    return tuple(column for i, column in enumerate(columns) if i not in kept)


def table(columns: Sequence[tuple[str, bool]], rows: Sequence[Sequence[Any]]) -> Table:
    """A table; each column is its heading and whether it holds numbers."""
    cells = [[format_table_value(value) for value in row] for row in rows]
    return _rich_table([TextColumn(heading, numeric) for heading, numeric in columns], cells, None)


def _rich_table(
    columns: Sequence[TextColumn], cells: Sequence[Sequence[str]], widths: Sequence[int] | None
) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, GAP - 1),
        collapse_padding=True,
        pad_edge=False,
        show_edge=False,
    )
    for i, column in enumerate(columns):
        table.add_column(
            column.heading,
            justify="right" if column.numeric else "left",
            overflow="ellipsis" if column.long == "cut" else "fold",
            no_wrap=column.long == "cut",
            width=widths[i] if widths else None,
        )
    for row in cells:
        table.add_row(*map(Text, row))
    return table
