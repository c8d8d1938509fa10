"""How columns of a sheet look: number formats by type, widths by what is in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

DAY, MOMENT = "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"
_NARROWEST, _WIDEST, _FILTER = 8, 60, 3
"""Characters; a header has a button for its filter."""


def number_format(kind: pa.DataType) -> str | None:
    """Decimals with their places and separated thousands; integers as they are: they may be
    numbers of accounts."""
    import pyarrow.types as is_

    if is_.is_decimal(kind):
        return f"#,##0.{'0' * kind.scale}" if kind.scale else "#,##0"
    if is_.is_integer(kind):
        return "0"
    if is_.is_date(kind):
        return DAY
    return MOMENT if is_.is_timestamp(kind) else None


@dataclass(slots=True)
class ColumnWidth:
    """The width that all cells of a column fit into, as far as that is sensible."""

    widest: int

    @classmethod
    def of_header(cls, name: str) -> ColumnWidth:
        return cls(len(name) + _FILTER)

    def see(self, value: object) -> None:
        match value:
            case bool():
                length = len("FALSE")
            case datetime():
                length = len(MOMENT)
            case date():
                length = len(DAY)
            case Decimal() | int():
                length = len(f"{value:,}")
            case _:
                length = len(str(value))
        self.widest = max(self.widest, length)

    @property
    def characters(self) -> int:
        return min(max(self.widest + 1, _NARROWEST), _WIDEST)
