"""Files that one scan can read. A scan for each file costs Spark far more than the rows in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import DataFile
from rowbook.sources.stores.object_path import ObjectPath

PERIOD_OF_PLACE = "__period"
"""The column that holds the period of a row's place, where the files of a bundle have several."""

_PLAIN = re.compile(r"[A-Za-z0-9_.=/\-]+")
Shape = TypeVar("Shape", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Placed:
    place: FileTable
    file: DataFile

    @property
    def name(self) -> str:
        return self.place.name_of(self.file)

    @property
    def tells_itself(self) -> bool:
        """Whether its path ends with its name to Spark too: then one scan can tell files of many
        places apart. Columns in folders' names need their own."""
        ends = str(self.file.path).endswith(f"/{self.tail}")
        return not self.file.partitions and ends and bool(_PLAIN.fullmatch(self.tail))

    @property
    def scheme(self) -> str:
        """What stands before the name of an object, which has another one to Spark."""
        head, mark, _ = self.name.partition("://")
        return f"{head}{mark}" if mark else ""

    @property
    def access(self) -> Hashable:
        """One scan reads what is reached alike."""
        path = self.file.path
        return self.scheme, path.store if isinstance(path, ObjectPath) else None

    @property
    def tail(self) -> str:
        return self.name.removeprefix(self.scheme)


class PlacePeriod(NamedTuple):
    """The period that all rows have by their place, or the column that holds it."""

    period: str | None
    column: str | None


@dataclass(frozen=True, slots=True)
class Bundle(Generic[Shape]):
    """Files of one shape for one scan. `depth` is how many parts of a path make a file's name; None
    where all files are of one place that does not tell itself."""

    shape: Shape
    files: tuple[Placed, ...]
    depth: int | None

    @property
    def place(self) -> FileTable:
        """The place of the first file; the only one where `depth` is None."""
        return self.files[0].place

    @property
    def partitions(self) -> tuple[str, ...]:
        return tuple(self.files[0].file.partitions)

    @property
    def origin(self) -> str:
        first, more = self.files[0], len(self.files) - 1
        if not more:
            return first.name
        if all(placed.place is first.place for placed in self.files):
            return first.place.label
        return f"{first.name} and {more} more"

    def label_of(self, path: str) -> str | None:
        return next((placed.name for placed in self.files if str(placed.file.path) == path), None)

    def file_name(self, placed: Placed) -> str | None:
        """What scan.file_name gives for the rows of a file; None where Spark has its own way to
        write the name."""
        if self.depth is not None:
            return placed.name
        label, relative = placed.place.label, placed.file.relative
        if not relative:
            return label
        return f"{label}/{relative}" if _PLAIN.fullmatch(relative) else None

    @property
    def place_period(self) -> PlacePeriod:
        several = len(self.periods) > 1
        return (
            PlacePeriod(None, PERIOD_OF_PLACE) if several else PlacePeriod(self.place.period, None)
        )

    def cells_of(self, placed: Placed) -> dict[str, str | None]:
        """What each row of a file holds beside what stands in it."""
        period = {PERIOD_OF_PLACE: placed.place.period} if self.place_period.column else {}
        return {**placed.file.partitions, **period}

    @property
    def periods(self) -> dict[str | None, list[str]]:
        found: dict[str | None, list[str]] = {}
        for placed in self.files:
            found.setdefault(placed.place.period, []).append(placed.name)
        return found


@dataclass(frozen=True, slots=True)
class Bundles(Generic[Shape]):
    """All files that are wanted; where there are none, one for its columns, without its rows."""

    each: tuple[Bundle[Shape], ...]
    with_rows: bool


def alike(places: Sequence[FileTable]) -> Collection[Sequence[FileTable]]:
    """Places of one kind with the same options, for each of which one reader is called."""
    groups: dict[Hashable, list[FileTable]] = {}
    for place in places:
        key = (place.kind, tuple(sorted(place.options.items())))
        groups.setdefault(key, []).append(place)
    return groups.values()


def bundle(places: Sequence[FileTable], shape_of: Callable[[Placed], Shape]) -> Bundles[Shape]:
    """For places with the same options; DATASOURCE_006 where one has no files."""
    wanted: list[Placed] = []
    others: list[Placed] = []
    for place in places:
        here, elsewhere = place.files()
        wanted += [Placed(place, file) for file in here]
        others += [Placed(place, file) for file in elsewhere]
    groups: dict[tuple[Shape, int | None, Hashable], list[Placed]] = {}
    for placed in wanted or others[-1:]:
        depth = placed.tail.count("/") + 1 if placed.tells_itself else None
        scope: Hashable = (placed.access, depth)
        if depth is None:
            scope = (id(placed.place), placed.file.depth, tuple(placed.file.partitions))
        groups.setdefault((shape_of(placed), depth, scope), []).append(placed)
    each = [Bundle(shape, tuple(files), depth) for (shape, depth, _), files in groups.items()]
    return Bundles(tuple(each), bool(wanted))
