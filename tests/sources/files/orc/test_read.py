"""Orc files: physical types as they are, each schema by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import orc
from pyspark.sql import SparkSession

from rowbook.sources.files.source import FileSource
from tests.sources.tables import csv_file, dataset, faults, physical, place, read, refused, rows_of
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark


def orc_file(path: Path, **columns: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    orc.write_table(pa.table(columns), str(path))
    return path


def test_columns_have_their_physical_types(spark: SparkSession, tmp_path: Path) -> None:
    path = orc_file(
        tmp_path / "gl.orc",
        id=pa.array([7], pa.int32()),
        amount=pa.array([Decimal("10.50")], pa.decimal128(38, 10)),
        day=pa.array([date(2026, 1, 31)]),
        at=pa.array([datetime(2026, 1, 31, 10, 5)], pa.timestamp("us")),
        ok=pa.array([True]),
    )
    wanted = dataset("id integer", "amount decimal(18,2)", "day date", "at timestamp", "ok boolean")
    assert rows_of(spark, wanted, place(path, "orc")) == [
        {
            "id": 7,
            "amount": Decimal("10.50"),
            "day": date(2026, 1, 31),
            "at": datetime(2026, 1, 31, 10, 5, tzinfo=UTC),
            "ok": True,
        }
    ]


def test_files_of_different_schemas_are_read_each_by_its_own(
    spark: SparkSession, tmp_path: Path
) -> None:
    orc_file(tmp_path / "gl" / "1.orc", a=pa.array([1]), b=pa.array(["x"]))
    orc_file(tmp_path / "gl" / "2.orc", b=pa.array(["y"]), a=pa.array([2]))
    orc_file(tmp_path / "gl" / "3.orc", a=pa.array([3]), b=pa.array(["z"]))
    raws = read(spark, place(tmp_path / "gl", "orc"))
    assert [raw.columns for raw in raws] == [("a", "b"), ("b", "a")]
    found = rows_of(spark, dataset("a integer", "b string"), place(tmp_path / "gl", "orc"))
    assert sorted((row["a"], row["b"]) for row in found) == [(1, "x"), (2, "y"), (3, "z")]


def test_a_column_that_a_file_lacks_is_missing_and_not_null(
    spark: SparkSession, tmp_path: Path
) -> None:
    orc_file(tmp_path / "gl" / "1.orc", a=pa.array([1]), b=pa.array(["x"]))
    orc_file(tmp_path / "gl" / "2.orc", a=pa.array([2]))
    (found,) = refused(spark, dataset("a integer", "b string"), place(tmp_path / "gl", "orc"))
    assert found.code == "DATASET_010"
    assert found.message == "dataset 'gl_entries': column 'b' is missing in data/gl/2.orc"


def test_what_stands_in_folders_names_is_text(spark: SparkSession, tmp_path: Path) -> None:
    orc_file(tmp_path / "gl" / "_period=2026" / "code=007" / "x.orc", a=pa.array([1]))
    found = physical(spark, place(tmp_path / "gl", "orc"))
    assert found == [{"a": 1, "_period": "2026", "code": "007"}]


def test_rows_are_told_apart_by_their_content(spark: SparkSession, tmp_path: Path) -> None:
    (raw,) = read(spark, place(orc_file(tmp_path / "gl.orc", a=pa.array([1])), "orc"))
    assert (raw.identity, raw.columns) == ((), ("a",))


def test_files_of_several_periods_are_one_scan(spark: SparkSession, tmp_path: Path) -> None:
    places = [
        replace(place(orc_file(tmp_path / "data" / f"{n}.orc", a=pa.array([n])), "orc"), period=p)
        for n, p in ((1, "2026-01"), (2, "2026-02"))
    ]
    (raw,) = read(spark, *places)
    assert raw.period_column is not None
    found = raw.frame.select("a", raw.period_column).collect()
    assert sorted(map(tuple, found)) == [(1, "2026-01"), (2, "2026-02")]


def test_values_that_do_not_fit_are_named(spark: SparkSession, tmp_path: Path) -> None:
    path = orc_file(tmp_path / "gl.orc", k=pa.array(["a", "b"]), n=pa.array([10**6, 10**17]))
    (found,) = faults(
        spark, dataset("k string", "n decimal(18,2)", keys=("k",)), place(path, "orc")
    )
    assert found.code == "DATASET_011"
    assert found.message == (
        "dataset 'gl_entries': 1 value of column 'n' does not fit decimal(18,2):"
        " '100000000000000000' at data/gl.orc where k = 'b'"
    )


def test_columns_are_told_without_spark(tmp_path: Path) -> None:
    path = orc_file(tmp_path / "gl.orc", a=pa.array([1]), b=pa.array(["x"]))
    assert FileSource().columns(place(path, "orc")) == ("a", "b")


def test_timestamps_that_spark_cannot_read_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    at = pa.array([datetime(2026, 1, 31, tzinfo=UTC)], pa.timestamp("us", "UTC"))
    diagnostic = refusal(lambda: read(spark, place(orc_file(tmp_path / "gl.orc", at=at), "orc")))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message == (
        "data/gl.orc: Spark cannot read 'at', a timestamp with local time zone"
    )


@pytest.mark.parametrize("content", [b"", b"ORC", b"a,b\n1,2\n", b"ORC" + b"\0" * 100])
def test_a_file_that_is_no_orc_file_is_refused(
    spark: SparkSession, tmp_path: Path, content: bytes
) -> None:
    path = csv_file(tmp_path, content, "gl.orc")
    diagnostic = refusal(lambda: read(spark, place(path, "orc")))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message.startswith("data/gl.orc is not an orc file: ")
