"""Delta tables under kills, late writers and others who write: published once, or never."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.sources.delta import write as writing
from rowbook.sources.delta.source import DeltaSource
from rowbook.sources.source import Mode, Settlement, WriteResult
from rowbook.sources.source_errors import UnreachableError
from tests.sources.delta.samples import commit, found, newest, put, refusal, target
from tests.sources.tables import names_in
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark

JANUARY, FEBRUARY = ("2026-01",), ("2026-02",)
GIVEN_UP = "data/closed was not written: the run was given up for dead meanwhile"


def row(spark: SparkSession, name: str, period: str = "2026-01") -> DataFrame:
    return local_frame(spark, [(name, "x", period)], "id string, note string, _period string")


def by_another(path: Path, name: str, period: str = "2026-01") -> None:
    """A commit of a writer that is neither Rowbook nor Spark."""
    rows = pa.table({"id": [name], "note": ["x"], "_period": [period]})
    write_deltalake(path, rows, mode="append", partition_by=["_period"])


def settle(path: Path, run_id: str) -> Settlement:
    return DeltaSource().settle(target(path), run_id, 1)


@dataclass(frozen=True, slots=True)
class Gate:
    """Rows that are not computed before they may be."""

    folder: Path

    def rows(self, frame: DataFrame) -> DataFrame:
        reached, opened = str(self.folder / "reached"), str(self.folder / "opened")

        def wait(value: str) -> str:
            Path(reached).touch()
            while not Path(opened).exists():
                time.sleep(0.02)
            return value

        return frame.withColumn("note", F.udf(wait, "string", useArrow=False)("note"))

    def wait(self) -> None:
        limit = time.monotonic() + 120
        while not (self.folder / "reached").exists():
            assert time.monotonic() < limit
            time.sleep(0.02)

    def open(self) -> None:
        (self.folder / "opened").touch()


@contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[list[BaseException]]:
    """Does something in another thread; what it raised is in the list at the end."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield raised
    finally:
        thread.join()


@pytest.fixture
def gate(tmp_path_factory: pytest.TempPathFactory) -> Gate:
    return Gate(tmp_path_factory.mktemp("gate"))


@pytest.mark.campaign
def test_an_output_is_published_also_when_others_followed(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    put(row(spark, "first"), path, periods=JANUARY, run_id="r0")
    put(row(spark, "ours"), path, periods=JANUARY, run_id="r1")
    put(row(spark, "other"), path, periods=JANUARY, run_id="r2")
    for run_id in ("r0", "r1", "r2"):
        settled = settle(path, run_id)
        assert settled.published
        assert settled.written is not None
        assert (settled.written.rows, settled.written.files) == (1, 1)
    assert newest(path) == 2


def test_nothing_is_committed_for_an_output_that_was_never_begun(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    assert settle(path, "r1") == Settlement(False)
    put(row(spark, "first"), path, periods=JANUARY, run_id="r0")
    assert settle(path, "r1") == Settlement(False)
    assert newest(path) == 0


def test_a_disk_that_is_away_is_not_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreachableError):
        settle(tmp_path / "away" / "closed", "r1")


def test_a_write_that_begins_after_it_was_given_up_writes_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    put(row(spark, "first"), path, periods=JANUARY, run_id="r0")

    def taken_over(_: WriteResult) -> None:
        assert settle(path, "r1") == Settlement(False)

    with pytest.raises(RowbookError) as refused:
        put(row(spark, "late"), path, periods=JANUARY, run_id="r1", announce=taken_over)
    assert refusal(refused) == GIVEN_UP
    assert found(path, "id") == [("first",)]
    assert newest(path) == 1, "the commit that shut it out"
    assert {kind for action in commit(path, 1) for kind in action} == {"commitInfo", "txn"}
    assert settle(path, "r1") == Settlement(False)
    put(row(spark, "again"), path, periods=JANUARY, run_id="r1")
    assert found(path, "id") == [("again",)]
    assert settle(path, "r1").published
    assert newest(path) == 2


@pytest.mark.campaign
def test_a_write_that_was_at_work_when_it_was_given_up_writes_nothing(
    spark: SparkSession, tmp_path: Path, gate: Gate
) -> None:
    path = tmp_path / "closed"
    put(row(spark, "first"), path, periods=JANUARY, run_id="r0")
    late = gate.rows(row(spark, "late"))
    with meanwhile(lambda: put(late, path, periods=JANUARY, run_id="r1")) as raised:
        gate.wait()
        assert settle(path, "r1") == Settlement(False)
        gate.open()
    (error,) = raised
    assert isinstance(error, RowbookError)
    assert error.diagnostics[0].message == GIVEN_UP
    assert found(path, "id") == [("first",)]
    assert names_in(tmp_path) == ["closed"]


@pytest.mark.campaign
def test_a_first_write_that_was_given_up_makes_no_table(
    spark: SparkSession, tmp_path: Path, gate: Gate
) -> None:
    path = tmp_path / "closed"
    late = gate.rows(row(spark, "late"))
    with meanwhile(lambda: put(late, path, periods=JANUARY, run_id="r1")) as raised:
        gate.wait()
        assert settle(path, "r1") == Settlement(False)
        gate.open()
    (error,) = raised
    assert isinstance(error, RowbookError)
    assert error.diagnostics[0].code == "OUTPUT_006"
    assert names_in(tmp_path) == []


def test_where_a_protocol_is_not_known_nothing_is_committed(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    frame = row(spark, "first")
    frame.write.format("delta").option("delta.enableInCommitTimestamps", "true").save(str(path))
    (tmp_path / ".closed.staging-r1").mkdir()
    assert settle(path, "r1") == Settlement(False)
    assert newest(path) == 0
    assert names_in(tmp_path) == ["closed"]


def test_two_runs_replace_two_periods_of_a_table_at_once(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    put(row(spark, "old"), path, "append", JANUARY, run_id="r0")
    january = lambda: put(row(spark, "jan"), path, periods=JANUARY, run_id="r1")  # noqa: E731
    february = lambda: put(  # noqa: E731
        row(spark, "feb", "2026-02"), path, periods=FEBRUARY, run_id="r2"
    )
    with meanwhile(january) as first, meanwhile(february) as second:
        pass
    assert (first, second) == ([], [])
    assert found(path, "id", "_period") == [("feb", "2026-02"), ("jan", "2026-01")]
    assert newest(path) == 2


@pytest.mark.campaign
def test_a_write_is_tried_again_where_another_writer_got_in_between(
    spark: SparkSession, tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "closed"
    put(row(spark, "old"), path, periods=JANUARY, run_id="r0")
    ours = gate.rows(row(spark, "ours"))
    with meanwhile(lambda: put(ours, path, periods=JANUARY, run_id="r1")) as raised:
        gate.wait()
        by_another(path, "theirs")
        by_another(path, "theirs", "2026-02")
        gate.open()
    assert raised == []
    assert found(path, "id", "_period") == [("ours", "2026-01"), ("theirs", "2026-02")]

    monkeypatch.setattr(writing, "_ATTEMPTS", 1)
    (gate.folder / "opened").unlink()
    (gate.folder / "reached").unlink()
    with meanwhile(lambda: put(ours, path, periods=JANUARY, run_id="r2")) as raised:
        gate.wait()
        by_another(path, "theirs")
        gate.open()
    (error,) = raised
    assert isinstance(error, RowbookError)
    said = "data/closed was changed by others at the same time, again and again"
    assert error.diagnostics[0].message == said
    assert ("theirs", "2026-01") in found(path, "id", "_period")


@pytest.mark.parametrize("mode", ["append", "error_if_exists"])
def test_a_table_that_another_makes_at_the_same_time_is_not_lost(
    spark: SparkSession, tmp_path: Path, gate: Gate, mode: Mode
) -> None:
    path = tmp_path / "closed"
    ours = gate.rows(row(spark, "ours"))
    with meanwhile(lambda: put(ours, path, mode, JANUARY)) as raised:
        gate.wait()
        by_another(path, "theirs")
        gate.open()
    if mode == "append":
        assert raised == []
        assert found(path, "id") == [("ours",), ("theirs",)]
    else:
        (error,) = raised
        assert isinstance(error, RowbookError)
        assert error.diagnostics[0].message == "data/closed exists already"
        assert found(path, "id") == [("theirs",)]
    assert names_in(tmp_path) == ["closed"]


@pytest.mark.some(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("there", "kill_at", "said", "published"),
    [
        pytest.param(*(False, 3, "a Delta table was staged", False), marks=pytest.mark.campaign),
        (False, 5, "before a table is published", False),
        pytest.param(*(False, 6, "a new table was published", True), marks=pytest.mark.campaign),
        (True, 3, "before rows are committed to a Delta table", False),
        (True, 4, "rows were committed to a Delta table", True),
    ],
)
def test_after_a_kill_an_output_is_there_or_never_will_be(
    connect_url: str, tmp_path: Path, there: bool, kill_at: int, said: str, published: bool
) -> None:
    path = tmp_path / "closed"
    if there:
        by_another(path, "old")
    ended = subprocess.run(
        [sys.executable, "-m", "tests.sources.delta.process", connect_url, str(path), "r1"],
        env={**os.environ, "ROWBOOK_KILL_AT_WRITE": str(kill_at)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert f"killed at write point {kill_at}: {said}" in ended.stderr
    settled = settle(path, "r1")
    assert settled.published == published
    if published:
        assert settled.written is not None
        assert settled.written.rows == 1
        assert found(path, "id") == [("r1",)]
    elif there:
        assert found(path, "id") == [("old",)]
        assert DeltaTable(path).transaction_version("rowbook:r1:1") == 2
    assert settle(path, "r1").published == published
    assert names_in(tmp_path) == (["closed"] if there or published else [])
