"""Parquet files as Spark reads them for us: physical types, and a name for every row."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.errors import RowbookError
from rowbook.sources.files.file_table import FileTable
from tests.sources.tables import physical, place, read
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark


def write(path: Path, **columns: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)


def at(path: Path, **how: object) -> FileTable:
    return FileTable("parquet", path, label=f"lake/{path.name}", **how)  # type: ignore[arg-type]


def test_columns_have_the_types_of_the_file(spark: SparkSession, tmp_path: Path) -> None:
    write(
        tmp_path / "t.parquet",
        n=pa.array([1], "int32"),
        amount=pa.array([Decimal("1.50")], pa.decimal128(18, 2)),
        day=pa.array([date(2026, 1, 31)]),
    )
    (raw,) = read(spark, at(tmp_path / "t.parquet"))
    types = {f.name: f.dataType.simpleString() for f in raw.frame.schema.fields}
    assert {name: types[name] for name in raw.columns} == {
        "n": "int",
        "amount": "decimal(18,2)",
        "day": "date",
    }
    assert not raw.as_text


def test_a_row_is_told_by_its_file_below_the_table_and_its_number_in_it(
    spark: SparkSession, tmp_path: Path
) -> None:
    write(tmp_path / "gl" / "_period=2026-01" / "one file.parquet", a=["x", "y"])
    write(tmp_path / "gl" / "_period=2026-02" / "one file.parquet", a=["z"])
    (raw,) = read(spark, at(tmp_path / "gl"))
    rows = raw.frame.select("a", *raw.identity).collect()
    assert sorted(tuple(row) for row in rows) == [
        ("x", "lake/gl/_period=2026-01/one%20file.parquet", 0),
        ("y", "lake/gl/_period=2026-01/one%20file.parquet", 1),
        ("z", "lake/gl/_period=2026-02/one%20file.parquet", 0),
    ]


def test_the_name_of_a_row_does_not_depend_on_where_the_workspace_is(
    spark: SparkSession, tmp_path: Path
) -> None:
    found = []
    for folder in ("here", "elsewhere/deeper"):
        write(tmp_path / folder / "gl.parquet", a=["x"])
        (raw,) = read(spark, at(tmp_path / folder / "gl.parquet"))
        found += [tuple(row) for row in raw.frame.select(*raw.identity).collect()]
    assert found == [("lake/gl.parquet", 0), ("lake/gl.parquet", 0)]


def test_a_row_keeps_its_number_in_a_large_file_cut_into_pieces(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "gl.parquet"
    pq.write_table(pa.table({"n": list(range(5000))}), path, row_group_size=500)
    spark.conf.set("spark.sql.files.maxPartitionBytes", "4096")
    try:
        (raw,) = read(spark, at(path))
        rows = raw.frame.select("n", raw.identity[1]).collect()
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")
    assert len(rows) == 5000
    assert all(n == number for n, number in rows)


def test_files_of_unlike_schemas_are_read_each_with_its_own(
    spark: SparkSession, tmp_path: Path
) -> None:
    write(tmp_path / "gl" / "1.parquet", a=pa.array([1], "int32"), b=["x"])
    write(tmp_path / "gl" / "2.parquet", a=pa.array([2], "int64"))
    write(tmp_path / "gl" / "3.parquet", a=pa.array([3], "int32"), b=["y"])
    raws = read(spark, at(tmp_path / "gl"))
    assert [(raw.origin, raw.columns) for raw in raws] == [
        ("lake/gl", ("a", "b")),
        ("lake/gl/2.parquet", ("a",)),
    ]
    assert [sorted(row.a for row in raw.frame.collect()) for raw in raws] == [[1, 3], [2]]


def test_what_stands_in_folders_names_is_text(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "gl" / "_period=2026" / "x.parquet", a=[1])
    write(tmp_path / "gl" / "_period=__HIVE_DEFAULT_PARTITION__" / "x.parquet", a=[2])
    found = physical(spark, at(tmp_path / "gl"))
    assert sorted(found, key=lambda row: int(row["a"])) == [
        {"a": 1, "_period": "2026"},
        {"a": 2, "_period": None},
    ]


def test_only_the_folders_that_are_wanted_are_read(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "gl" / "_period=2026-01" / "x.parquet", a=[1])
    (tmp_path / "gl" / "_period=2025-12").mkdir()
    (tmp_path / "gl" / "_period=2025-12" / "x.parquet").write_bytes(b"damaged")
    wanted = at(tmp_path / "gl", only={"_period": ("2026-01", "2026")})
    assert physical(spark, wanted) == [{"a": 1, "_period": "2026-01"}]


def test_where_no_folder_is_wanted_the_table_has_columns_but_no_rows(
    spark: SparkSession, tmp_path: Path
) -> None:
    write(tmp_path / "gl" / "_period=2026-01" / "x.parquet", a=[1])
    (raw,) = read(spark, at(tmp_path / "gl", only={"_period": ("2026-02",)}))
    assert raw.columns == ("a", "_period")
    assert raw.frame.collect() == []


def test_a_column_called_like_sparks_own_metadata_is_a_column(
    spark: SparkSession, tmp_path: Path
) -> None:
    write(tmp_path / "gl.parquet", _metadata=["mine"], **{"a.b": ["dot"]})
    (raw,) = read(spark, at(tmp_path / "gl.parquet"))
    assert [tuple(row) for row in raw.frame.collect()] == [("mine", "dot", "lake/gl.parquet", 0)]


def test_a_type_that_spark_cannot_read_is_said(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "gl.parquet", at=pa.array([1], pa.timestamp("ns")))
    diagnostic = refusal(lambda: read(spark, at(tmp_path / "gl.parquet")))
    assert diagnostic.code == "DATASOURCE_007"
    assert "lake/gl.parquet cannot be read: " in diagnostic.message
    assert "NANOS" in diagnostic.message


def test_what_is_no_parquet_file_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "gl.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(RowbookError) as refused:
        read(spark, place(tmp_path / "gl.parquet", "parquet"))
    assert refused.value.diagnostics[0].code == "DATASOURCE_007"
