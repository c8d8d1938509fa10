"""What every kind of data source can do, from finding a table to tracing what was written.

A table is what is read, a target what is written; contents identify the state of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from rowbook.errors import RowbookError, reason
from rowbook.locations.boundary import Boundary
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Content, Evidence, Keeping, Recall, changed_names
from rowbook.sources.raw import Raw
from rowbook.sources.source_errors import NeedsSparkError, NotPlainError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowbook.definitions.models.datasource import DatasourceDefinition
    from rowbook.locations.boundary import Boundary
    from rowbook.reference.loading.dataset_rows import PlainTable
    from rowbook.sources.addresses import TableAddress, TargetAddress
    from rowbook.sources.databases.table_sample import TableSample
    from rowbook.sources.files.parquet.row_files import RowFiles
    from rowbook.sources.plain_output import PlainOutput

Extra: TypeAlias = Literal["delta", "postgresql", "iceberg", "mysql", "s3"]
"""The jars that a session may have beside Spark's own sources."""

Mode: TypeAlias = Literal["replace", "append", "error_if_exists"]

TableT = TypeVar("TableT", bound="SourceTable")
TargetT = TypeVar("TargetT", bound="Target", contravariant=True)


class SourceTable(Protocol):
    """A table to read. `period` is the one that all its rows belong to, where the place says so;
    `version` the table version that is read, of kinds that keep versions."""

    @property
    def kind(self) -> str: ...

    @property
    def label(self) -> str:
        """As messages name it, the same on every machine."""

    @property
    def period(self) -> str | None: ...

    @property
    def version(self) -> int | None: ...


class Target(Protocol):
    @property
    def kind(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def key(self) -> str:
        """The same for all outputs to this table."""

    def as_json(self) -> dict[str, Any]:
        """All of it, for the record, `kind` and `shown` among it; of a secret only where it is."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """`by_position`: columns have no names but c1, c2 …; `partitions` stand in folders' names.
    `note` is what a plan says of how the table is read. `periods` are those that there is data of,
    where folders tell; None where rows would have to be read for it."""

    by_position: bool = False
    partitions: frozenset[str] = frozenset()
    files: int | None = None
    note: str | None = None
    periods: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class PlainSample:
    """The first rows of a table, of so many `lines`; `is_whole` where there are no others."""

    tables: tuple[PlainTable, ...]
    lines: int
    is_whole: bool


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What a write left: the new rows and the files they are in; a database has no files. `digests`
    are those of the files as they were staged, by their names below the table, where that is how
    they stay."""

    rows: int
    files: int
    bytes: int
    duration_ms: int
    digests: Mapping[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, Any]:
        names = ("rows", "files", "bytes", "duration_ms")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class BegunOutput:
    """Rows of an output that are written as they pass, in a `folder`, before others of it; `rows`
    is how many, once that is known."""

    folder: Path
    files: Callable[[], RowFiles]
    """Where a part of the rows is written, apart from the others."""
    rows: int = 0


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """`periods` are given where the frame has a `_period`, the run's own first: `replace` then
    replaces the rows of these periods; without, the whole table.

    `local`: rows are few, and may be brought here to be written without Spark. `ordered`: they come
    in the order that files must keep. `sheets` are the outputs, by seq and name, that were staged
    before and are published with this one, in the same workbook; one that is not the last of its
    workbook is not `is_last`.

    The others are for who stages and publishes `at_once` (`Source.write`). `announce` is told what
    will be there immediately before it can be; what it raises keeps it from being. Where rows are
    counted only as they are published, it is told of none. `turn` is entered while what is there is
    read and replaced, and gives whether that keeps other writers out. `on_wait` is told again and
    again for whom a writer waits, `writer` is what others are told of this one; `keeps_replaced` is
    that of Publishing.

    `passes`: there may be many rows, and where the format allows they are written by Python as they
    pass. `begun` are rows of the same output that were written so before (`Source.begin`)."""

    mode: Mode
    periods: tuple[str, ...] | None
    run_id: str
    seq: int = 0
    announce: Callable[[WriteResult], None] = lambda _: None
    turn: Callable[[], AbstractContextManager[bool]] = lambda: nullcontext(False)
    on_wait: Callable[[str], None] = lambda _: None
    writer: str = ""
    local: bool = False
    ordered: bool = False
    sheets: tuple[tuple[int, str], ...] = ()
    is_last: bool = True
    at_once: bool = False
    keeps_replaced: bool = False
    passes: bool = False
    begun: BegunOutput | None = None


@dataclass(frozen=True, slots=True)
class StagedOutput:
    """Rows of an output that nobody sees yet. `details` are what its kind needs to find them again
    from a record, and to see that they are whole; `frame` has them where they are published at once
    by a kind that can do it in one step."""

    target: Target
    mode: Mode
    periods: tuple[str, ...] | None
    run_id: str
    seq: int
    written: WriteResult
    details: Mapping[str, Any] = field(default_factory=dict)
    frame: DataFrame | None = None

    @classmethod
    def of(
        cls, target: Target, order: WriteRequest, written: WriteResult, **details: Any
    ) -> StagedOutput:
        return cls(target, order.mode, order.periods, order.run_id, order.seq, written, details)

    def as_json(self) -> dict[str, Any]:
        """All but the frame, for the record."""
        return {
            "target": self.target.as_json(),
            "mode": self.mode,
            "periods": None if self.periods is None else list(self.periods),
            "written": asdict(self.written),
            "details": dict(self.details),
        }

    @classmethod
    def from_json(
        cls, recorded: Mapping[str, Any], target: Target, run_id: str, seq: int
    ) -> StagedOutput:
        """ValueError, LookupError, TypeError where it is none."""
        modes: tuple[Mode, ...] = ("replace", "append", "error_if_exists")
        mode = modes[modes.index(recorded["mode"])]
        periods = None if recorded["periods"] is None else tuple(recorded["periods"])
        written = WriteResult(**recorded["written"])
        return cls(target, mode, periods, run_id, seq, written, recorded["details"])


@dataclass(frozen=True, slots=True)
class Publishing:
    """How staged rows are published. `has_turn`: other runs of the store are kept out of the table.
    `announce` is told, immediately before, what will be there. `spark` opens a session where one is
    needed; without, NeedsSparkError is raised. `keeps_replaced`: what a table of files was before
    stays beside it as evidence."""

    has_turn: bool = False
    announce: Callable[[WriteResult], None] = lambda _: None
    on_wait: Callable[[str], None] = lambda _: None
    writer: str = ""
    spark: Callable[[], SparkSession] | None = None
    keeps_replaced: bool = False

    def session(self, label: str) -> SparkSession:
        if self.spark is None:
            raise NeedsSparkError(f"{label} can be published with Spark alone")
        return self.spark()


@dataclass(frozen=True, slots=True)
class Settlement:
    """Whether an output is the table (or was, until another one followed), and what it wrote, where
    that was not known before."""

    published: bool
    written: WriteResult | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """`since` are the outputs, as run and seq, that the table became since; none where it keeps its
    versions, and is read as of the output."""

    table: SourceTable
    since: tuple[tuple[str, int], ...] = ()


class Source(Protocol[TableT, TargetT]):
    """One kind of data source. What has a body here is right for kinds that say nothing else."""

    def table_at(self, address: TableAddress) -> TableT:
        """DATASOURCE_006 where it can be seen not to be there, DATASOURCE_004 where it lies outside
        what the workspace allows."""

    def target_at(self, address: TargetAddress) -> Target: ...

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> Target:
        """A target as its `as_json` gave it. A store may say what it likes: DATASOURCE_004 where it
        lies outside what the workspace allows."""

    def table_of(self, target: TargetT) -> TableT: ...

    def existing(self, target: TargetT) -> TableT:
        return self.table_of(target)

    def columns(self, table: TableT) -> tuple[str, ...]:
        """The physical columns, found without Spark and without reading rows."""

    def contents(self, table: TableT) -> tuple[Content, ...]:
        """DATASOURCE_006 where there is nothing. Of a pinned table nobody is asked again."""

    def layout(self, table: TableT) -> TableLayout:
        return TableLayout()

    def pin(
        self, table: TableT, contents: Sequence[Content] | None, keeping: Keeping | None
    ) -> TableT:
        """To be read with the contents it has now, or with those that are given, maybe of more than
        it reads. ContentsChangedError where it has others now, and does not keep its versions. What
        can be kept is kept, whatever others do to the table meanwhile."""

    def fingerprint(self, table: TableT) -> tuple[Content, ...]:
        """The contents with their digests, where what is in a table can be told by looking at all
        of it. It may take as long as reading does."""
        return self.contents(table)

    def keep_contents(
        self, table: TableT, contents: Sequence[Content], folder: ContentFolder
    ) -> tuple[Content, ...]:
        """The contents, once what they are is kept as evidence, as far as `folder` takes it."""
        return tuple(contents)

    def recall(
        self, address: TableAddress, contents: Sequence[Content], evidence: Evidence
    ) -> Recall:
        """A table as it was read with these contents, their digests among them where these were
        known."""
        try:
            table = self.pin(self.table_at(address), None, evidence.keeping)
            changes = changed_names(contents, self.fingerprint(table))
        except (RowbookError, OSError) as error:
            return Recall("missing", None, (reason(error),))
        return Recall("changed", None, changes) if changes else Recall("same", table)

    def check(self, table: TableT) -> None:
        """RUN_011 where a pinned table, or the place where it was found, has other contents
        now."""
        return

    def check_credential(self, of: TableT | TargetT) -> None:
        """DATASOURCE_009 where there is none of the name, DATASOURCE_011 where it may not go to the
        server, which is not asked."""
        return

    def without_ids(self, table: TableT) -> TableT:
        return table

    def read(
        self, spark: SparkSession, tables: Sequence[TableT], resources: ExitStack
    ) -> tuple[Raw, ...]:
        """In as few Raws as can be. Rows are read when a job runs; what must stay open until then
        is entered into `resources`. RUN_011 where a pinned table has other contents now, and those
        that were pinned cannot be read."""

    def count_plain(self, table: TableT, most: int) -> int:
        """How many rows `read_plain` would give, found without reading values; of a text maybe too
        many, as lines are counted. Counting may end above `most`. NotPlainError where only Spark
        can read it."""
        raise NotPlainError(f"{table.label} is {table.kind}, which Spark reads")

    def read_plain(self, tables: Sequence[TableT]) -> tuple[PlainTable, ...]:
        """The rows that `read` gives, without Spark: in the same parts, with the same identity, and
        for the same faults the same errors. NotPlainError where that cannot be promised."""
        raise NotPlainError(f"{tables[0].label} is {tables[0].kind}, which Spark reads")

    def sample_plain(self, table: TableT, most: int) -> PlainSample:
        """The rows that stand in the first lines of a table of text, `most` in all, of a few files.
        NotPlainError for others, and where `read_plain` would say so of these."""
        raise NotPlainError(f"{table.label} has no lines")

    def sample_table(
        self, source: DatasourceDefinition, table: str, boundary: Boundary, most: int
    ) -> TableSample:
        """A table of a server, looked at without Spark. DATASOURCE_006 where there is none,
        NotPlainError for kinds that are no servers."""
        raise NotPlainError(f"{source.name} is {source.type}, which is no server")

    def column_hint(self, table: TableT, missing: Collection[str]) -> str | None:
        """Where the columns may be of a table that was found to lack them all."""
        return None

    def can_begin(self, target: TargetT) -> bool:
        """Whether some rows of an output can be written as they pass, before others of it."""
        return False

    def begin(self, target: TargetT, order: WriteRequest, columns: Sequence[str]) -> BegunOutput:
        """Where they are written; they become a part of what is staged with the others. If that
        never happens, `settle` removes them."""
        raise AssertionError("only kinds that can begin outputs are asked to")

    def stage(self, frame: DataFrame, target: TargetT, order: WriteRequest) -> StagedOutput:
        """Computes the rows of an output, and keeps them where nobody sees them: counted, on disk,
        to be found again by other processes. OUTPUT_006 where they cannot be written, or the target
        cannot take them as it is now; what Spark raises while computing goes out as it is. In both
        cases nothing is left."""

    def stage_plain(
        self, output: PlainOutput, target: TargetT, order: WriteRequest
    ) -> StagedOutput | None:
        """The same without Spark, of rows that are here; None where only Spark can write them."""
        return None

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        """Makes staged rows the table, or a part of it, all or nothing and in order; what was
        published already stays so. Outputs are given together that have one `publication_key`.
        OUTPUT_006 where that cannot be: the target is as it was then, and the rows are still
        staged, unless they were lost."""

    def publication_key(self, target: TargetT) -> str | None:
        """The same for outputs of a run that are published in one step; None for one alone."""
        return None

    def damage(self, staged: StagedOutput) -> str | None:
        """Why rows that were staged cannot be published any more; None where they are whole.
        UnreachableError where that cannot be found out now."""

    def discard(self, staged: StagedOutput) -> None:
        """Removes staged rows that nobody will publish."""

    def write(self, frame: DataFrame, target: TargetT, order: WriteRequest) -> WriteResult:
        """Stages and publishes at once; if either fails, the target is as it was, and nothing is
        left."""
        staged = self.stage(frame, target, replace(order, at_once=True))
        return self.publish_at_once(staged, order, lambda: frame.sparkSession)

    def write_plain(
        self,
        output: PlainOutput,
        target: TargetT,
        order: WriteRequest,
        spark: Callable[[], SparkSession] | None,
    ) -> WriteResult | None:
        """As `stage_plain`, and published at once; `spark` is that of Publishing."""
        staged = self.stage_plain(output, target, replace(order, at_once=True))
        return None if staged is None else self.publish_at_once(staged, order, spark)

    def publish_at_once(
        self,
        staged: StagedOutput,
        order: WriteRequest,
        spark: Callable[[], SparkSession] | None,
    ) -> WriteResult:
        try:
            with order.turn() as has_turn:
                publishing = Publishing(
                    has_turn,
                    order.announce,
                    order.on_wait,
                    order.writer,
                    spark,
                    order.keeps_replaced,
                )
                (written,) = self.publish((staged,), publishing)
        except BaseException:
            with suppress(OSError):
                self.discard(staged)
            raise
        return written

    def settle(self, target: TargetT, run_id: str, seq: int) -> Settlement:
        """After the process that wrote an output died, or was stopped for so long that others took
        over: whether the output is published. If not, it never will be, and nothing that it staged
        is left. UnreachableError where that cannot be found out now."""

    def trace(
        self,
        target: TargetT,
        run_id: str,
        seq: int,
        columns: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        """An output of these columns, found again; of `periods` alone, where they are given. None
        where the table does not know the output, or is not there."""

    def earlier_states(
        self,
        target: TargetT,
        run_id: str,
        seq: int,
        columns: Collection[str],
        periods: Collection[str] | None,
    ) -> tuple[Trace, ...]:
        """As `trace`, of what the table was before later outputs replaced it, as far as that is
        kept; the newest first."""
        return ()

    def remove_states(self, target: TargetT, before: datetime) -> tuple[tuple[str, int], ...]:
        """Removes what a table was that was replaced before a time; gives where that was, and its
        bytes."""
        return ()

    def extras(self, of: TableT | TargetT) -> frozenset[Extra]:
        """The jars that Spark needs for this one beside those of its kind."""
        return frozenset()

    def overlaps(self, target: TargetT, table: TableT) -> bool:
        """Whether writing takes away what is read: not where readers keep what they began to
        read."""
        return False
