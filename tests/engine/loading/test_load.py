"""Datasets as they are loaded: order of columns, system columns, deleted rows, several sources."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from tests.engine.loading.tables import PERIODIC, ids, parquet
from tests.sources.tables import csv_file, dataset, load_all, place, refused, rows_of

pytestmark = pytest.mark.spark


def test_columns_come_in_the_order_of_their_declaration_system_columns_last(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "_row_id,b,_labels,a\nr1,2,x,1\n")
    loaded = load_all(spark, dataset("a string", "b string"), place(path))
    assert loaded.frame.columns == ["a", "b", "_row_id", "_labels"]


def test_stored_system_columns_come_along_in_their_types(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(
        tmp_path,
        "id,_row_id,_deleted,_created_at,_operation_seq,_labels\n"
        'a,r1,true,2026-01-05T10:00:00Z,20,"x"\nb,,,,,\n',
    )
    assert rows_of(spark, dataset("id string"), place(path)) == [
        {
            "id": "a",
            "_row_id": "r1",
            "_operation_seq": 20,
            "_created_at": datetime(2026, 1, 5, 10, tzinfo=UTC),
            "_deleted": True,
            "_labels": "x",
        },
        {"id": "b"}
        | dict.fromkeys(("_row_id", "_operation_seq", "_created_at", "_deleted", "_labels")),
    ]


def test_deleted_rows_are_kept_or_left_out(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id,_deleted\na,false\nb,true\nc,\n")
    wanted = dataset("id string")
    assert ids(rows_of(spark, wanted, place(path))) == ["a", "b", "c"]
    assert ids(rows_of(spark, wanted, place(path), keep_deleted=False)) == ["a", "c"]


def test_a_system_column_of_another_type_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    where = parquet(tmp_path / "gl.parquet", id=["a"], _deleted=[0])
    (diagnostic,) = refused(spark, dataset("id string"), where)
    assert diagnostic.code == "DATASET_011"
    assert "'_deleted' is declared as boolean" in diagnostic.message


def test_where_only_some_files_have_a_system_column_it_is_null_elsewhere(
    spark: SparkSession, tmp_path: Path
) -> None:
    one = parquet(tmp_path / "1.parquet", id=["a"], _labels=["x"])
    two = parquet(tmp_path / "2.parquet", id=["b"])
    found = rows_of(spark, dataset("id string"), one, two)
    assert sorted((row["id"], row["_labels"]) for row in found) == [("a", "x"), ("b", None)]


def test_sources_are_united_by_name_each_converted_on_its_own(
    spark: SparkSession, tmp_path: Path
) -> None:
    places = [
        parquet(tmp_path / "1.parquet", id=["a"], n=pa.array([1], "int32")),
        parquet(
            tmp_path / "2.parquet", n=pa.array([Decimal("2.0")], pa.decimal128(9, 1)), id=["b"]
        ),
        place(csv_file(tmp_path, "n,id\n3,c\n")),
    ]
    found = rows_of(spark, dataset("id string", "n decimal(18,2)"), *places)
    assert sorted((row["id"], row["n"]) for row in found) == [
        ("a", Decimal("1.00")),
        ("b", Decimal("2.00")),
        ("c", Decimal("3.00")),
    ]


def test_many_sources_make_a_plan_that_spark_can_bear(spark: SparkSession, tmp_path: Path) -> None:
    places = [
        place(csv_file(tmp_path, f"id\n{i}\n", f"{i}.csv"), period="2026-01") for i in range(20)
    ]
    assert len(rows_of(spark, PERIODIC, *places)) == 20


def test_what_tells_rows_apart_comes_along(spark: SparkSession, tmp_path: Path) -> None:
    one = parquet(tmp_path / "1.parquet", id=["a", "b"])
    two = parquet(tmp_path / "2.parquet", id=["a"])
    loaded = load_all(spark, dataset("id string"), one, two)
    assert loaded.identity == ("__id_1", "__id_2")
    assert loaded.frame.columns == ["id", "__id_1", "__id_2"]
    assert sorted(tuple(row) for row in loaded.frame.collect()) == [
        ("a", "lake/1.parquet", 0),
        ("a", "lake/2.parquet", 0),
        ("b", "lake/1.parquet", 1),
    ]


def test_where_a_source_cannot_tell_rows_apart_none_does(
    spark: SparkSession, tmp_path: Path
) -> None:
    one = parquet(tmp_path / "1.parquet", id=["a"])
    two = place(csv_file(tmp_path, "id\nb\n"))
    loaded = load_all(spark, dataset("id string"), one, two)
    assert loaded.identity == ()
    assert loaded.frame.columns == ["id"]


def plan_of(loaded_frame: Any, capsys: pytest.CaptureFixture[str]) -> str:
    loaded_frame.explain()
    return capsys.readouterr().out


def test_a_table_that_cannot_be_at_fault_is_not_checked(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = parquet(tmp_path / "1.parquet", id=["a"], n=[1], _period=["2026-01"])
    wanted = dataset("id string", "n integer", mode="period")
    plan = plan_of(load_all(spark, wanted, where).frame, capsys)
    assert "raise_error" not in plan
    assert "EqualTo(_period,2026-01)" in plan or "In(_period" in plan


def test_a_check_is_no_pass_of_its_own_and_cannot_be_pruned_away(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = parquet(tmp_path / "1.parquet", id=["a", "b"], n=[1, None])
    loaded = load_all(spark, dataset("id string", "n integer!"), where)
    plan = plan_of(loaded.frame.select("id"), capsys)
    assert plan.count("Filter CASE WHEN (isnull(n") == 1
    assert plan.count("FileScan") == 1
