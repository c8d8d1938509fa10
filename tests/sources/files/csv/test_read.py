"""Csv files as Spark reads them for us: text, whole lines, nothing guessed."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.errors import RowbookError
from rowbook.sources.files.csv import read as read_module
from tests.sources.tables import csv_file, physical, place, read
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark


def test_every_column_is_text_under_its_name_in_the_header(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "id,Amount (USD),a.b,`q`\n007,1.50,2026-01-31,true\n")
    assert physical(spark, place(path)) == [
        {"id": "007", "Amount (USD)": "1.50", "a.b": "2026-01-31", "`q`": "true"}
    ]


def test_an_empty_field_is_null_and_a_quoted_one_empty_text(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, 'a,b,c\n1,,""\n,,\n')
    assert physical(spark, place(path)) == [
        {"a": "1", "b": None, "c": ""},
        {"a": None, "b": None, "c": None},
    ]


@pytest.mark.parametrize(
    ("null_text", "expected"),
    [
        ("NA", [(None, None), ("", "x"), (None, "y")]),
        ("", [("NA", "NA"), (None, "x"), (None, "y")]),
    ],
)
def test_null_text_stands_for_null_too(
    spark: SparkSession, tmp_path: Path, null_text: str, expected: list[tuple[str | None, ...]]
) -> None:
    path = csv_file(tmp_path, 'a,b\n"NA",NA\n"",x\n,y\n')
    found = physical(spark, place(path, null_text=null_text))
    assert [(row["a"], row["b"]) for row in found] == expected


def test_quotes_delimiters_and_line_breaks_stand_inside_quotes(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, 'a,b\n"He said ""no"", twice","line 1\nline 2"\n5" pipe,x\n')
    assert physical(spark, place(path)) == [
        {"a": 'He said "no", twice', "b": "line 1\nline 2"},
        {"a": '5" pipe', "b": "x"},
    ]


def test_spaces_and_unicode_are_kept(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a,Größe\n x , é😀\n")
    assert physical(spark, place(path)) == [{"a": " x ", "Größe": " é😀"}]


def test_delimiter_quote_and_escape_are_options(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a;b\n'x;y';'it\\'s'\n")
    options = {"delimiter": ";", "quote": "'", "escape": "\\"}
    assert physical(spark, place(path, **options)) == [{"a": "x;y", "b": "it's"}]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Müller €"),
        ("utf-8-sig", "Müller €"),
        ("latin-1", "Müller"),
        ("windows-1252", "Müller €"),
        ("iso-8859-15", "Müller €"),
        ("cp1251", "Привет"),
        ("utf-16", "Müller € 😀"),
    ],
)
def test_files_are_read_in_their_encoding(
    spark: SparkSession, tmp_path: Path, encoding: str, text: str
) -> None:
    path = csv_file(tmp_path, f"name,n\n{text},1\n".encode(encoding))
    found = physical(spark, place(path, encoding=encoding))
    assert found == [{"name": text, "n": "1"}]


def test_a_byte_order_mark_is_no_part_of_the_first_name(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, b"\xef\xbb\xbfa,b\n1,2\n")
    assert physical(spark, place(path)) == [{"a": "1", "b": "2"}]


def test_a_file_without_header_has_columns_by_position(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "1,2\n3,4\n")
    (raw,) = read(spark, place(path, header="false"))
    assert raw.by_position
    assert [row.asDict() for row in raw.frame.select(*raw.columns).collect()] == [
        {"c1": "1", "c2": "2"},
        {"c1": "3", "c2": "4"},
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "end"])
def test_lines_may_end_in_any_way(
    spark: SparkSession, tmp_path: Path, line_end: str, last: str
) -> None:
    text = line_end.join(["a,b", "1,2", "", "3,4"]) + (line_end if last else "")
    path = csv_file(tmp_path, text)
    assert physical(spark, place(path)) == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_packed_files_are_read(spark: SparkSession, tmp_path: Path, pack: type[bytes]) -> None:
    ending = "gz" if pack is gzip.compress else "bz2"
    path = csv_file(tmp_path, pack(b"a,b\n1,2\n"), f"gl.csv.{ending}")
    assert physical(spark, place(path)) == [{"a": "1", "b": "2"}]


def test_a_header_alone_is_an_empty_table(spark: SparkSession, tmp_path: Path) -> None:
    (raw,) = read(spark, place(csv_file(tmp_path, "a,b\n")))
    assert raw.columns == ("a", "b")
    assert raw.frame.collect() == []


def test_columns_without_a_name_are_left_out(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a,,b,\n1,x,2,y\n")
    assert physical(spark, place(path)) == [{"a": "1", "b": "2"}]


def test_a_name_that_stands_twice_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a,b,a\n1,2,3\n")
    diagnostic = refusal(lambda: read(spark, place(path)))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message == "data/gl.csv: column 'a' stands twice in the header"


def test_a_header_in_another_encoding_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "Größe,b\n1,2\n".encode("latin-1"))
    diagnostic = refusal(lambda: read(spark, place(path)))
    assert diagnostic.code == "DATASOURCE_007"
    expected = "data/gl.csv: its first line holds bytes that are no text in utf-8"
    assert diagnostic.message == expected


def test_an_encoding_whose_mark_is_missing_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, b"a,b\n1,2\n")
    with pytest.raises(RowbookError) as refused:
        read(spark, place(path, encoding="utf-16"))
    assert refused.value.diagnostics[0].code == "DATASOURCE_007"


def test_files_of_a_folder_are_one_table_whatever_the_order_of_their_columns(
    spark: SparkSession, tmp_path: Path
) -> None:
    csv_file(tmp_path, "a,b\n1,2\n", "gl/1.csv")
    csv_file(tmp_path, "b,a\n4,3\n", "gl/2.csv")
    csv_file(tmp_path, "a,b\n5,6\n", "gl/3.csv")
    csv_file(tmp_path, "junk", "gl/_notes")
    csv_file(tmp_path, "junk", "gl/readme.txt")
    found = physical(spark, place(tmp_path / "gl"))
    assert sorted((row["a"], row["b"]) for row in found) == [("1", "2"), ("3", "4"), ("5", "6")]


def test_what_stands_in_folders_names_is_text(spark: SparkSession, tmp_path: Path) -> None:
    csv_file(tmp_path, "a\n1\n", "gl/_period=2026/code=007/x.csv")
    csv_file(tmp_path, "a\n2\n", "gl/_period=2026-01/code=a%2Fb/x.csv")
    found = physical(spark, place(tmp_path / "gl"))
    assert sorted(found, key=lambda row: str(row["a"])) == [
        {"a": "1", "_period": "2026", "code": "007"},
        {"a": "2", "_period": "2026-01", "code": "a/b"},
    ]


@pytest.mark.parametrize(
    "name", ["sp ace", "br[1]", "cu{a,b}", "st*r", "q?", "per%20c", "ha#sh", "ünï", "back\\slash"]
)
def test_a_path_is_a_path_and_no_pattern(spark: SparkSession, tmp_path: Path, name: str) -> None:
    csv_file(tmp_path, "a\n1\n", f"{name}/gl.csv")
    csv_file(tmp_path, "a\nother\n", "br1/gl.csv")
    csv_file(tmp_path, "a\nother\n", "stAr/gl.csv")
    assert physical(spark, place(tmp_path / name)) == [{"a": "1"}]
    assert physical(spark, place(tmp_path / name / "gl.csv")) == [{"a": "1"}]


def test_headers_are_read_without_running_a_job(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, 'a,b\n1,2,3\n"\n')
    raws = read(spark, place(path))
    assert [raw.columns for raw in raws] == [("a", "b")]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("id,text\n" + "".join(f'{n},"a, ""{n}"" ä"\n' for n in range(300)), {}),
        ("\ufeffid,text\r\n\r\n" + "".join(f"{n},\r\n\r\n" for n in range(300)), {}),
        ("".join(f"{n};ä €\n" for n in range(300)), {"header": "false", "encoding": "cp1252"}),
        ("id;text\n" + "".join(f"{n};'ő'\n" for n in range(300)), {"encoding": "cp1250"}),
    ],
    ids=["quotes", "two characters end a line", "no header", "translated"],
)
def test_a_file_whose_lines_are_records_is_read_in_parts(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    options: dict[str, str],
) -> None:
    """Of a few hundred bytes each here, and gives the rows that it gives as a whole."""
    path = tmp_path / "lines.csv"
    path.write_bytes(text.encode(options.get("encoding", "utf-8")))
    marks = {"delimiter": ";", "quote": "'"} if ";" in text else {}
    table = place(path, **options, **marks)
    whole = physical(spark, table)
    monkeypatch.setattr(read_module, "WORTH_SPLITTING", 0)
    monkeypatch.setattr(read_module, "FEWEST_CORES", 1)
    sizes = ("spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes")
    for size in sizes:
        spark.conf.set(size, "500")
    try:
        (raw,) = read(spark, table)
        assert raw.frame.rdd.getNumPartitions() > 3
        in_parts = physical(spark, table)
    finally:
        for size in sizes:
            spark.conf.unset(size)
    assert len(whole) == 300
    assert in_parts == whole
