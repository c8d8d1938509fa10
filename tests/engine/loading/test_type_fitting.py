"""Physical columns into declared types: which go together, and which values survive."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.sources.files.file_table import FileTable
from tests.sources.tables import dataset, faults, refused, rows_of

pytestmark = pytest.mark.spark


PHYSICAL: list[tuple[pa.Array, str, list[Any]]] = [
    (pa.array([1, None], "int8"), "integer", [1, None]),
    (pa.array([-5], "int16"), "integer", [-5]),
    (pa.array([2**31 - 1], "int32"), "integer", [2**31 - 1]),
    (pa.array([2**32 - 1], "uint32"), "integer", [2**32 - 1]),
    (pa.array([2**63 - 1], "uint64"), "integer", [2**63 - 1]),
    (pa.array([7], "int32"), "decimal(18,2)", [Decimal("7.00")]),
    (pa.array([7], "int64"), "decimal(3,2)", [Decimal("7.00")]),
    (pa.array([7], "int64"), "float", [7.0]),
    (pa.array([Decimal("1.50")], pa.decimal128(18, 2)), "decimal(18,2)", [Decimal("1.50")]),
    (pa.array([Decimal("1.5000")], pa.decimal128(18, 4)), "decimal(18,2)", [Decimal("1.50")]),
    (pa.array([Decimal("1.50")], pa.decimal128(38, 2)), "decimal(4,2)", [Decimal("1.50")]),
    (pa.array([Decimal("1.50")], pa.decimal128(5, 2)), "decimal(38,18)", [Decimal("1.5")]),
    (pa.array([Decimal(7)], pa.decimal128(20, 0)), "integer", [7]),
    (pa.array([Decimal("1.25")], pa.decimal128(5, 2)), "float", [1.25]),
    (pa.array([1.5, None], "float32"), "float", [1.5, None]),
    (pa.array([0.1]), "float", [0.1]),
    (
        pa.array([2.675, -2.675, 1.005]),
        "decimal(18,2)",
        [Decimal("2.68"), Decimal("-2.68"), Decimal("1.01")],
    ),
    (pa.array([True, None]), "boolean", [True, None]),
    (pa.array([date(2026, 1, 31)]), "date", [date(2026, 1, 31)]),
    (pa.array([date(2026, 1, 31)]), "timestamp", [datetime(2026, 1, 31, tzinfo=UTC)]),
    (
        pa.array([datetime(2026, 1, 31, 10)], pa.timestamp("us")),
        "timestamp",
        [datetime(2026, 1, 31, 10, tzinfo=UTC)],
    ),
    (
        pa.array([datetime(2026, 1, 31, 10)], pa.timestamp("ms", tz="UTC")),
        "timestamp",
        [datetime(2026, 1, 31, 10, tzinfo=UTC)],
    ),
    (pa.array(["007", "", None]), "string", ["007", "", None]),
    (pa.array(["10.50", None]), "decimal(18,2)", [Decimal("10.50"), None]),
    (pa.array(["2026-01-31"]), "date", [date(2026, 1, 31)]),
    (pa.array([None, None], "null"), "decimal(18,2)", [None, None]),
]


def stored(tmp_path: Path, column: pa.Array) -> FileTable:
    path = tmp_path / "gl.parquet"
    pq.write_table(pa.table({"k": list(range(len(column))), "v": column}), path)
    return FileTable("parquet", path, label="lake/gl.parquet")


def test_physical_types_become_the_declared_ones(spark: SparkSession, tmp_path: Path) -> None:
    """A column of each, all in one file."""
    most = max(len(column) for column, _, _ in PHYSICAL)
    padded = [
        pa.concat_arrays([column, pa.nulls(most - len(column), column.type)])
        for column, _, _ in PHYSICAL
    ]
    names = [f"v{n}" for n in range(len(PHYSICAL))]
    path = tmp_path / "gl.parquet"
    pq.write_table(
        pa.table({"k": list(range(most)), **dict(zip(names, padded, strict=True))}), path
    )
    kinds = [f"{name} {kind}" for name, (_, kind, _) in zip(names, PHYSICAL, strict=True)]
    wanted = dataset("k integer", *kinds)
    place = FileTable("parquet", path, label="lake/gl.parquet")
    found = sorted(rows_of(spark, wanted, place), key=lambda row: int(row["k"]))
    for name, (column, kind, expected) in zip(names, PHYSICAL, strict=True):
        nothing = [None] * (most - len(column))
        assert [row[name] for row in found] == expected + nothing, f"{column.type} as {kind}"


@pytest.mark.parametrize(
    ("column", "kind", "rows"),
    [
        (pa.array([10, 7], "int64"), "decimal(3,2)", "'10'"),
        (pa.array([2**63], "uint64"), "integer", "'9223372036854775808'"),
        (
            pa.array([Decimal("1.505"), Decimal("1.500")], pa.decimal128(18, 3)),
            "decimal(18,2)",
            "'1.505'",
        ),
        (pa.array([Decimal("100.00")], pa.decimal128(38, 2)), "decimal(4,2)", "'100.00'"),
        (
            pa.array([Decimal("9" * 36 + ".99")], pa.decimal128(38, 2)),
            "decimal(38,18)",
            f"'{'9' * 36}.99'",
        ),
        (
            pa.array([Decimal("9" * 20 + "." + "9" * 18)], pa.decimal128(38, 18)),
            "decimal(20,0)",
            f"'{'9' * 20}.{'9' * 18}'",
        ),
        (pa.array([math.nan, 1.0]), "decimal(18,2)", "'NaN'"),
        (pa.array([1e300]), "decimal(18,2)", "'1.0E300'"),
        (pa.array(["1.5", "x"]), "decimal(18,2)", "'x'"),
    ],
)
def test_a_physical_value_that_does_not_fit_fails_the_job(
    spark: SparkSession, tmp_path: Path, column: pa.Array, kind: str, rows: str
) -> None:
    wanted = dataset("k integer", f"v {kind}", keys=["k"])
    (diagnostic,) = faults(spark, wanted, stored(tmp_path, column))
    assert diagnostic.code == "DATASET_011"
    assert diagnostic.message.startswith(
        f"dataset 'gl_entries': 1 value of column 'v' does not fit {kind}: {rows} at"
        " lake/gl.parquet where k = '"
    )


@pytest.mark.parametrize(
    ("column", "kind", "physical"),
    [
        (pa.array([1]), "string", "bigint"),
        (pa.array([1]), "boolean", "bigint"),
        (pa.array([1.5]), "integer", "double"),
        (pa.array([Decimal("1.00")], pa.decimal128(5, 2)), "integer", "decimal(5,2)"),
        (pa.array([True]), "integer", "boolean"),
        (
            pa.array([datetime(2026, 1, 31, tzinfo=UTC)], pa.timestamp("us", tz="UTC")),
            "date",
            "timestamp",
        ),
        (pa.array([date(2026, 1, 31)]), "string", "date"),
        (pa.array([b"x"]), "string", "binary"),
        (pa.array([[1]]), "integer", "array<bigint>"),
    ],
)
def test_types_that_do_not_go_together_are_refused_before_a_job_runs(
    spark: SparkSession, tmp_path: Path, column: pa.Array, kind: str, physical: str
) -> None:
    (diagnostic,) = refused(spark, dataset("k integer", f"v {kind}"), stored(tmp_path, column))
    assert (diagnostic.code, diagnostic.message) == (
        "DATASET_011",
        f"dataset 'gl_entries': column 'v' is declared as {kind}, but 'v' in lake/gl.parquet is"
        f" {physical}",
    )
