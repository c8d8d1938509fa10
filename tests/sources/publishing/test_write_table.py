"""Writing tables: what is replaced, what stays, and that it is all or nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import LocalFile
from rowbook.sources.publishing import staging, table_publication, write_table
from rowbook.sources.publishing.table_lock import locked
from rowbook.sources.source import Mode
from rowbook.sources.waiting import Waiting
from tests.sources.tables import contents, csv_file, files_in, names_in, put, target
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark

KINDS = pytest.mark.parametrize(
    "kind",
    ["parquet", "csv", *(pytest.param(k, marks=pytest.mark.campaign) for k in ("json", "orc"))],
)
JANUARY, FEBRUARY = ("2026-01", "2026-01-01"), ("2026-02",)


def rows(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string, _period string")


def lines(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string")


def ids_in(file: Path) -> list[str]:
    """The values of column `id`, in the order in which the file has them."""
    match file.suffix:
        case ".parquet":
            return list(pq.read_table(file)["id"].to_pylist())
        case ".orc":
            return list(orc.read_table(str(file))["id"].to_pylist())
        case ".json":
            return [json.loads(line)["id"] for line in file.read_text().splitlines()]
        case _:
            return [line.split(",")[0] for line in file.read_text().splitlines()[1:]]


def refusal(error: pytest.ExceptionInfo[RowbookError]) -> str:
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "OUTPUT_006"
    return diagnostic.message


@KINDS
def test_a_frame_becomes_a_folder_of_one_file(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "deep" / "closed", kind)
    frame = lines(spark, *((f"J{i}", None) for i in range(100))).repartition(20)
    written = put(frame, where)
    (file,) = files_in(tmp_path / "deep" / "closed")
    assert (written.rows, written.files, written.bytes) == (100, 1, file.stat().st_size)
    assert written.duration_ms >= 0
    assert file.suffix == f".{kind}"
    assert names_in(tmp_path / "deep") == ["closed"]
    assert len(contents(spark, where, "id", "note")) == 100


@KINDS
def test_rows_stay_in_their_order(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    where = target(tmp_path / "closed", kind)
    put(
        spark.range(0, 1000, 1, 7).select(F.col("id").cast("string"), F.lit("x").alias("note")),
        where,
    )
    (file,) = files_in(tmp_path / "closed")
    assert ids_in(file) == [str(i) for i in range(1000)]


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_rows_that_come_in_an_order_are_in_it_in_each_period(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    """Over the files by name, each with the same rows whatever Spark's tasks held."""
    for tasks in (2, 5):
        where = target(tmp_path / "closed", kind, files="3")
        numbers = spark.range(0, 1000, 1, tasks)
        period = F.when(F.col("id") % 3 == 0, "2026-01-01").otherwise("2026-01")
        frame = numbers.select(F.format_string("%04d", "id").alias("id"), period.alias("_period"))
        put(frame, where, periods=JANUARY, ordered=True)
        found = [ids_in(file) for file in files_in(tmp_path / "closed" / "period=2026-01-01")]
        assert [len(ids) for ids in found] == [111, 111, 112]
        assert [i for ids in found for i in ids] == [f"{i:04}" for i in range(0, 1000, 3)]


@KINDS
def test_replacing_twice_gives_the_same(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    where = target(tmp_path / "closed", kind)
    put(lines(spark, ("J1", "old"), ("J2", "old")), where)
    for _ in range(2):
        written = put(lines(spark, ("J3", "new")), where)
        assert (written.rows, written.files) == (1, 1)
        assert contents(spark, where, "id", "note") == [("J3", "new")]
    assert names_in(tmp_path) == ["closed"]


@KINDS
def test_replacing_a_period_leaves_the_others_alone(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "closed", kind)
    put(rows(spark, ("J1", "old", "2026-01"), ("J2", "old", "2026-01-01")), where, periods=JANUARY)
    put(rows(spark, ("F1", "old", "2026-02")), where, periods=FEBRUARY)
    (february,) = (tmp_path / "closed" / "period=2026-02").iterdir()
    before = february.stat()
    for _ in range(2):
        put(rows(spark, ("J3", "new", "2026-01")), where, periods=JANUARY)
        assert contents(spark, where, "id", "note", "_period") == [
            ("F1", "old", "2026-02"),
            ("J3", "new", "2026-01"),
        ]
    after = (tmp_path / "closed" / "period=2026-02" / february.name).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert names_in(tmp_path / "closed") == ["period=2026-01", "period=2026-02"]


@KINDS
def test_a_period_without_rows_is_written_as_an_empty_file(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "closed", kind)
    put(rows(spark, ("J1", "old", "2026-01")), where, periods=JANUARY)
    written = put(rows(spark), where, periods=JANUARY)
    assert (written.rows, written.files) == (0, 1)
    assert names_in(tmp_path / "closed") == ["period=2026-01"]
    assert contents(spark, where, "id", "note", "_period") == []


def test_a_period_without_rows_has_the_folder_that_spark_would_give_it(
    spark: SparkSession, tmp_path: Path
) -> None:
    odd = """FY 26/Q1: 'a' #1 %20 [x] {y} *?^="\\"""
    for name, frame in (("rows", rows(spark, ("J1", "a", odd))), ("none", rows(spark))):
        put(frame, target(tmp_path / name), periods=(odd,))
    assert names_in(tmp_path / "none") == names_in(tmp_path / "rows")
    assert contents(spark, target(tmp_path / "rows"), "id", "_period") == [("J1", odd)]


@KINDS
def test_a_table_without_rows_keeps_its_columns(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "closed", kind)
    written = put(lines(spark), where)
    assert (written.rows, written.files) == (0, 1)
    assert contents(spark, where, "id", "note") == []


@KINDS
def test_append_adds_to_what_is_there(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    where = target(tmp_path / "closed", kind)
    put(lines(spark, ("J1", "a")), where, "append")
    written = put(lines(spark, ("J2", "b")), where, "append")
    assert (written.rows, written.files) == (1, 1)
    assert contents(spark, where, "id", "note") == [("J1", "a"), ("J2", "b")]
    periodic = target(tmp_path / "by_period", kind)
    for _ in range(2):
        put(rows(spark, ("J1", "a", "2026-01")), periodic, "append", JANUARY)
    assert contents(spark, periodic, "id", "_period") == [("J1", "2026-01")] * 2


@KINDS
def test_error_if_exists_writes_once(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    where = target(tmp_path / "closed", kind)
    put(lines(spark, ("J1", "a")), where, "error_if_exists")
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J2", "b")), where, "error_if_exists")
    assert refusal(refused) == "data/closed exists already"
    assert contents(spark, where, "id") == [("J1",)]
    assert names_in(tmp_path) == ["closed"]


def test_error_if_exists_takes_an_empty_folder_for_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / ".gitkeep").touch()
    put(lines(spark, ("J1", "a")), target(tmp_path / "closed"), "error_if_exists")
    assert ".gitkeep" in names_in(tmp_path / "closed")


def test_a_table_may_be_replaced_by_what_is_read_from_it(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = target(tmp_path / "closed")
    put(lines(spark, ("J1", "a"), ("J2", "b")), where)
    stored = spark.read.parquet(str(tmp_path / "closed"))
    put(stored.withColumn("note", F.concat("note", F.lit("!"))), where)
    assert contents(spark, where, "id", "note") == [("J1", "a!"), ("J2", "b!")]


@KINDS
@pytest.mark.parametrize("mode", ["replace", pytest.param("append", marks=pytest.mark.campaign)])
def test_a_failure_while_rows_are_computed_leaves_everything_as_it_was(
    spark: SparkSession, tmp_path: Path, kind: str, mode: Mode
) -> None:
    where = target(tmp_path / "closed", kind)
    put(lines(spark, ("J1", "a")), where)
    bad = lines(spark, ("J2", "b"), ("J3", "c")).repartition(2)
    failing = bad.withColumn("note", F.when(F.col("id") == "J3", F.raise_error(F.lit("broken"))))
    with pytest.raises(PySparkException, match="broken"):
        put(failing, where, mode)
    assert contents(spark, where, "id", "note") == [("J1", "a")]
    assert names_in(tmp_path) == ["closed"]


@pytest.mark.parametrize("step", ["keep", "publish"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_after_that_leaves_everything_as_it_was(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    error: BaseException,
) -> None:
    where = target(tmp_path / "closed")
    put(lines(spark, ("J1", "a")), where)

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(table_publication, step, fail)
    expected = KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else RowbookError
    with pytest.raises(expected) as failed:
        put(lines(spark, ("J2", "b")), where, "append")
    if isinstance(failed.value, RowbookError):
        (diagnostic,) = failed.value.diagnostics
        assert diagnostic.message == "data/closed cannot be written: No space left on device"
    monkeypatch.undo()
    assert contents(spark, where, "id") == [("J1",)]
    assert names_in(tmp_path) == ["closed"]


def test_what_a_dead_run_staged_disturbs_nobody(spark: SparkSession, tmp_path: Path) -> None:
    where = target(tmp_path / "closed")
    csv_file(tmp_path, "half", ".closed.staging-dead/part-0.parquet")
    put(lines(spark, ("J1", "a")), where)
    assert contents(spark, where, "id") == [("J1",)]
    assert names_in(tmp_path) == [".closed.staging-dead", "closed"]


def test_a_run_that_is_resumed_starts_its_staging_anew(spark: SparkSession, tmp_path: Path) -> None:
    csv_file(tmp_path, "half", ".closed.staging-again/part-0.parquet")
    put(lines(spark, ("J1", "a")), target(tmp_path / "closed"), run_id="again")
    assert contents(spark, target(tmp_path / "closed"), "id") == [("J1",)]
    assert names_in(tmp_path) == ["closed"]


def test_where_links_cannot_be_made_files_are_copied(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = target(tmp_path / "closed")
    put(lines(spark, ("J1", "a")), where)

    def no_links(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", no_links)
    put(lines(spark, ("J2", "b")), where, "append")
    assert contents(spark, where, "id") == [("J1",), ("J2",)]


@pytest.mark.parametrize("kind", ["parquet", "csv", "orc"])
def test_rows_that_somebody_stored_without_folders_are_brought_into_them(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "closed", kind)
    put(rows(spark, ("J1", "", "2026-01"), ("F1", None, "2026-02"), ("N1", "x", None)), where)
    assert all(file.is_file() for file in files_in(tmp_path / "closed"))
    written = put(rows(spark, ("J2", "new", "2026-01")), where, periods=JANUARY)
    assert (written.rows, written.files) == (1, 1)
    assert contents(spark, where, "id", "note", "_period") == [
        ("F1", None, "2026-02"),
        ("J2", "new", "2026-01"),
        ("N1", "x", None),
    ]


def test_rows_under_names_of_many_lines_are_brought_along(
    spark: SparkSession, tmp_path: Path
) -> None:
    lines_ = "".join(f"J{i},2026-0{i % 3 + 1}\n" for i in range(30))
    csv_file(tmp_path, f'"the\nid",_period\n{lines_}', "closed/1.csv")
    csv_file(tmp_path, f'"the\nid",_period\n{lines_}', "closed/2.csv")
    where = target(tmp_path / "closed", "csv")
    frame = local_frame(spark, [("J", "2026-01")], "`the\nid` string, _period string")
    put(frame, where, periods=JANUARY)
    found = contents(spark, where, "`the\nid`", "_period")
    assert len(found) == 41
    assert ("J1", "2026-02") in found


def test_one_file_of_a_data_source_becomes_a_folder(spark: SparkSession, tmp_path: Path) -> None:
    single = csv_file(tmp_path, "id,note,_period\nJ1,old,2026-01\nF1,old,2026-02\n", "closed.csv")
    where = FileTarget("csv", tmp_path / "closed", {}, "data/closed", single)
    with pytest.raises(RowbookError) as refused:
        put(rows(spark, ("J2", "new", "2026-01")), where, "error_if_exists", JANUARY)
    assert refusal(refused) == "data/closed exists already"
    put(rows(spark, ("J2", "new", "2026-01")), where, periods=JANUARY)
    assert contents(spark, where, "id", "_period") == [("F1", "2026-02"), ("J2", "2026-01")]
    assert names_in(tmp_path) == ["closed"]


def test_json_rows_are_not_brought_into_folders_as_their_numbers_would_become_text(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, '{"id": 1, "_period": "2026-02"}\n', "closed/old.json")
    with pytest.raises(RowbookError) as refused:
        put(rows(spark, ("J2", "b", "2026-01")), target(path.parent, "json"), periods=JANUARY)
    assert refusal(refused) == (
        "data/closed/old.json holds rows outside of folders of periods: json rows cannot be moved"
        " there without changing numbers into text"
    )
    assert names_in(tmp_path / "closed") == ["old.json"]


def test_another_table_called_like_the_one_file_is_left_alone(
    spark: SparkSession, tmp_path: Path
) -> None:
    other = csv_file(tmp_path, "id\nJ1\n", "closed.csv/1.csv")
    where = FileTarget("csv", tmp_path / "closed", {}, "data/closed", tmp_path / "closed.csv")
    put(lines(spark, ("J2", "b")), where, "error_if_exists")
    assert other.exists()


def test_a_file_beside_a_location_is_not_part_of_it(spark: SparkSession, tmp_path: Path) -> None:
    csv_file(tmp_path, "id\nJ1\n", "closed.csv")
    put(lines(spark, ("J2", "b")), target(tmp_path / "closed", "csv"))
    assert names_in(tmp_path) == ["closed", "closed.csv"]


@KINDS
def test_rows_without_a_period_cannot_be_told_from_those_of_one(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "closed", kind)
    put(lines(spark, ("J1", "a")), where)
    with pytest.raises(RowbookError) as refused:
        put(rows(spark, ("J2", "b", "2026-01")), where, periods=JANUARY)
    assert "holds rows without _period" in refusal(refused)
    assert contents(spark, where, "id") == [("J1",)]


def test_rows_without_a_period_are_not_appended_to_a_table_by_period(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = target(tmp_path / "closed")
    put(rows(spark, ("J1", "a", "2026-01")), where, periods=JANUARY)
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J2", "b")), where, "append")
    assert "the rows to append have no _period" in refusal(refused)


def test_rows_of_other_periods_than_the_runs_are_refused(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = target(tmp_path / "closed")
    with pytest.raises(RowbookError) as refused:
        put(rows(spark, ("J1", "a", "2025-12")), where, periods=JANUARY)
    expected = "data/closed: rows of period 2025-12 are not of the run's period"
    assert refusal(refused) == expected
    assert names_in(tmp_path) == []


def test_a_table_may_have_no_column_beside_the_period(spark: SparkSession, tmp_path: Path) -> None:
    frame = local_frame(spark, [("2026-01",)], "_period string")
    put(frame, target(tmp_path / "closed"), periods=JANUARY)
    assert contents(spark, target(tmp_path / "closed"), "_period") == [("2026-01",)]


@pytest.mark.parametrize(
    "stranger", ["rowbook.yaml", "projects/close.yaml", "_delta_log/0.json", "x/1.parquet"]
)
def test_a_folder_that_holds_other_things_is_never_replaced(
    spark: SparkSession, tmp_path: Path, stranger: str
) -> None:
    csv_file(tmp_path, "precious", f"work/{stranger}")
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J1", "a")), target(tmp_path / "work"))
    assert f"data/work holds '{stranger.split('/')[0]}" in refusal(refused)
    assert (tmp_path / "work" / stranger).read_text() == "precious"


def test_a_file_that_is_no_table_is_never_replaced(spark: SparkSession, tmp_path: Path) -> None:
    csv_file(tmp_path, "precious", "rowbook.yaml")
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J1", "a")), target(tmp_path / "rowbook.yaml"))
    assert refusal(refused) == (
        "data/rowbook.yaml is a file that is there already, and no parquet table"
    )
    assert (tmp_path / "rowbook.yaml").read_text() == "precious"


def test_sparks_own_traces_do_not_stay(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(3).write.parquet(str(tmp_path / "closed"))
    assert "_SUCCESS" in names_in(tmp_path / "closed")
    put(lines(spark, ("J1", "a")), target(tmp_path / "closed"))
    (name,) = names_in(tmp_path / "closed")
    assert name.endswith(".parquet")


def test_large_results_keep_the_files_that_tasks_made(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rowbook.sources.publishing.file_layout.SMALL", 100)
    frame = spark.range(0, 1000, 1, 3).withColumn("note", F.lit("x"))
    written = put(frame, target(tmp_path / "closed"))
    assert (written.rows, written.files) == (1000, 3)


def test_two_writers_of_different_periods_do_not_lose_each_other(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = target(tmp_path / "closed")
    put(rows(spark, ("O1", "old", "2025-12")), where, periods=("2025-12",))
    stage = write_table._stage

    def meanwhile(job: Any, folder: Path) -> tuple[int, list[LocalFile]]:
        monkeypatch.setattr(write_table, "_stage", stage)
        put(rows(spark, ("F1", "b", "2026-02")), where, periods=FEBRUARY, run_id="other")
        return stage(job, folder)

    monkeypatch.setattr(write_table, "_stage", meanwhile)
    put(rows(spark, ("J1", "a", "2026-01")), where, periods=JANUARY)
    assert contents(spark, where, "id") == [("F1",), ("J1",), ("O1",)]


def test_what_is_staged_is_beside_the_table_and_hidden(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []
    settle = staging.settle

    def watch(written: Path, folder: Path) -> Any:
        seen.append(names_in(tmp_path))
        return settle(written, folder)

    monkeypatch.setattr(write_table, "settle", watch)
    put(lines(spark, ("J1", "a")), target(tmp_path / "closed"), run_id="r1")
    ((staged, written),) = seen
    assert staged == ".closed.staging-r1-0"
    assert written.startswith(".closed.staging-r1.")


def test_arrow_reads_what_is_written(spark: SparkSession, tmp_path: Path) -> None:
    put(rows(spark, ("J1", None, "2026-01")), target(tmp_path / "closed"), periods=JANUARY)
    (file,) = (tmp_path / "closed" / "period=2026-01").iterdir()
    assert pq.ParquetFile(file).read() == pa.table(
        {"id": ["J1"], "note": pa.array([None], "string"), "_period": ["2026-01"]}
    )


def test_a_table_that_another_process_holds_is_left_as_it_is(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROWBOOK_WAIT_SECONDS", "0.2")
    where = target(tmp_path / "closed")
    put(lines(spark, ("J1", "a")), where)
    with locked(where.path, Waiting("closed"), "run r7"), pytest.raises(RowbookError) as error:
        put(lines(spark, ("J2", "b")), where, "append")
    said = "data/closed is being written by run r7: waited 0.2 s in vain"
    assert refusal(error) == said
    assert names_in(tmp_path) == ["closed"]
    assert contents(spark, where, "id", "note") == [("J1", "a")]
