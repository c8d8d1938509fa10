"""Writing Delta tables: what is replaced, what stays, what is refused; others can read it all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.sources.delta import write
from rowbook.sources.delta.save import replaced_rows, save
from rowbook.sources.source import Mode, WriteResult
from rowbook.spark.causes import is_spark_failure
from tests.sources.delta.samples import commit, found, newest, put, read, refusal
from tests.sources.tables import names_in
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark

JANUARY, FEBRUARY = ("2026-01", "2026-01-01"), ("2026-02",)
HOSTILE = (
    "it's",
    "x') OR ('1'='1",
    "back\\slash\\'",
    "a`b",
    'say "so"',
    "-- comment",
    "line\nbreak",
    "Ωmega 株",
    "${env:HOME}",
    "%41",
    "FY 26/Q1: [x] {y} *?",
)


def rows(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string, _period string")


def lines(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string")


def damaging(monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]) -> None:
    """Files are damaged as soon as Spark has written them."""

    def lose(job: Any, frame: DataFrame, to: Path, *rest: Any) -> None:
        before = set(to.rglob("*.parquet"))
        save(job, frame, to, *rest)
        damage(next(path for path in to.rglob("*.parquet") if path not in before))

    monkeypatch.setattr(write, "save", lose)


def one_row(file: Path) -> None:
    pq.write_table(pq.read_table(file).slice(1), file)


def the_end(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def test_a_new_table_that_is_damaged_after_it_was_staged_is_not_published(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for damage, said in ((one_row, "of 2 rows, its files hold 1"), (the_end, "is damaged: ")):
        with monkeypatch.context() as patch:
            damaging(patch, damage)
            with pytest.raises(RowbookError, match=f"was staged, but .*{said}"):
                put(lines(spark, ("J1", "a"), ("J2", "b")).coalesce(1), tmp_path / "closed")
        assert names_in(tmp_path) == []


@pytest.mark.campaign
def test_of_rows_that_are_damaged_after_they_were_committed_it_is_said(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(lines(spark, ("J1", "a")), tmp_path / "closed")
    damaging(monkeypatch, one_row)
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J2", "b")).coalesce(1), tmp_path / "closed", "append", run_id="another")
    (found_,) = refused.value.diagnostics
    assert found_.message.endswith("was written, but of 1 rows, its files hold 0")
    assert found_.hint is not None
    assert found_.hint.startswith("restore version 0 of the table")


@pytest.mark.campaign
def test_every_type_comes_back_as_it_was(spark: SparkSession, tmp_path: Path) -> None:
    schema = (
        "n bigint, d decimal(38,10), s string, day date, at timestamp, yes boolean, x double,"
        " _period string"
    )
    values = [
        (
            2**63 - 1,
            Decimal("-1234567890123456789012345678.0123456789"),
            "Müller 株 'q' \\ \x00 \n",
            date(1, 1, 1),
            datetime(2026, 1, 31, 23, 59, 59, 999999, tzinfo=UTC),
            True,
            -0.1,
            "2026-01",
        ),
        (-(2**63), Decimal("0E-10"), "", date(9999, 12, 31), None, False, 1e308, "2026-01"),
        (None, None, None, None, None, None, None, "2026-01"),
    ]
    written = put(local_frame(spark, values, schema), tmp_path / "all", periods=JANUARY)
    assert (written.rows, written.files) == (3, 1)
    assert found(tmp_path / "all") == sorted(values, key=repr)
    stored = read(spark, tmp_path / "all")
    assert stored.schema.simpleString() == local_frame(spark, values, schema).schema.simpleString()
    back = stored.withColumn("at", F.unix_micros("at")).collect()
    micros = 1_769_903_999_999_999
    expected = [(*v[:4], micros if v[4] else None, *v[5:]) for v in values]
    assert sorted(map(tuple, back), key=repr) == sorted(expected, key=repr)


def test_a_new_table_is_partitioned_by_period_and_leaves_nothing_beside(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "closed"
    told: list[WriteResult] = []
    frame = rows(spark, *((f"J{i}", None, "2026-01") for i in range(100))).repartition(20)
    written = put(frame, path, periods=JANUARY, announce=told.append, compression="zstd")
    (file,) = (path / "_period=2026-01").glob("*.parquet")
    assert (written.rows, written.files, written.bytes) == (100, 1, file.stat().st_size)
    assert file.name.endswith(".zstd.parquet")
    assert told[0].rows == 100
    assert names_in(path.parent) == ["closed"]
    assert DeltaTable(path).metadata().partition_columns == ["_period"]
    assert newest(path) == 0


@pytest.mark.campaign
def test_replace_touches_the_runs_periods_alone_and_twice_is_the_same(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    before = rows(spark, ("J1", "old", "2026-01"), ("J2", "old", "2026-01-01"), ("J3", "x", "2025"))
    put(before, path, "append", ("2026-01",))
    for run in ("one", "two"):
        written = put(rows(spark, ("J4", "new", "2026-01")), path, periods=JANUARY, run_id=run)
        assert (written.rows, written.files) == (1, 1)
        assert found(path, "id", "_period") == [("J3", "2025"), ("J4", "2026-01")]
    assert newest(path) == 2, "one commit for each"
    assert names_in(tmp_path) == ["closed"]


@pytest.mark.campaign
def test_replace_without_periods_is_of_the_whole_table_and_its_columns(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    put(lines(spark, ("J1", "a")), path)
    put(local_frame(spark, [(7, "EUR")], "id bigint, currency string"), path)
    assert found(path) == [(7, "EUR")]
    assert found(path, version=0) == [("J1", "a")]


@pytest.mark.campaign
def test_a_table_replaced_as_a_whole_stays_partitioned(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "closed"
    lines(spark, ("J1", "a")).write.format("delta").partitionBy("note").save(str(path))
    put(lines(spark, ("J2", "b")), path)
    assert DeltaTable(path).metadata().partition_columns == ["note"]
    assert found(path, "id", "note") == [("J2", "b")]


@pytest.mark.campaign
def test_append_adds_and_may_bring_columns(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "closed"
    put(lines(spark, ("J1", "a")), path, "append")
    more = lines(spark, ("J2", "b")).withColumn("amount", F.lit("1.50").cast("decimal(18,2)"))
    written = put(more, path, "append")
    assert (written.rows, written.files) == (1, 1)
    assert found(path) == [("J1", "a", None), ("J2", "b", Decimal("1.50"))]


def test_error_if_exists_writes_once(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "closed"
    put(lines(spark, ("J1", "a")), path, "error_if_exists")
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J2", "b")), path, "error_if_exists")
    assert refusal(refused) == "data/closed exists already"
    assert (found(path, "id"), newest(path)) == ([("J1",)], 0)


@pytest.mark.campaign
def test_without_rows_there_are_columns_and_a_period_is_emptied(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    written = put(rows(spark), path, periods=JANUARY)
    assert (written.rows, found(path)) == (0, [])
    assert DeltaTable(path).schema().to_arrow().names == ["id", "note", "_period"]
    put(rows(spark, ("J1", "a", "2026-01"), ("J2", "b", "2026-01-01")), path, periods=JANUARY)
    put(rows(spark, ("J3", "c", "2026-02")), path, periods=FEBRUARY)
    assert put(rows(spark), path, periods=JANUARY).rows == 0
    assert found(path, "id", "_period") == [("J3", "2026-02")]


@pytest.mark.campaign
def test_a_table_that_is_not_stored_by_period_is_replaced_by_period_all_the_same(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    mixed = rows(spark, ("J1", "a", "2026-01"), ("J2", "b", "2026-02"), ("J3", "c", None))
    mixed.coalesce(1).write.format("delta").save(str(path))
    written = put(rows(spark, ("J4", "d", "2026-01")), path, periods=JANUARY)
    assert written.rows == 1, "rows that had to move to another file do not count"
    assert DeltaTable(path).metadata().partition_columns == []
    assert found(path, "id", "_period") == [("J2", "2026-02"), ("J3", None), ("J4", "2026-01")]


@pytest.mark.campaign
def test_no_period_can_mean_anything_but_itself(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "closed"
    every = [(f"J{i}", "old", period) for i, period in enumerate(HOSTILE)]
    put(rows(spark, *every), path, "append", HOSTILE)
    for i in (1, 2):
        put(rows(spark, ("N", "new", HOSTILE[i])), path, periods=(HOSTILE[i],))
        every[i] = ("N", "new", HOSTILE[i])
        assert found(path, "id", "note", "_period") == sorted(every, key=repr)
    condition = replaced_rows(HOSTILE)
    assert rows(spark, *every, ("X", "x", "2026-01")).where(condition).count() == len(HOSTILE)
    put(rows(spark, ("J", "last", HOSTILE[0])), path, periods=HOSTILE)
    assert found(path, "id", "note", "_period") == [("J", "last", HOSTILE[0])]


@pytest.mark.campaign
@pytest.mark.parametrize("other", ["2026-03", None])
def test_rows_of_another_period_are_refused(
    spark: SparkSession, tmp_path: Path, other: str | None
) -> None:
    path = tmp_path / "closed"
    frame = rows(spark, ("J1", "a", "2026-01"), ("J2", "b", other))
    said = f"data/closed: rows of period {other} are not of the run's period"
    for there in (False, True):
        with pytest.raises(RowbookError) as refused:
            put(frame, path, periods=JANUARY)
        assert refusal(refused) == said
        assert path.exists() == there
        if not there:
            put(rows(spark, ("J3", "c", "2026-01")), path, periods=JANUARY)
    assert found(path, "id") == [("J3",)]
    assert names_in(tmp_path) == ["closed"]


@pytest.mark.campaign
def test_columns_that_do_not_fit_are_refused_and_safe_ones_are_widened(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "closed"
    schema = "id bigint, amount decimal(18,2)"
    put(local_frame(spark, [(1, Decimal("1.25"))], schema), path)
    narrow = local_frame(spark, [(2, Decimal("2.5"))], "id int, amount decimal(10,1)")
    put(narrow, path, "append")
    assert found(path) == [(1, Decimal("1.25")), (2, Decimal("2.50"))]
    for kind, told in (
        ("decimal(18,4)", "decimal(18,4)"),
        ("decimal(20,2)", "decimal(20,2)"),
        ("string", "string"),
        ("double", "double"),
    ):
        misfit = local_frame(spark, [(3,)], "id bigint").withColumn("amount", F.lit("1").cast(kind))
        with pytest.raises(RowbookError) as refused:
            put(misfit, path, "append")
        assert refusal(refused) == (
            f"data/closed: column 'amount' is decimal(18,2) there, and {told} cannot go into it"
        )
    with pytest.raises(RowbookError) as refused:
        put(local_frame(spark, [(3,)], "ID bigint"), path, "append")
    assert refusal(refused) == "data/closed has a column 'id', and 'ID' is to be another"
    with pytest.raises(RowbookError) as refused:
        put(local_frame(spark, [(3,)], "id bigint").withColumn("v", F.lit(None)), path)
    assert refusal(refused) == "data/closed cannot be written: column 'v' has no type"
    assert newest(path) == 1


@pytest.mark.campaign
def test_what_delta_refuses_is_told_in_one_line(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "closed"
    put(rows(spark, ("J1", "a", "2026-01")), path, periods=JANUARY)
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J2", "b")), path, "append")
    said = (
        "data/closed cannot be written: Partition column `_period` not found in schema [id, note]"
    )
    assert refusal(refused) == said
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J2", "b")).withColumnRenamed("note", "a;b"), tmp_path / "new")
    assert refusal(refused).startswith("data/new cannot be written: ")
    assert "\n" not in refusal(refused)
    assert names_in(tmp_path) == ["closed"]


def test_rows_of_a_period_must_be_told_from_the_others(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "closed"
    put(lines(spark, ("J1", "a")), path)
    with pytest.raises(RowbookError) as refused:
        put(rows(spark, ("J2", "b", "2026-01")), path, periods=JANUARY)
    assert refusal(refused) == (
        "data/closed holds rows without _period: those of a period cannot be told from the others"
    )


def test_nothing_that_is_no_table_is_ever_replaced(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "part.parquet").write_bytes(b"PAR1")
    (tmp_path / "file").write_text("x")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / ".gitkeep").touch()
    for name, said in (
        ("files", "data/files holds 'part.parquet', and is no Delta table"),
        ("file", "data/file is a file that is there already, and no Delta table"),
    ):
        with pytest.raises(RowbookError) as refused:
            put(lines(spark, ("J1", "a")), tmp_path / name)
        assert refusal(refused) == said
    put(lines(spark, ("J1", "a")), tmp_path / "kept", "error_if_exists")
    assert found(tmp_path / "kept") == [("J1", "a")]
    assert ".gitkeep" in names_in(tmp_path / "kept")
    assert names_in(tmp_path) == ["file", "files", "kept"]


@pytest.mark.some(1)
@pytest.mark.parametrize("mode", ["replace", "append"])
def test_a_failure_while_rows_are_computed_leaves_everything_as_it_was(
    spark: SparkSession, tmp_path: Path, mode: Mode
) -> None:
    path = tmp_path / "closed"
    bad = lines(spark, ("J2", "b"), ("J3", "c")).repartition(2)
    broken = F.raise_error(F.lit("ROWBOOK RUN_001: [DELTA_X] broken")).cast("string")
    failing = bad.withColumn("note", F.when(F.col("id") == "J3", broken))
    for there in (False, True):
        with pytest.raises(Exception, match="broken") as failed:
            put(failing, path, mode)
        assert is_spark_failure(failed.value)
        assert names_in(tmp_path) == (["closed"] if there else [])
        if not there:
            put(lines(spark, ("J1", "a")), path)
    assert (found(path), newest(path)) == ([("J1", "a")], 0)


def test_what_the_announcement_raises_keeps_rows_from_being_written(
    spark: SparkSession, tmp_path: Path
) -> None:
    def refuse(_: WriteResult) -> None:
        raise RowbookError.of("RUN_002", "no lease")

    path = tmp_path / "closed"
    for there in (False, True):
        with pytest.raises(RowbookError, match="no lease"):
            put(lines(spark, ("J2", "b")), path, announce=refuse)
        assert names_in(tmp_path) == (["closed"] if there else [])
        if not there:
            put(lines(spark, ("J1", "a")), path)
    assert (found(path), newest(path)) == ([("J1", "a")], 0)


def test_a_disk_that_cannot_be_written_is_told(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rowbook.sources.delta.write.publish", full)
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J1", "a")), tmp_path / "closed")
    assert refusal(refused) == "data/closed cannot be written: No space left on device"
    assert names_in(tmp_path) == []


def test_a_commit_says_which_output_of_which_run_it_is(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "closed"
    put(lines(spark, ("J1", "a")), path, run_id="r-1")
    actions = commit(path, 0)
    (info,) = (action["commitInfo"] for action in actions if "commitInfo" in action)
    assert info["userMetadata"] == "rowbook run r-1 output 1"
    (transaction,) = (action["txn"] for action in actions if "txn" in action)
    assert (transaction["appId"], transaction["version"]) == ("rowbook:r-1:1", 1)
