"""Previews without Spark give what Spark gives: rows, row ids, columns and errors."""

from __future__ import annotations

import io
import random
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.api import init_workspace
from tests.runs.preview.both_engines import (
    agreed,
    agreed_errors,
    by_reference,
    on_spark,
    write_workspace,
)
from tests.runs.preview.random_files import outcome, write_random_project
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

SEEDS = 1
HEADER = "s,i,m,f,b,d,z\n"
USUAL = (
    HEADER
    + "a,1,1.50,0.1,true,2026-01-31,2026-01-31T10:00:00Z\n"
    + '"b ""quoted"", x\ny",-2,+0.1,1e3,FALSE,2024-02-29,2026-01-31T10:00:00.123456+02:00\n'
    + '"",,,NaN,,,\n'
    + ",9223372036854775807,1.5E+7,-Infinity,True,0001-01-01,9999-12-31T23:59:59Z\n"
    + "a,1,1.50,0.1,true,2026-01-31,2026-01-31T10:00:00Z\n"
    + "ü 👍,0,-0.00,-0.0,false,1999-12-31,1970-01-01T00:00:00Z\n"
)
LINES = (
    '{"s": "a", "i": 1, "m": 1.50, "f": 0.1, "b": true, "d": "2026-01-31", "x": [1, {"y": 2}]}\n'
    "\n"
    '{"i": 1E+3, "s": "\\u00fc\\ud83d\\ude00", "m": "2.5", "z": "2026-01-31T10:00:00Z"}\n'
    '{"s": null, "_labels": "kept", "_deleted": false}\n'
    '{"s": "a", "i": 1, "m": 1.50, "f": 0.1, "b": true, "d": "2026-01-31"}\n'
)
SCHEMA = pa.schema(
    [
        ("s", pa.string()),
        ("i", pa.int64()),
        ("m", pa.decimal128(18, 2)),
        ("f", pa.float64()),
        ("b", pa.bool_()),
        ("d", pa.date32()),
        ("z", pa.timestamp("us", tz="UTC")),
    ]
)
ROWS: list[dict[str, Any]] = [
    {
        "s": "a",
        "i": 1,
        "m": Decimal("1.50"),
        "f": 0.1,
        "b": True,
        "d": date(2026, 1, 31),
        "z": datetime(2026, 1, 31, 10, 0, 0, 123456, tzinfo=UTC),
    },
    {"s": None, "i": None, "m": None, "f": None, "b": None, "d": None, "z": None},
    {
        "s": "ü",
        "i": -(2**63),
        "m": Decimal("-9999999999999999.99"),
        "f": float("nan"),
        "b": False,
        "d": date(1, 1, 1),
        "z": datetime(1, 1, 1, tzinfo=UTC),
    },
]


def parquet(rows: list[dict[str, Any]], schema: pa.Schema = SCHEMA, *, group: int = 2) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema), file, row_group_size=group)
    return file.getvalue()


CSV: dict[str, tuple[dict[str, str | bytes], dict[str, str]]] = {
    "usual": ({"entries.csv": USUAL}, {}),
    "crlf": ({"entries.csv": USUAL.replace("\n", "\r\n")}, {}),
    "windows": (
        {"entries.csv": 's;i;m;d\n"€ ü";1;1,50;31.01.2026\nNA;;-0,5;\n'.encode("cp1252")},
        {
            "options": ", encoding: windows-1252, delimiter: ';', decimal_separator: ',',"
            " date_format: dd.MM.yyyy, null_text: NA",
            "columns": "      - {name: s, type: string}\n      - {name: i, type: integer}\n"
            '      - {name: m, type: "decimal(18,2)"}\n      - {name: d, type: date}\n',
        },
    ),
    "utf-16, own quote and escape, no header": (
        {"entries.csv": "'a, b',1\n,2\nc,3\n".encode("utf-16")},
        {
            "options": ", encoding: utf-16, quote: \"'\", escape: '\\', header: false",
            "columns": "      - {name: s, type: string}\n      - {name: m, type: integer}\n",
        },
    ),
    "numbers as accounting systems write them": (
        {
            "entries/a.csv": "Journal\n\n'Printed: 01.02.2026'\ns;i;m;f;d\n"
            "a;1.234-;1.234.567,89-;1'234.50;31.01.2026\nb;;5,00;;\n"
            "a;7;€ 7;-0.5;\n",
            "entries/b.csv": "x\ny;z\n;;;;\ns;i;m;f;d\nc;1;2;3;\n",
        },
        {
            "options": ", delimiter: ';', decimal_separator: ',', thousands_separator: '.',"
            " negative: trailing, header_row: 4, date_format: dd.MM.yyyy",
            "columns": "      - {name: s, type: string}\n      - {name: i, type: integer}\n"
            '      - {name: m, type: "decimal(18,2)", format: {strip: "€"}}\n'
            "      - {name: f, type: float, format: {decimal_separator: '.',"
            ' thousands_separator: "\'", negative: leading}}\n'
            "      - {name: d, type: date}\n",
        },
    ),
    "several files with other columns": (
        {
            "entries/a.csv": "s,m\n1,1\n",
            "entries/b.csv": "m,s,x\n2,2,9\n",
            "entries/c.csv": "s,m\n3,3\n",
            "entries/_hidden.csv": "no\n",
        },
        {"columns": '      - {name: s, type: string}\n      - {name: m, type: "decimal(18,2)"}\n'},
    ),
    "folders of periods": (
        {
            "entries/_period=2026-01/a.csv": "s,m\n1,1\n2,2\n",
            "entries/_period=2026-01/b.csv": "s,m\n1,1\n",
            "entries/_period=2026-02/a.csv": "s,m\n3,3\n",
        },
        {
            "mode": "period",
            "columns": "      - {name: s, type: string}\n"
            '      - {name: m, type: "decimal(18,2)"}\n',
        },
    ),
    "a place with its own period": (
        {"entries/2026-01.csv": "s,m\n1,1\n", "entries/2026-02.csv": "s,m\n2,2\n"},
        {
            "mode": "period",
            "table": "entries/{{identifier}}",
            "columns": "      - {name: s, type: string}\n"
            '      - {name: m, type: "decimal(18,2)"}\n',
        },
    ),
    "a bitemporal table": (
        {
            "entries.csv": "s,m,valid_from,valid_to\n"
            "old,1,2025-01-01,2026-01-31\nnow,2,2026-01-31,\nlater,3,2026-02-01,\n"
        },
        {
            "mode": "bitemporal",
            "columns": "      - {name: s, type: string}\n"
            '      - {name: m, type: "decimal(18,2)"}\n'
            "      - {name: valid_from, type: date, nullable: false}\n"
            "      - {name: valid_to, type: date}\n",
        },
    ),
}


@pytest.mark.some(4)
@pytest.mark.parametrize(("files", "options"), CSV.values(), ids=CSV)
def test_on_csv_files(
    spark: SparkSession, tmp_path: Path, files: dict[str, str | bytes], options: dict[str, str]
) -> None:
    write_workspace(tmp_path, "csv", files, **options)
    assert agreed(tmp_path, spark)


def test_on_json_lines(spark: SparkSession, tmp_path: Path) -> None:
    files = {"entries/a.json": LINES, "entries/b.json": '{"s": "last", "m": 7}\n'}
    write_workspace(tmp_path, "json", files)
    rows = agreed(tmp_path, spark)
    assert {row["_labels"] for row in rows} == {"", "kept"}


def test_numbers_of_json_are_in_no_form(spark: SparkSession, tmp_path: Path) -> None:
    lines = '{"s": 1.50, "i": "1.234", "m": 1.234, "f": "1.234,5"}\n{"i": 1E+3, "m": "1.234,00-"}\n'
    columns = (
        "      - {name: s, type: string}\n      - {name: i, type: integer}\n"
        '      - {name: m, type: "decimal(18,3)", format: {negative: trailing}}\n'
        "      - {name: f, type: float}\n"
    )
    options = ", decimal_separator: ',', thousands_separator: '.'"
    write_workspace(tmp_path, "json", {"entries.json": lines}, columns=columns, options=options)
    rows = sorted(agreed(tmp_path, spark), key=lambda row: row["i"])
    assert [[row[name] for name in "simf"] for row in rows] == [
        [None, 1000, Decimal("-1234.000"), None],
        ["1.50", 1234, Decimal("1.234"), 1234.5],
    ]


def test_on_many_json_lines(spark: SparkSession, tmp_path: Path) -> None:
    """More than are looked at for their keys."""
    many = "".join(f'{{"s": "{i}"}}\n' for i in range(1001))
    late = '{"m": 2.5, "_period": "2026-01"}\n'
    columns = "      - {name: s, type: string}\n      - {name: m, type: integer}\n"
    write_workspace(
        tmp_path,
        "json",
        {"entries/2026-01.json": many + late.replace("2.5", "2")},
        columns=columns,
        mode="period",
        table="entries/{{identifier}}",
    )
    assert len(agreed(tmp_path, spark, limit=5000)) == 1002


def test_on_parquet_files_of_all_types(spark: SparkSession, tmp_path: Path) -> None:
    other = pa.schema(
        [
            ("i", pa.int16()),
            ("s", pa.string()),
            ("m", pa.float32()),
            ("f", pa.int32()),
            ("b", pa.bool_()),
            ("d", pa.date32()),
            ("z", pa.date32()),
            ("y", pa.binary()),
        ]
    )
    rows = [{"i": 3, "s": "x", "m": 0.1, "f": 7, "z": date(2026, 1, 31), "y": b"1"}]
    files = {
        "entries/a.parquet": parquet(ROWS),
        "entries/b.parquet": parquet(ROWS[:1]),
        "entries/other.parquet": parquet(rows, other),
    }
    write_workspace(tmp_path, "parquet", files)
    assert len(agreed(tmp_path, spark)) == 5


def test_on_parquet_in_folders_of_periods(spark: SparkSession, tmp_path: Path) -> None:
    files = {
        "entries/_period=2026-01/part-1.parquet": parquet(ROWS),
        "entries/_period=2026-02/part-1.parquet": parquet(ROWS),
    }
    write_workspace(tmp_path, "parquet", files, mode="period")
    assert len(agreed(tmp_path, spark)) == 3


FAULTS: dict[str, tuple[str, dict[str, str | bytes], dict[str, str]]] = {
    "values of csv": (
        "csv",
        {
            "entries/a.csv": "s,i\nx,1\n,2\ny,1.5\n",
            "entries/b.csv": "s,i\nz,one\n" + "w,two\n" * 5,
        },
        {
            "columns": "      - {name: s, type: string, nullable: false}\n"
            "      - {name: i, type: integer}\n",
            "operations": "    []",
        },
    ),
    "values of csv that look like other forms": (
        "csv",
        {
            "entries/a.csv": "s,i,m,d\nx,1,1.5,31.01.2026\n",
            "entries/b.csv": 's,i,m,d\ny,1\'234,"1.918,18",01.02.2026\n',
        },
        {
            "columns": "      - {name: s, type: string}\n      - {name: i, type: integer}\n"
            '      - {name: m, type: "decimal(18,2)"}\n      - {name: d, type: date}\n',
            "operations": "    []",
        },
    ),
    "bytes of csv that are no text": (
        "csv",
        {
            "entries/a.csv": "s,x,i\na,b,1\n",
            "entries/b.csv": "s,x,i\nMüller,ü,1\nx,y,ä\nGroß,,\n".encode("cp1252"),
        },
        {
            "columns": "      - {name: s, type: string}\n      - {name: i, type: integer}\n",
            "operations": "    []",
        },
    ),
    "bytes of json that are no text": (
        "json",
        {"entries.json": '{"s": "Müller", "i": 1}\n{"s": "x", "i": "ä"}\n'.encode("cp1252")},
        {
            "columns": "      - {name: s, type: string}\n      - {name: i, type: integer}\n",
            "operations": "    []",
        },
    ),
    "a format that does not go with its source": (
        "csv",
        {"entries.csv": "s,i\nx,1\n"},
        {
            "columns": "      - {name: s, type: string}\n"
            "      - {name: i, type: integer, format: {thousands_separator: '.'}}\n",
            "operations": "    []",
        },
    ),
    "lines of csv": (
        "csv",
        {"entries.csv": "s,i\nx,1\ny\nz,1,2\nz,x\n"},
        {
            "columns": "      - {name: s, type: string}\n      - {name: i, type: integer}\n",
            "operations": "    []",
        },
    ),
    "lines of json": (
        "json",
        {"entries.json": '{"s": "a", "i": 1.5}\n[1]\n{"s": 1,\n{"s": "a", "s": "b"}\n'},
        {
            "columns": "      - {name: s, type: string}\n      - {name: i, type: integer}\n",
            "operations": "    []",
        },
    ),
    "columns that are missing": (
        "csv",
        {"entries/a.csv": "s,j\nx,1\n", "entries/b.csv": "s,j\ny,1\n", "entries/c.csv": "i\n1\n"},
        {
            "columns": "      - {name: s, type: string}\n      - {name: i, type: integer}\n",
            "operations": "    []",
        },
    ),
    "types of parquet": (
        "parquet",
        {"entries.parquet": parquet(ROWS)},
        {
            "columns": "      - {name: s, type: string}\n      - {name: i, type: date}\n"
            "      - {name: m, type: integer}\n",
            "operations": "    []",
        },
    ),
    "values of parquet": (
        "parquet",
        {"entries.parquet": parquet(ROWS)},
        {
            "columns": "      - {name: s, type: string, nullable: false}\n"
            '      - {name: m, type: "decimal(4,1)"}\n',
            "operations": "    []",
        },
    ),
    "a value that does not fit": (
        "csv",
        {"entries.csv": "s,m\na,1\n"},
        {
            "columns": "      - {name: s, type: string}\n      - {name: m, type: integer}\n",
            "operations": "    - seq: 10\n      name: grow\n      type: update\n"
            "      arguments: {assignments: [{column: m,"
            ' expression: "m + 9223372036854775807"}]}\n',
        },
    ),
}


@pytest.mark.some(5)
@pytest.mark.parametrize(("kind", "files", "options"), FAULTS.values(), ids=FAULTS)
def test_on_what_is_wrong(
    spark: SparkSession,
    tmp_path: Path,
    kind: str,
    files: dict[str, str | bytes],
    options: dict[str, str],
) -> None:
    write_workspace(tmp_path, kind, files, **options)
    assert agreed_errors(tmp_path, spark)


JOINED = """\
dataset:
  name: rates
  main_table:
    name: rates
    columns: [{name: s, type: string, nullable: false}, {name: rate, type: integer}]
"""
JOIN = """\
    - seq: 10
      name: rate
      type: update
      arguments:
        joins: [{alias: r, dataset_id: rates, on: "entries.s = r.s"}]
        assignments: [{column: rate, expression: "r.rate"}]
    - seq: 20
      name: late
      type: append
      arguments: {source: {dataset_id: rates}}
"""


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("rates", "after", "code"),
    [
        ("s,rate\na,1\na,2\n", None, "JOIN_005"),
        ("s,rate\na,x\n,1\n", 10, "DATASET_011"),
        ("s\na\n", 10, "DATASET_010"),
        ("s,rate\nb,1\n", None, ""),
    ],
)
def test_on_datasets_that_are_joined_and_appended(
    spark: SparkSession, tmp_path: Path, rates: str, after: int | None, code: str
) -> None:
    columns = "      - {name: s, type: string}\n      - {name: i, type: integer}\n"
    i = "y" if code == "DATASET_011" else "1"
    files: dict[str, str | bytes] = {"entries.csv": f"s,i\na,{i}\n", "rates.csv": rates}
    write_workspace(
        tmp_path, "csv", files, columns=columns, table="{{table_name}}", operations=JOIN
    )
    write_files(tmp_path, {"datasets/rates.yaml": JOINED})
    if code:
        told = agreed_errors(tmp_path, spark, after=after)
        assert told[0].startswith(code)
    else:
        assert len(agreed(tmp_path, spark, after=after)) == 2


def test_on_the_starter_workspace(spark: SparkSession, tmp_path: Path) -> None:
    init_workspace(tmp_path / "acme", "close")
    project = {"project": "monthly_close", "period": "2026-01", "limit": 5000}
    rows = agreed(tmp_path / "acme", spark, **project)
    assert {row["_source_table"] for row in rows} > {"gl"}
    agreed(tmp_path / "acme", spark, **project, after=20)


@pytest.mark.parametrize(
    "kind", ["csv", *(pytest.param(k, marks=pytest.mark.campaign) for k in ("json", "parquet"))]
)
def test_on_random_projects_over_files(
    spark: SparkSession, tmp_path: Path, seed: int, kind: str
) -> None:
    write_random_project(tmp_path, random.Random(f"{kind} {seed}"), kind)
    plain = outcome(lambda: by_reference(tmp_path, project="random"))
    assert plain == outcome(lambda: on_spark(tmp_path, spark, project="random"))
