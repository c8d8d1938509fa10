"""What every kind of data source can do: describe, read, stage and publish, recover."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from rowbook.sources.raw import Raw

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Mode: TypeAlias = Literal["replace", "append", "error_if_exists"]

PlaceT = TypeVar("PlaceT", contravariant=True)
TargetT = TypeVar("TargetT", contravariant=True)


class UnreachableError(OSError):
    """A place cannot be asked at present: that is not the same as nothing being there."""


class GoneError(UnreachableError):
    """The folder that a table was in is gone: removed, or on a disk that will be back."""


@dataclass(frozen=True, slots=True)
class Content:
    """What identifies the content of a place, or of a part of it: a file by its size and time, a
    table that counts its versions by that. `size` is in bytes, 0 where nobody knows."""

    name: str
    size: int
    modified_ns: int | None = None
    version: str | None = None

    def as_json(self) -> dict[str, Any]:
        """For the record."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def from_json(cls, recorded: dict[str, Any]) -> Content:
        """As `as_json` gave it."""
        return cls(**recorded)


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What a write left: the new rows and the files they are in; a database has no files."""

    rows: int
    files: int
    bytes: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """What to do with a frame's rows, and for whom.

    `periods` are given where the frame has a `_period`, the run's own first: `replace` then
    replaces the rows of these periods; without, the whole table. `announce` is told what will be
    there immediately before it can be; what it raises keeps it from being. Where rows are counted
    only as they are published, it is told of none.
    """

    mode: Mode
    periods: tuple[str, ...] | None
    run_id: str
    seq: int = 0
    announce: Callable[[WriteResult], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of an output whose process died: whether it is the table (or was, until another
    one followed), and what it wrote, where that was not known before."""

    published: bool
    written: WriteResult | None = None


class Source(Protocol[PlaceT, TargetT]):
    """One kind of data source."""

    def columns(self, place: PlaceT) -> tuple[str, ...]:
        """The physical columns, found without Spark and without reading rows."""
        ...

    def contents(self, place: PlaceT) -> tuple[Content, ...]:
        """What identifies the content that a run would read; DATASOURCE_006 where there is none."""
        ...

    def read(
        self, spark: SparkSession, places: Sequence[PlaceT], held: ExitStack
    ) -> tuple[Raw, ...]:
        """The rows of places with the same options, in as few Raws as can be. Rows are read when a
        job runs; what must stay open until then is entered into `held`."""
        ...

    def write(self, frame: DataFrame, target: TargetT, order: WriteRequest) -> WriteResult:
        """Writes a frame, all or nothing. OUTPUT_006 where it cannot be; what Spark raises while
        computing the rows goes out as it is. In both cases the target is as it was."""
        ...

    def settle(self, target: TargetT, run_id: str, seq: int) -> Settlement:
        """After the process that wrote an output died, or was stopped for so long that others took
        over: whether the output is published. If not, it never will be, and nothing that it staged
        is left. UnreachableError where that cannot be found out now."""
        ...
