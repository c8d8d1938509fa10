"""How lineage is told: the sources of a column, those alike together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from rowbook.value_class import dataclass


class NamedSource(Protocol):
    """A column that something comes from, or goes to."""

    @property
    def dataset(self) -> str: ...
    @property
    def column(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def operations(self) -> tuple[int, ...]: ...
    @property
    def through(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class SourceLine:
    """All columns that something comes from in one way."""

    kind: str
    columns: tuple[str, ...]
    operations: tuple[int, ...]
    through: tuple[str, ...]

    @property
    def text(self) -> str:
        listed = ", ".join(self.columns)
        by = f"  by {', '.join(map(str, self.operations))}" if self.operations else ""
        through = f"  through {', '.join(self.through)}" if self.through else ""
        return f"{listed}{by}{through}"


def source_lines(sources: Iterable[NamedSource]) -> tuple[SourceLine, ...]:
    """One for each way, and each path through other projects; in the order of the sources."""
    groups: dict[tuple[str, tuple[str, ...]], list[NamedSource]] = {}
    for each in sources:
        groups.setdefault((each.kind, each.through), []).append(each)
    return tuple(_line(kind, through, found) for (kind, through), found in groups.items())


def _line(kind: str, through: tuple[str, ...], found: Sequence[NamedSource]) -> SourceLine:
    operations = sorted({seq for each in found for seq in each.operations})
    names = dict.fromkeys(f"{each.dataset}.{each.column}" for each in found)
    return SourceLine(kind, tuple(names), tuple(operations), through)
