"""Data as a source gives it, before it is mapped, checked and filtered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowbook.sources.files.text.value_forms import ISO, TextForm

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class BadValue:
    place: str
    column: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Raw:
    """A source's rows: physical column names, physical types.

    `as_text` says that all columns are text to be converted by the declared types (csv), written in
    the way `form` says. `period` is the period that the whole place belongs to, where the place is
    period-specific; where the rows come from such places of several periods, `period_column` names
    a column of `frame` that holds it. `identity` names columns of `frame` that tell each row from
    every other, for ever (file and row number); without, rows are told apart by their content.
    `find` looks a bad value up in the original and names file and line; None where the source has
    no lines. `by_position` says that columns have no names but c1, c2 …: declared columns are taken
    in order, those of `partitions` (columns that stand in folders' names) aside. `broken` names a
    column of `frame` that is NULL except on rows that could not be read as rows; `find` knows it
    too. `never_null` are columns of which the source itself says that they hold no NULL.
    """

    frame: DataFrame
    origin: str
    as_text: bool = False
    period: str | None = None
    identity: tuple[str, ...] = ()
    find: Callable[[str, Callable[[str | None], bool], int], list[BadValue]] | None = None
    form: TextForm = ISO
    by_position: bool = False
    partitions: tuple[str, ...] = ()
    broken: str | None = None
    period_column: str | None = None
    never_null: frozenset[str] = frozenset()

    @property
    def columns(self) -> tuple[str, ...]:
        """The physical columns: all of the frame but those that were added to it."""
        own = {*self.identity, self.broken, self.period_column}
        return tuple(name for name in self.frame.columns if name not in own)
