"""Any tool reads what was written, with its defaults: every row, and its period."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.sources.files.listing import MARK
from tests.sources.tables import contents, files_in, names_in, put, target
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark

Rows = list[tuple[Any, ...]]
COLUMNS = ["id", "_period"]
JANUARY, FEBRUARY = ("2026-01",), ("2026-02",)


def _pandas(table: Path) -> Rows:
    return list(pd.read_parquet(table)[COLUMNS].itertuples(index=False, name=None))


def _pyarrow(table: Path) -> Rows:
    return [tuple(row.values()) for row in pq.read_table(table).select(COLUMNS).to_pylist()]


def _arrow_dataset(format: str) -> Callable[[Path], Rows]:  # noqa: A002
    def read(table: Path) -> Rows:
        found = ds.dataset(table, format=format).to_table(columns=COLUMNS)
        return [tuple(row.values()) for row in found.to_pylist()]

    return read


def _polars(table: Path) -> Rows:
    return list(pl.read_parquet(table).select(COLUMNS).rows())


def _polars_csv(table: Path) -> Rows:
    return list(pl.scan_csv(table).select(COLUMNS).collect().rows())


def _duckdb(format: str) -> Callable[[Path], Rows]:  # noqa: A002
    def read(table: Path) -> Rows:
        with duckdb.connect() as connection:
            found = connection.sql(f"SELECT id, _period FROM '{table}/**/*.{format}'")
            return list(found.fetchall())

    return read


def _pandas_csv(table: Path) -> Rows:
    frames = [pd.read_csv(file)[COLUMNS] for file in sorted(table.rglob("*.csv"))]
    return list(pd.concat(frames).itertuples(index=False, name=None))


READERS: dict[str, dict[str, Callable[[Path], Rows]]] = {
    "parquet": {
        "pandas": _pandas,
        "pyarrow": _pyarrow,
        "pyarrow.dataset": _arrow_dataset("parquet"),
        "polars": _polars,
        "duckdb": _duckdb("parquet"),
    },
    "csv": {
        "pandas": _pandas_csv,
        "pyarrow.dataset": _arrow_dataset("csv"),
        "polars": _polars_csv,
        "duckdb": _duckdb("csv"),
    },
}


def _spark(spark: SparkSession, kind: str, table: Path) -> Rows:
    found = spark.read.options(header="true").format(kind).load(str(table)).select(COLUMNS)
    return [tuple(row) for row in found.collect()]


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_every_tool_sees_every_row_before_and_after_a_period_is_replaced(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "closed", kind)

    def write(period: tuple[str, ...], *ids: str) -> None:
        rows = [(each, "note", period[0]) for each in ids]
        put(
            local_frame(spark, rows, "id string, note string, _period string"),
            where,
            "replace",
            period,
        )

    def check(expected: Rows) -> None:
        for tool, read in READERS[kind].items():
            assert sorted(read(where.path)) == expected, tool
        assert sorted(_spark(spark, kind, where.path)) == expected
        assert contents(spark, where, *COLUMNS) == expected

    write(JANUARY, "J1", "J2")
    write(FEBRUARY, "F1")
    check([("F1", "2026-02"), ("J1", "2026-01"), ("J2", "2026-01")])
    write(JANUARY, "J3")
    check([("F1", "2026-02"), ("J3", "2026-01")])
    write(FEBRUARY)
    check([("J3", "2026-01")])


def test_a_table_without_periods_is_read_by_every_tool_too(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = target(tmp_path / "closed")
    put(local_frame(spark, [("J1", "2026-01")], "id string, _period string"), where)
    for tool, read in READERS["parquet"].items():
        assert read(where.path) == [("J1", "2026-01")], tool


def test_folders_have_another_name_where_a_column_is_called_period(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = target(tmp_path / "closed")
    put(
        local_frame(spark, [("F", "2026-02")], "id string, _period string"),
        where,
        "replace",
        FEBRUARY,
    )
    assert names_in(where.path) == ["period=2026-02"]
    frame = local_frame(spark, [("J", 1, "2026-01")], "id string, Period int, _period string")
    put(frame, where, "replace", JANUARY)
    assert names_in(where.path) == ["run_period=2026-01", "run_period=2026-02"]
    expected = [("F", "2026-02"), ("J", "2026-01")]
    assert sorted(_duckdb("parquet")(where.path)) == expected
    assert contents(spark, where, *COLUMNS) == expected


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", ["parquet", "csv", "json", "orc"])
def test_a_table_of_the_older_layout_is_stored_anew_when_a_period_is_replaced(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "closed", kind)
    older = [("J1", 1.5, "2026-01"), ("F1", 2.5, "2026-02")]
    frame = local_frame(spark, older, "id string, amount double, _period string")
    frame.write.partitionBy("_period").options(header="true").format(kind).save(str(where.path))
    (where.path / MARK).write_text("dead 1\n", encoding="ascii")
    for left in where.path.rglob("[._]*"):
        if left.is_file() and left.name != MARK:
            left.unlink()
    assert contents(spark, where, "id", "_period") == [("F1", "2026-02"), ("J1", "2026-01")]
    newer = local_frame(spark, [("J2", 3.5, "2026-01")], frame.schema)
    put(newer, where, "replace", JANUARY)
    assert names_in(where.path) == ["period=2026-01", "period=2026-02"]
    assert contents(spark, where, "id", "_period") == [("F1", "2026-02"), ("J2", "2026-01")]
    if kind == "json":
        (file,) = files_in(where.path / "period=2026-02")
        assert file.read_text() == '{"id":"F1","amount":2.5,"_period":"2026-02"}\n'
    else:
        assert sorted(_spark(spark, kind, where.path)) == [("F1", "2026-02"), ("J2", "2026-01")]


def test_of_a_table_by_periods_other_periods_are_not_looked_into(
    spark: SparkSession, tmp_path: Path
) -> None:
    from rowbook.sources.files.file_table import FileTable

    where = target(tmp_path / "closed")
    for month in ("2026-01", "2026-02"):
        rows = [("J1", month)]
        put(local_frame(spark, rows, "id string, _period string"), where, "replace", (month,))
    table = FileTable("parquet", where.path, only={"_period": ["2026-02"]}).pin()
    wanted, others = table.files()
    assert [(file.period, file.partitions) for file in wanted] == [("2026-02", {})]
    assert [file.period for file in others] == ["2026-01"]
    assert table.wants_name("closed/period=2026-02/x.parquet")
    assert not table.wants_name("closed/period=2026-01/x.parquet")
