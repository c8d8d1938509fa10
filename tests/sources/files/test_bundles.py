"""Files of many places read together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.sources.files.bundles import bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.read_tables import read_places
from rowbook.sources.raw import Raw
from tests.sources.tables import csv_file, dataset, faults, load_all, refused, rows_of


def at(root: Path, label: str, period: str | None = None, **how: Any) -> FileTable:
    kind = "parquet" if label.endswith(".parquet") else "csv"
    return FileTable(kind, root / label, {}, period, label, **how)  # type: ignore[arg-type]


def months(root: Path, *texts: str) -> list[FileTable]:
    places = []
    for number, text in enumerate(texts, start=1):
        label = f"data/gl/2026-{number:02}.csv"
        csv_file(root, text, label)
        places.append(at(root, label, f"2026-{number:02}"))
    return places


PERIODS = ("2026-01", "2026-02", "2026-03")
PERIODIC = dataset("id string", "n integer", mode="period")


@pytest.mark.spark
def test_places_of_several_periods_are_one_scan_and_rows_keep_the_period_of_theirs(
    spark: SparkSession, tmp_path: Path
) -> None:
    places = months(tmp_path, "id,n\na,1\n", "id,n\nb,2\nc,3\n", "id,n\nd,4\n")
    (raw,) = read_places(spark, places)
    assert (raw.period, raw.period_column, raw.columns) == (None, "__period", ("id", "n"))
    found = rows_of(spark, PERIODIC, *places, periods=PERIODS)
    assert sorted((row["_period"], row["id"], row["n"]) for row in found) == [
        ("2026-01", "a", 1),
        ("2026-02", "b", 2),
        ("2026-02", "c", 3),
        ("2026-03", "d", 4),
    ]
    only = rows_of(spark, PERIODIC, *places, periods=("2026-03",))
    assert [row["id"] for row in only] == ["d"]


@pytest.mark.spark
def test_files_of_another_header_are_read_apart(spark: SparkSession, tmp_path: Path) -> None:
    places = months(tmp_path, "id,n\na,1\n", "n,id\n2,b\n", "id,n\nd,4\n")
    raws = read_places(spark, places)
    assert [(raw.origin, raw.period) for raw in raws] == [
        ("data/gl/2026-01.csv and 1 more", None),
        ("data/gl/2026-02.csv", "2026-02"),
    ]
    found = rows_of(spark, PERIODIC, *places, periods=PERIODS)
    assert sorted((row["_period"], row["id"]) for row in found) == [
        ("2026-01", "a"),
        ("2026-02", "b"),
        ("2026-03", "d"),
    ]


@pytest.mark.spark
def test_a_bad_value_is_found_in_the_file_it_stands_in(spark: SparkSession, tmp_path: Path) -> None:
    places = months(tmp_path, "id,n\na,1\n", "id,n\nb,2\nc,x\n")
    (diagnostic,) = faults(spark, PERIODIC, *places)
    assert diagnostic.message.endswith("'x' at data/gl/2026-02.csv:3")
    (missing,) = refused(spark, dataset("id string", "m integer"), *places)
    assert missing.message.endswith("column 'm' is missing in data/gl/2026-01.csv and 1 more")


@pytest.mark.spark
def test_rows_are_told_by_the_name_of_their_file_alone_or_together(
    spark: SparkSession, tmp_path: Path
) -> None:
    places = []
    for month in ("01", "02"):
        label = f"lake/2026/{month}/data.parquet"
        (tmp_path / label).parent.mkdir(parents=True)
        pq.write_table(pa.table({"id": ["a", "b"]}), tmp_path / label)
        places.append(at(tmp_path, label, f"2026-{month}"))
    wanted = dataset("id string", mode="period")

    def told(*chosen: FileTable) -> list[tuple[Any, ...]]:
        loaded = load_all(spark, wanted, *chosen, periods=PERIODS)
        return sorted(tuple(row) for row in loaded.frame.select(*loaded.identity).collect())

    assert len(read_places(spark, places)) == 1
    expected = [(f"lake/2026/{m}/data.parquet", row) for m in ("01", "02") for row in (0, 1)]
    assert told(*places) == expected
    assert [*told(places[0]), *told(places[1])] == expected


@pytest.mark.spark
def test_where_one_place_has_no_folder_that_is_wanted_it_adds_no_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    csv_file(tmp_path, "id\na\n", "data/one/_period=2026-01/1.csv")
    csv_file(tmp_path, "id\nb\n", "data/two/_period=2026-02/1.csv")
    only = {"_period": {"2026-01"}}
    places = [at(tmp_path, f"data/{name}", only=only) for name in ("one", "two")]
    (raw,) = read_places(spark, places)
    assert [row.id for row in raw.frame.collect()] == ["a"]


def shapes(*places: FileTable) -> list[list[str]]:
    found = bundle(places, lambda _: "same")
    return [[placed.name for placed in each.files] for each in found.each]


def test_only_files_whose_path_ends_with_their_plain_name_go_together(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv", "odd name.csv", "c.csv"):
        csv_file(tmp_path, "id\n", f"data/{name}")
    plain = [at(tmp_path, f"data/{name}") for name in ("a.csv", "b.csv")]
    odd = at(tmp_path, "data/odd name.csv")
    elsewhere = FileTable("csv", tmp_path / "data" / "c.csv", label="../lake/c.csv")
    assert shapes(*plain, odd, elsewhere) == [
        ["data/a.csv", "data/b.csv"],
        ["data/odd name.csv"],
        ["../lake/c.csv"],
    ]


def test_files_at_different_depths_or_with_columns_in_folders_are_apart(tmp_path: Path) -> None:
    csv_file(tmp_path, "id\n", "data/gl/1.csv")
    csv_file(tmp_path, "id\n", "data/gl/deep/2.csv")
    csv_file(tmp_path, "id\n", "data/gl/kind=a/3.csv")
    csv_file(tmp_path, "id\n", "data/gl/kind=b/4.csv")
    assert shapes(at(tmp_path, "data/gl")) == [
        ["data/gl/1.csv"],
        ["data/gl/deep/2.csv"],
        ["data/gl/kind=a/3.csv", "data/gl/kind=b/4.csv"],
    ]


@pytest.mark.spark
def test_a_hundred_places_are_one_scan(spark: SparkSession, tmp_path: Path) -> None:
    places = []
    for day in range(100):
        label = f"data/{day}.csv"
        csv_file(tmp_path, f"id,n\n{day},1\n", label)
        places.append(at(tmp_path, label, f"P{day}"))
    raws: tuple[Raw, ...] = read_places(spark, places)
    assert len(raws) == 1
    found = rows_of(spark, PERIODIC, *places, periods=[f"P{day}" for day in range(100)])
    assert {(row["id"], row["_period"]) for row in found} == {
        (str(day), f"P{day}") for day in range(100)
    }
