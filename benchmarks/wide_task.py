"""Tables of many columns, and of many files: the data, a project on it, and the same by hand.

The project sets a column where another is large, adds a column, adds totals and writes all rows.
"""

from __future__ import annotations

import shutil
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Kind = Literal["csv", "parquet"]
PROJECT, PERIOD = "wide", "2026-01"
_TYPES = ("decimal(18,2)", "string", "date", "bigint", "boolean")
_TEXTS = ("12.50", "abc", "2026-01-31", "42", "true")
_VALUES = (
    pa.array([Decimal("12.50")], pa.decimal128(18, 2)),
    pa.array(["abc"]),
    pa.array([date(2026, 1, 31)]),
    pa.array([42]),
    pa.array([True]),
)


def wide_table(root: Path, kind: Kind, columns: int) -> None:
    """One row of many columns, of five types."""
    folder = root / "data"
    folder.mkdir(parents=True)
    if kind == "csv":
        lines = ([f"c{i}" for i in range(columns)], [_TEXTS[i % 5] for i in range(columns)])
        text = "".join(f"{','.join(line)}\n" for line in lines)
        (folder / "wide.csv").write_text(text, encoding="utf-8")
    else:
        table = pa.table({f"c{i}": _VALUES[i % 5] for i in range(columns)})
        pq.write_table(table, folder / "wide.parquet")


def many_files(data: Path, files: int) -> Path:
    """A workspace whose table is a folder of csv files of one row each; made once."""
    root = data / f"files-{files}"
    if not root.is_dir():
        made = root.with_suffix(".new")
        shutil.rmtree(made, ignore_errors=True)
        (made / "data" / "wide").mkdir(parents=True)
        text = f"{','.join(f'c{i}' for i in range(5))}\n{','.join(_TEXTS)}\n"
        for i in range(files):
            (made / "data" / "wide" / f"{i:06}.csv").write_text(text, encoding="utf-8")
        (made / "rowbook.yaml").write_text(workspace("csv", 5), encoding="utf-8")
        made.rename(root)
    return root


def workspace(kind: Kind, columns: int) -> str:
    types = [t.replace("bigint", "integer") for t in _TYPES]
    listed = "".join(f"      - {{name: c{i}, type: '{types[i % 5]}'}}\n" for i in range(columns))
    return (
        "workspace: {name: wide, default_resolver_id: tables}\n---\n"
        f"datasource: {{name: lake, type: {kind}, options: {{root: data}}}}\n---\n"
        "resolver:\n  name: tables\n  rules:\n"
        "    - {name: all, strategy: {type: table, datasource_id: lake, table: wide}}\n---\n"
        f"dataset:\n  name: wide\n  main_table:\n    name: wide\n    columns:\n{listed}---\n"
        f"{_PROJECT}"
    )


_PROJECT = f"""\
project:
  name: {PROJECT}
  input_dataset_id: wide
  operations:
    - seq: 1
      name: double
      type: update
      selector: "c0 > 1"
      arguments: {{assignments: [{{column: c0, expression: "c0 * 2"}}]}}
    - seq: 2
      name: shout
      type: update
      arguments: {{assignments: [{{column: loud, expression: "UPPER(c1)"}}]}}
    - seq: 3
      name: total
      type: aggregate
      arguments: {{group_by: [c1], aggregations: [{{column: total, expression: "SUM(c0)"}}]}}
    - seq: 4
      name: write
      type: output
      arguments: {{destination: {{datasource_id: lake, table: result}}}}
"""


def by_hand(spark: SparkSession, root: Path, kind: Kind, columns: int) -> DataFrame:
    """The same rows in PySpark; csv with the types that are declared."""
    if kind == "csv":
        schema = ", ".join(f"c{i} {_TYPES[i % 5]}" for i in range(columns))
        reader = spark.read.schema(schema).option("header", "true").option("mode", "FAILFAST")
        place = root / "data" / "wide"
        rows = reader.csv(str(place if place.is_dir() else place.with_suffix(".csv")))
    else:
        rows = spark.read.parquet(str(root / "data" / "wide.parquet"))
    doubled = F.when(F.col("c0") > 1, F.col("c0") * 2).otherwise(F.col("c0"))
    rows = rows.withColumns({"c0": doubled.cast("decimal(18,2)"), "loud": F.upper("c1")})
    totals = rows.groupBy("c1").agg(F.sum("c0").alias("total"))
    return rows.unionByName(totals, allowMissingColumns=True)
