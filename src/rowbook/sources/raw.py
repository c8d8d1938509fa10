"""Data as a source gives it, before it is mapped, checked and filtered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowbook.sources.files.text.value_forms import ISO, TextForm

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from rowbook.expressions.types import Type
    from rowbook.reference.loading.dataset_rows import PlainTable
    from rowbook.sources.files.typed_copy import TypedText


@dataclass(frozen=True, slots=True)
class BadValue:
    place: str
    column: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Raw:
    """Physical column names, physical types. `as_text`: all columns are text, written as `form`
    says, to be converted by the declared types. `period` is that of the whole place, where it has
    one; where rows come from places of several periods, `period_column` of `frame` holds it.
    `identity` are columns of `frame` that tell each row from every other, for ever (file and row
    number); without, rows are told apart by their content. `find` looks a bad value up in the
    original and names file and line; None where the source has no lines. `by_position`: columns
    have no names but c1, c2 …, and declared ones are taken in order, those of `partitions` (in
    folders' names) aside. `broken` is a column of `frame` that is NULL except on rows that could
    not be read; `find` knows it too. `never_null` are columns of which the source says that they
    hold no NULL. `label_of` gives a file that is read, by its path, as the definitions have it.
    `plain` are the rows of a source that Spark does not read; `frame` has their columns alone.
    `marked` gives the text of a column, with NUMBER_MARK around it where it is a number of json,
    from the column `row` of `frame`. `encoding_hint` says what files look like that hold bytes of
    no text. `typed` gives the same rows with columns of types, those that are to be never NULL
    without any; None where that is not certain of all values. `text` is what it copies."""

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
    label_of: Callable[[str], str | None] | None = None
    plain: PlainTable | None = None
    row: str | None = None
    marked: Callable[[str], Column] | None = None
    encoding_hint: Callable[[], str] | None = None
    text: TypedText | None = None
    typed: Callable[[Mapping[str, Type], Collection[str]], Raw | None] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The physical columns: all of the frame but those that were added to it."""
        own = {*self.identity, self.broken, self.period_column, self.row}
        return tuple(name for name in self.frame.columns if name not in own)
