"""Tables on the terminal: aligned, numbers to the right, plain when piped."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDE = 200


def console(*, stderr: bool = False) -> Console:
    """Rich on a terminal; the same text without colours elsewhere."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else max(_WIDE, shutil.get_terminal_size().columns)
    return Console(file=stream, width=width, highlight=False, soft_wrap=False)


def table(columns: Sequence[tuple[str, bool]], rows: Sequence[Sequence[Any]]) -> Table:
    """A table; each column is its heading and whether it holds numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading, numeric in columns:
        made.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(shown(value)) for value in row))
    return made


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
