"""Who takes part in the benchmark of data sources, and whether all do the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.support.postgres_server import NoServerError

from benchmarks import rowbook_side, rowbook_tables
from benchmarks.ledger_data import PERIOD, LedgerData
from benchmarks.measuring.same_rows import Row, differences
from benchmarks.measuring.warm import Left, Work
from benchmarks.peers import postgres_copy, pyspark_sources
from benchmarks.postgres import Postgres, running_postgres, size_of_rows, tidy
from benchmarks.sources_task import (
    FOLDERS,
    NAMES,
    OTHER,
    PERIOD_COLUMN,
    Folder,
    Relation,
    Table,
    ledger_lines,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowbook.engine.session.jars import Extra

_EXTRAS: Mapping[str, Extra] = {"delta": "delta", "jdbc": "postgresql"}


@dataclass(frozen=True, slots=True)
class Bench:
    """What all kinds share: a session, the lines to write by period, a folder, and a server where
    there is one."""

    spark: SparkSession
    lines: Mapping[str, DataFrame]
    folder: Path
    server: Postgres | None

    def table(self, kind: str, whose: str) -> Table:
        """A contestant's own table."""
        if kind == "jdbc":
            assert self.server is not None
            return Relation(self.server, f"gl_{whose}")
        return Folder(next(each for each in FOLDERS if each == kind), self.folder / kind / whose)

    def possible(self, kinds: Collection[str]) -> list[str]:
        """Those that there can be tables of."""
        return [kind for kind in kinds if kind != "jdbc" or self.server is not None]

    def clear(self, kind: str) -> None:
        """Removes the files of a kind's tables."""
        shutil.rmtree(self.folder / kind, ignore_errors=True)

    def give_up(self) -> None:
        """Ends what is going on, for who takes too long."""
        self.spark.sparkContext.cancelAllJobs()
        if self.server is not None:
            self.server.cancel_all()


@contextmanager
def opened(data: LedgerData, kinds: Collection[str], folder: Path) -> Iterator[Bench]:
    """A session with all that the kinds need. It has no server where no kind needs one, or this
    machine has no PostgreSQL."""
    extras = [extra for kind, extra in _EXTRAS.items() if kind in kinds]
    with ExitStack() as held:
        scratch = held.enter_context(TemporaryDirectory(dir=folder, ignore_cleanup_errors=True))
        server = _server(held) if "jdbc" in kinds else None
        spark = held.enter_context(rowbook_side.session(extras=extras))
        lines = held.enter_context(ledger_lines(spark, data))
        yield Bench(spark, lines, Path(scratch), server)


def _server(held: ExitStack) -> Postgres | None:
    try:
        return held.enter_context(running_postgres())
    except NoServerError as error:
        print(f"jdbc is left out: {error}", flush=True)
        return None


@dataclass(frozen=True, slots=True)
class Contestant:
    """Replaces a period in a table of its own, and reads one of the table that PySpark wrote."""

    table: Table
    replace: Callable[[str], None]
    read: Callable[[], None]


def contestants(bench: Bench, kind: str) -> dict[str, Contestant]:
    """Those of a kind, each with a table that has both periods."""
    ours, theirs = bench.table(kind, "rowbook"), bench.table(kind, "pyspark")
    if isinstance(theirs, Relation):
        pyspark_sources.make_relation(theirs)

    def read_by_hand() -> None:
        _through(pyspark_sources.period_of(bench.spark, theirs, PERIOD))

    def read_by_rowbook() -> None:
        with rowbook_tables.period_of(bench.spark, theirs, PERIOD) as frame:
            _through(frame)

    def written_by(
        write: Callable[[DataFrame, Table, str], None], table: Table
    ) -> Callable[[str], None]:
        return lambda period: write(bench.lines[period], table, period)

    made = {
        "rowbook": Contestant(
            ours, written_by(rowbook_tables.replace_period, ours), read_by_rowbook
        ),
        "pyspark": Contestant(
            theirs, written_by(pyspark_sources.replace_period, theirs), read_by_hand
        ),
    }
    _fill(made.values())
    if isinstance(theirs, Relation):
        made["copy"] = _copy(bench, theirs)
        _fill([made["copy"]])
    return made


def _fill(who: Collection[Contestant]) -> None:
    for each in who:
        for period in (OTHER, PERIOD):
            each.replace(period)
        if isinstance(each.table, Relation):
            tidy(each.table.server, each.table.name)


def _copy(bench: Bench, theirs: Relation) -> Contestant:
    """It gets its lines from the table that PySpark filled."""
    own = Relation(theirs.server, "gl_copy")
    pyspark_sources.make_relation(own)
    lines = {period: bench.folder / f"{period}.lines" for period in (OTHER, PERIOD)}
    for period, file in lines.items():
        postgres_copy.read_period(theirs, period, into=file)
    return Contestant(
        own,
        lambda period: postgres_copy.replace_period(own, period, lines[period]),
        lambda: postgres_copy.read_period(theirs, PERIOD),
    )


def _through(frame: DataFrame) -> None:
    """Computes every row and column, and keeps none."""
    frame.write.format("noop").mode("overwrite").save()


def reads(who: Mapping[str, Contestant]) -> dict[str, Work]:
    """What is timed of reading."""
    return {name: Work(each.read) for name, each in who.items()}


def writes(bench: Bench, who: Mapping[str, Contestant]) -> dict[str, Work]:
    """What is timed of writing, and what it left."""
    return {
        name: Work(partial(each.replace, PERIOD), partial(_left, bench, each.table))
        for name, each in who.items()
    }


def _left(bench: Bench, table: Table) -> Left:
    if isinstance(table, Relation):
        tidy(table.server, table.name)
        return Left(size_of_rows(table.server, table.name, PERIOD_COLUMN, PERIOD))
    files = pyspark_sources.files_of(bench.spark, table, PERIOD)
    return Left(sum(path.stat().st_size for path in files), len(files))


def faults(bench: Bench, kind: str) -> dict[str, str]:
    """What each did, and in words how its rows differ from those it was given; empty where they do
    not. All tables are read by hand, and PySpark's by Rowbook too."""
    expected = {period: _rows(frame) for period, frame in bench.lines.items()}
    who, found = contestants(bench, kind), {}
    for name, each in who.items():
        each.replace(PERIOD)
        for period, rows in expected.items():
            got = _rows(pyspark_sources.period_of(bench.spark, each.table, period))
            found[f"{name} wrote {len(got):,} rows of {period}"] = differences(rows, got)
    for period, rows in expected.items():
        with rowbook_tables.period_of(bench.spark, who["pyspark"].table, period) as frame:
            got = _rows(frame)
        found[f"rowbook read {len(got):,} rows of {period}"] = differences(rows, got)
    return found


def _rows(frame: DataFrame) -> list[Row]:
    return [tuple(row) for row in frame.select(*NAMES).collect()]
