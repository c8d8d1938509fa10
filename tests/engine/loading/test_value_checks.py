"""Bad values at load: the job fails, and the message says what, how many and where."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from rowbook.engine.loading.value_checks import explain_bad_values
from rowbook.errors import Diagnostic
from rowbook.sources.files.file_table import FileTable
from tests.engine.running import COMPILED, settings
from tests.sources.tables import csv_file, dataset, faults, load_all, place, read, rows_of

pytestmark = pytest.mark.spark


def said(found: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    return [(d.code, d.message.removeprefix("dataset 'gl_entries': ")) for d in found]


def test_values_that_do_not_fit_are_named_with_file_and_line(
    spark: SparkSession, tmp_path: Path
) -> None:
    """A column of each, all in one file."""
    columns = [
        ("integer", "7", "7.5"),
        ("integer", "7", "9223372036854775808"),
        ("decimal(18,2)", "10.55", "10.555"),
        ("decimal(18,2)", "10.55", "abc"),
        ("decimal(4,2)", "10.55", "100.00"),
        ("float", "1.5", "1,5"),
        ("boolean", "TRUE", "yes"),
        ("date", "2026-01-31", "2026-02-30"),
        ("date", "2026-01-31", "31.01.2026"),
        ("timestamp", "2026-01-31T10:00:00Z", "2026-01-31T25:00:00Z"),
    ]
    lines = [
        ["id", *(f"v{n}" for n in range(len(columns)))],
        ["J1", *(f'"{good}"' for _, good, _ in columns)],
        ["J2", *(f'"{bad}"' for _, _, bad in columns)],
        ["J3", *("" for _ in columns)],
    ]
    path = csv_file(tmp_path, "".join(f"{','.join(line)}\n" for line in lines))
    kinds = [f"v{n} {kind}" for n, (kind, _, _) in enumerate(columns)]
    found = faults(spark, dataset("id string", *kinds), place(path))
    assert said(found) == [
        (
            "DATASET_011",
            f"1 value of column 'v{n}' does not fit {kind}: '{bad}' at data/gl.csv:3",
        )
        for n, (kind, _, bad) in enumerate(columns)
    ]


def test_null_in_a_column_that_is_not_nullable_is_named(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, 'id,v\n"",1\nJ2,\n,3\n,\n')
    found = faults(spark, dataset("id string!", "v integer!"), place(path))
    assert said(found) == [
        (
            "DATASET_012",
            "column 'id' is not nullable, but NULL in 2 rows: data/gl.csv:4, data/gl.csv:5",
        ),
        (
            "DATASET_012",
            "column 'v' is not nullable, but NULL in 2 rows: data/gl.csv:3, data/gl.csv:5",
        ),
    ]


def test_at_most_five_are_shown_of_all_that_are_counted(
    spark: SparkSession, tmp_path: Path
) -> None:
    lines = "".join(f"J{i},x{i}\n" for i in range(7))
    path = csv_file(tmp_path, f"id,v\nJ,1\n{lines}")
    found = faults(spark, dataset("id string", "v integer"), place(path))
    label = ", ".join(f"'x{i}' at data/gl.csv:{i + 3}" for i in range(5))
    assert said(found) == [("DATASET_011", f"7 values of column 'v' do not fit integer: {label} …")]


def test_samples_come_from_all_sources(spark: SparkSession, tmp_path: Path) -> None:
    one = csv_file(tmp_path, "id,v\nJ1,a\n", "1.csv")
    two = csv_file(tmp_path, "v,id\n5,J2\nb,J3\n", "2.csv")
    found = faults(spark, dataset("id string", "v integer"), place(one), place(two))
    assert said(found) == [
        (
            "DATASET_011",
            "2 values of column 'v' do not fit integer: 'a' at data/1.csv:2, 'b' at data/2.csv:3",
        )
    ]


def test_a_value_of_many_lines_is_found_where_its_row_starts(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, 'id,v\n"a\nb",1\n"c","x\ny"\n')
    found = faults(spark, dataset("id string", "v integer"), place(path))
    assert said(found) == [
        ("DATASET_011", "1 value of column 'v' does not fit integer: 'x\\ny' at data/gl.csv:4")
    ]


def test_values_in_packed_files_are_found_too(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, gzip.compress(b"id,v\nJ1,x\n"), "gl.csv.gz")
    found = faults(spark, dataset("id string", "v integer"), place(path))
    assert said(found)[0][1].endswith("'x' at data/gl.csv.gz:2")


def test_long_values_are_cut(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, f"id,v\nJ1,{'x' * 1000}\n")
    ((_, message),) = said(faults(spark, dataset("id string", "v integer"), place(path)))
    assert message.endswith(f"'{'x' * 60}…' at data/gl.csv:2")


_NO_ROWS = (
    ("id,v\nJ1,1\nJ2\nJ3,3\n", "data/gl.csv:3 (1 fields instead of 2)"),
    ("id,v\nJ1,1\nJ2,2,2\nJ3,3\n", "data/gl.csv:3 (3 fields instead of 2)"),
    ("id,v\nJ1,1\n  \nJ3,3\n", "data/gl.csv:3 (1 fields instead of 2)"),
    (
        "id,v\nJ1,1\r\nJ2,2\n",
        "data/gl.csv:2 (the line ends with CR LF, the first line with LF alone)",
    ),
)
_BOTH, _FIRST, _LAST = ("id string", "v string"), ("id string",), ("v string",)


@pytest.mark.parametrize(
    ("text", "expected", "columns"),
    [
        *((*case, _FIRST) for case in _NO_ROWS),
        *((*case, _LAST) for case in _NO_ROWS[::3]),
        *(pytest.param(*case, _LAST, marks=pytest.mark.campaign) for case in _NO_ROWS[1:3]),
        (*_NO_ROWS[0], _BOTH),
        *(pytest.param(*case, _BOTH, marks=pytest.mark.campaign) for case in _NO_ROWS[1:]),
    ],
)
def test_a_line_that_is_no_row_fails_the_job_whatever_is_read_of_it(
    spark: SparkSession, tmp_path: Path, text: str, expected: str, columns: tuple[str, ...]
) -> None:
    path = csv_file(tmp_path, text)
    found = faults(spark, dataset(*columns), place(path))
    assert said(found) == [("DATASOURCE_007", f"1 line cannot be read as rows: {expected}")]


def test_a_broken_line_is_not_reported_for_its_values_too(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "id,v\nJ1\nJ2,x\n")
    found = faults(spark, dataset("id string", "v integer!"), place(path))
    assert [d.code for d in found] == ["DATASOURCE_007", "DATASET_011"]
    assert "1 value of column 'v'" in found[1].message


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_rows_that_an_open_quote_swallowed_are_missed(
    spark: SparkSession, tmp_path: Path, line_end: str
) -> None:
    swallowed = "".join(f"J{i},some text\n" for i in range(2000))
    path = csv_file(tmp_path, f'id,v\nJ0,1\nJ1,"open\n{swallowed}'.replace("\n", line_end))
    ((code, message),) = said(faults(spark, dataset("id string", "v string"), place(path)))
    assert code == "DATASOURCE_007"
    assert message == (
        "1 line cannot be read as rows: data/gl.csv:3 (a quote that is never closed)"
    )


def test_a_long_text_of_many_lines_in_the_last_column_is_no_fault(
    spark: SparkSession, tmp_path: Path
) -> None:
    text = "".join(f"J{i},some text\n" for i in range(2000))
    others = text.replace("some", "other")
    path = csv_file(tmp_path, f'id,v\nJ0,"{text}"\nJ1,x\n{others}')
    assert len(rows_of(spark, dataset("id string", "v string"), place(path))) == 2002


def test_bytes_that_are_no_text_are_named(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id,v\nJ1,Meier\nJ2,Müller\n".encode("latin-1"))
    (diagnostic,) = faults(spark, dataset("id string", "v string"), place(path))
    assert said((diagnostic,)) == [
        (
            "DATASOURCE_007",
            "1 value of column 'v' with bytes that are no text: 'M\ufffdller' at data/gl.csv:3",
        )
    ]
    assert diagnostic.hint == "it looks like cp1252: set the option `encoding: cp1252`"
    assert rows_of(spark, dataset("id string"), place(path)) == [{"id": "J1"}, {"id": "J2"}]


def test_rows_of_other_periods_in_the_same_file_are_checked_too(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "_period,v\n2026-01,1\n2025-12,x\n")
    wanted = dataset("_period string", "v integer", mode="period")
    assert said(faults(spark, wanted, place(path))) == [
        ("DATASET_011", "1 value of column 'v' does not fit integer: 'x' at data/gl.csv:3")
    ]


@pytest.fixture
def compiling(spark: SparkSession) -> Iterator[SparkSession]:
    """Plans filters and joins as for many rows."""
    with settings(spark, COMPILED) as many_rows:
        yield many_rows


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_no_later_filter_or_join_hides_rows_from_the_check(
    compiling: SparkSession, tmp_path: Path, kind: str
) -> None:
    if kind == "csv":
        where = place(csv_file(tmp_path, "id,v\nJ1,1\n,2\nJ3,x\n"))
    else:
        where = stored(tmp_path, id=["J1", None, "J3"], v=["1", "2", "x"])
    other = compiling.createDataFrame([("J1", 1)], "id string, w int")
    for columns in (("id string!", "v string"), ("id string", "v integer")):
        frame = load_all(compiling, dataset(*columns), where).frame
        after = (
            frame.filter(frame["id"].isNotNull() & (frame["id"] == "J1")),
            other.join(frame, "id", "left"),
            other.join(frame.groupBy("id").count(), "id", "left"),
        )
        for each in after:
            with pytest.raises(PySparkException, match="ROWBOOK DATASET_011"):
                each.collect()


def test_a_null_text_in_a_number_is_told_by_its_line(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, 'id,v\nJ1,""\nJ2,NA\n')
    found = faults(spark, dataset("id string", "v integer!"), place(path, null_text="NA"))
    assert said(found) == [
        ("DATASET_011", "1 value of column 'v' does not fit integer: '' at data/gl.csv:2"),
        ("DATASET_012", "column 'v' is not nullable, but NULL in 1 row: data/gl.csv:3"),
    ]


def stored(tmp_path: Path, **columns: Any) -> FileTable:
    path = tmp_path / "gl.parquet"
    pq.write_table(pa.table(columns), path)
    return FileTable("parquet", path, label="lake/gl.parquet")


def test_where_there_are_no_lines_rows_are_named_by_their_keys(
    spark: SparkSession, tmp_path: Path
) -> None:
    columns = ("note string", "journal string", "line integer", "v integer!")
    where = stored(
        tmp_path,
        note=["a", "b", "c"],
        journal=["J1", "J2", None],
        line=[1, 2, 3],
        v=["x", "5", None],
    )
    found = faults(spark, dataset(*columns, keys=["journal", "line"]), where)
    assert said(found) == [
        (
            "DATASET_011",
            "1 value of column 'v' does not fit integer: 'x' at lake/gl.parquet where"
            " journal = 'J1', line = '1'",
        ),
        (
            "DATASET_012",
            "column 'v' is not nullable, but NULL in 1 row: lake/gl.parquet where"
            " journal = NULL, line = '3'",
        ),
    ]


def test_without_keys_rows_are_named_by_their_first_columns(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = stored(tmp_path, a=["x"], v=pa.array([None], "string"), b=["y"], c=["z"])
    found = faults(spark, dataset("a string", "v string!", "b string", "c string"), where)
    assert said(found)[0][1].endswith("lake/gl.parquet where a = 'x', b = 'y'")


def test_a_value_in_a_folders_name_is_checked_like_any_other(
    spark: SparkSession, tmp_path: Path
) -> None:
    csv_file(tmp_path, "id\nJ1\n", "gl/year=2026/1.csv")
    csv_file(tmp_path, "id\nJ2\n", "gl/year=last/1.csv")
    where = FileTable("csv", tmp_path / "gl", label="data/gl")
    found = faults(spark, dataset("id string", "year integer"), where)
    assert said(found) == [
        (
            "DATASET_011",
            "1 value of column 'year' does not fit integer: 'last' at data/gl where id = 'J2'",
        )
    ]


def test_where_nothing_is_wrong_nothing_is_found(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id,v\nJ1,1\n")
    wanted = dataset("id string!", "v integer!")
    assert explain_bad_values(wanted, read(spark, place(path))) == ()
    assert load_all(spark, wanted, place(path)).frame.count() == 1


def test_a_source_that_became_unusable_says_so(spark: SparkSession, tmp_path: Path) -> None:
    raws = read(spark, place(csv_file(tmp_path, "id\nJ1\n")))
    (diagnostic,) = explain_bad_values(dataset("id string", "v integer"), raws)
    assert diagnostic.code == "DATASET_010"
