"""Json lines as Spark reads them for us: text as it is written, whole lines, nothing guessed."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Collection
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.json.lines import LOOKED_AT
from rowbook.sources.files.source import FileSource
from tests.sources.tables import (
    csv_file,
    dataset,
    faults,
    load_all,
    physical,
    place,
    read,
    refused,
    rows_of,
)
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark


def json_file(folder: Path, *lines: str, name: str = "gl.json") -> Path:
    return csv_file(folder, "".join(f"{line}\n" for line in lines), name)


def at(path: Path, wanted: Collection[str] | None = None, **options: str) -> FileTable:
    return replace(place(path, "json", **options), wanted=wanted)


def test_values_are_text_as_they_are_written(spark: SparkSession, tmp_path: Path) -> None:
    path = json_file(
        tmp_path,
        '{"a": 10.50, "b": 1e3, "c": 123456789012345678901234567890.12, "d": true, "e": null,'
        ' "f": "", "g": "\\u00e9\\n\\"x\\\\", "a.b": -0, "`q`": "10.50"}',
    )
    assert physical(spark, at(path)) == [
        {
            "a": "10.50",
            "b": "1e3",
            "c": "123456789012345678901234567890.12",
            "d": "true",
            "e": None,
            "f": "",
            "g": 'é\n"x\\',
            "a.b": "-0",
            "`q`": "10.50",
        }
    ]


def test_what_is_nested_is_json_with_its_numbers_as_they_are(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = json_file(
        tmp_path,
        '{"a": {"x": [1.50, -2e5,  "3.0", null], "y": {}}, "b": [12345678901234567890.10]}',
    )
    assert physical(spark, at(path)) == [
        {"a": '{"x":[1.50,-2e5,"3.0",null],"y":{}}', "b": "[12345678901234567890.10]"}
    ]


def test_digits_and_brackets_inside_quotes_are_text(spark: SparkSession, tmp_path: Path) -> None:
    texts = ["a 1, 2", '"5"', "{1:2}", "\\", '\\"7', "], 8", "k-1: -3", "9"]
    path = json_file(
        tmp_path, json.dumps({**{f"k-{i} {t}": t for i, t in enumerate(texts)}, "n": 7})
    )
    expected = {f"k-{i} {t}": t for i, t in enumerate(texts)} | {"n": "7"}
    assert physical(spark, at(path)) == [expected]


def test_a_key_that_a_row_lacks_is_null(spark: SparkSession, tmp_path: Path) -> None:
    path = json_file(tmp_path, '{"a": 1}', "{}", '{"b": 2}')
    assert physical(spark, at(path)) == [
        {"a": "1", "b": None},
        {"a": None, "b": None},
        {"a": None, "b": "2"},
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_blank_lines_do_not_count(spark: SparkSession, tmp_path: Path, line_end: str) -> None:
    text = line_end.join(["", ' {"a": 1} ', " \t", "", '\t{"a": "x"}'])
    assert physical(spark, at(csv_file(tmp_path, text, "gl.json"))) == [{"a": "1"}, {"a": "x"}]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Müller €"),
        ("utf-8-sig", "Müller €"),
        pytest.param("latin-1", "Müller", marks=pytest.mark.campaign),
        ("windows-1252", "Müller €"),
        pytest.param("cp1251", "Привет", marks=pytest.mark.campaign),
        ("utf-16", "Müller € 😀 \u0a00\u000b".rstrip("\x0b")),
    ],
)
def test_files_are_read_in_their_encoding(
    spark: SparkSession, tmp_path: Path, encoding: str, text: str
) -> None:
    path = csv_file(tmp_path, f'{{"ä": "{text}"}}\n'.encode(encoding, "replace"), "gl.json")
    key = "ä".encode(encoding, "replace").decode(encoding).removeprefix("\ufeff")
    assert physical(spark, at(path, encoding=encoding)) == [{key: text}]


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("gl.json.gz", gzip.compress),
        ("gl.jsonl.bz2", bz2.compress),
        ("gl.ndjson", bytes),
        ("gl.jsonl", lambda data: b"\xef\xbb\xbf" + data),
    ],
)
def test_files_by_their_endings(spark: SparkSession, tmp_path: Path, name: str, pack: type) -> None:
    csv_file(tmp_path, pack(b'{"a": 1}\n'), f"gl/{name}")
    csv_file(tmp_path, "junk", "gl/readme.txt")
    assert physical(spark, at(tmp_path / "gl")) == [{"a": "1"}]


def test_what_stands_in_folders_names_is_text(spark: SparkSession, tmp_path: Path) -> None:
    json_file(tmp_path, '{"a": 1}', name="gl/_period=2026/code=007/x.json")
    json_file(tmp_path, '{"b": 2}', name="gl/_period=2026-01/code=a%2Fb/x.json")
    found = physical(spark, at(tmp_path / "gl"))
    assert sorted(found, key=lambda row: str(row["code"])) == [
        {"a": "1", "b": None, "_period": "2026", "code": "007"},
        {"a": None, "b": "2", "_period": "2026-01", "code": "a/b"},
    ]


BAD_LINES = {
    "[{}]": "no object",
    '"x"': "no object",
    "null": "no object",
    "5": "no object",
    '{"a": 1, "a": 2}': "key 'a' stands twice",
    '{"a": 1, "b": {}, "\\u0061": 2}': "key 'a' stands twice",
    '{"a": 1}{"a": 2}': "no json from column 9 on",
    '{"a": 1} {"a": 2}': "no json from column 10 on",
    '{"a": 1}, {"a": 2}': "no json from column 9 on",
    '{"a": 1}}': "no json from column 9 on",
    '{"a": 1}},{"b":{"a":2}': "no json from column 9 on",
    '{"a": 1} // one': "no json from column 10 on",
    '{"a": NaN}': "NaN is no value of json",
    '{"a": [-Infinity]}': "-Infinity is no value of json",
    '{"a": 007}': "no json from column 8 on",
    '{"a": 1.}': "no json from column 8 on",
    '{"a": +1}': "no json from column 7 on",
    "{'a': 1}": "no json from column 2 on",
    '{"a": "x\ty"}': "no json from column 9 on",
    '  {"a": tru}': "no json from column 9 on",
    '{"a": "\\ud800"}': "half of a character (\\ud800 … \\udfff alone)",
    '{"a": "\\ude00\\ud83d"}': "half of a character (\\ud800 … \\udfff alone)",
    '{"a": "\\\\\\ud800"}': "half of a character (\\ud800 … \\udfff alone)",
}


@pytest.mark.some(4)
@pytest.mark.parametrize("line", sorted(BAD_LINES, key=list(BAD_LINES)[::7].__contains__)[::-1])
def test_a_line_that_is_no_row_is_named(spark: SparkSession, tmp_path: Path, line: str) -> None:
    path = json_file(tmp_path, '{"a": "1"}', "", line, '{"a": 3}')
    (found,) = faults(spark, dataset("a string"), at(path))
    assert found.code == "DATASOURCE_007"
    fault = BAD_LINES[line]
    assert found.message == (
        f"dataset 'gl_entries': 1 line cannot be read as rows: data/{path.name}:3 ({fault})"
    )


def test_pairs_of_escapes_and_escaped_escapes_are_sound(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = json_file(tmp_path, r'{"a": "\ud83d\ude00", "b": "\\ud800", "c": "\\\\\uD83D\uDE00"}')
    assert rows_of(spark, dataset("a string", "b string", "c string"), at(path)) == [
        {"a": "😀", "b": "\\ud800", "c": "\\\\😀"}
    ]


def test_bytes_that_are_no_text_are_named(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, b'{"a": "x"}\n{"a": "M\xfcller"}\n', "gl.json")
    (found,) = faults(spark, dataset("a string"), at(path))
    assert found.code == "DATASOURCE_007"
    assert found.message == (
        "dataset 'gl_entries': 1 value of column 'a' with bytes that are no text:"
        " 'M\ufffdller' at data/gl.json:2"
    )


def test_values_become_the_declared_types(spark: SparkSession, tmp_path: Path) -> None:
    wanted = dataset(
        "i integer", "d decimal(38,10)", "f float", "b boolean", "day date", "s string"
    )
    path = json_file(
        tmp_path,
        '{"i": 1E+3, "d": 1.234567890123456e5, "f": 1e-7, "b": true, "day": "2026-01-31",'
        ' "s": 10.50}',
        '{"i": -150e-1, "d": "7.5", "f": "NaN", "b": "false"}',
    )
    first, second = rows_of(spark, wanted, at(path))
    assert first["i"] == 1000
    assert first["d"] == Decimal("123456.7890123456")
    assert (first["f"], first["b"], str(first["day"]), first["s"]) == (
        1e-7,
        True,
        "2026-01-31",
        "10.50",
    )
    assert (second["i"], second["d"], second["b"], second["s"]) == (
        -15,
        Decimal("7.5"),
        False,
        None,
    )


def test_values_that_do_not_fit_are_named_with_their_lines(
    spark: SparkSession, tmp_path: Path
) -> None:
    wanted = dataset("n integer", "d decimal(18,2)", "k string!")
    path = json_file(
        tmp_path,
        '{"n": 1, "d": 1.00, "k": "a"}',
        '{"n": 1.5, "d": 1e-3, "k": "b"}',
        '{"n": {"x": 1}, "d": 1e16, "k": null}',
        '{"n": 15e-1, "d": 0e-99}',
    )
    found = faults(spark, wanted, at(path))
    assert [(each.code, each.message) for each in found] == [
        (
            "DATASET_011",
            "dataset 'gl_entries': 3 values of column 'n' do not fit integer: '1.5'"
            " at data/gl.json:2, '{\"x\":1}' at data/gl.json:3, '15e-1' at data/gl.json:4",
        ),
        (
            "DATASET_011",
            "dataset 'gl_entries': 2 values of column 'd' do not fit decimal(18,2): '1e-3'"
            " at data/gl.json:2, '1e16' at data/gl.json:3",
        ),
        (
            "DATASET_012",
            "dataset 'gl_entries': column 'k' is not nullable, but NULL in 2 rows:"
            " data/gl.json:3, data/gl.json:4",
        ),
    ]


def test_dates_and_timestamps_have_the_formats_of_the_options(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = json_file(tmp_path, '{"d": "31.01.2026", "t": "31.01.2026 10:05"}')
    where = at(path, date_format="dd.MM.yyyy", timestamp_format="dd.MM.yyyy HH:mm")
    (row,) = rows_of(spark, dataset("d date", "t timestamp"), where)
    assert (str(row["d"]), str(row["t"])) == ("2026-01-31", "2026-01-31 10:05:00+00:00")


# --- which columns there are


def test_a_column_that_no_row_has_is_missing(spark: SparkSession, tmp_path: Path) -> None:
    json_file(tmp_path, '{"amount": 1}', name="gl/1.json")
    json_file(tmp_path, '{"note": "x"}', name="gl/2.json")
    where = at(tmp_path / "gl", ("amuont", "note"))
    (found,) = refused(spark, dataset("amuont integer", "note string"), where)
    assert found.code == "DATASET_010"
    assert found.message == "dataset 'gl_entries': column 'amuont' is missing in data/gl"
    assert (found.hint or "").startswith("did you mean 'amount' for 'amuont'?")


def long_file(folder: Path, *after: str) -> Path:
    return json_file(folder, *(['{"a": 1}'] * LOOKED_AT), *after)


def test_a_column_that_only_late_rows_have_is_found(spark: SparkSession, tmp_path: Path) -> None:
    path = long_file(tmp_path, '{"a": 1, "late": 2}', '{"a": 1, "other": 3}')
    wanted = dataset("a integer", "late integer")
    rows = rows_of(spark, wanted, at(path, ("a", "late")))
    assert [row["late"] for row in rows if row["late"] is not None] == [2]
    (found,) = refused(spark, dataset("a integer", "lat integer"), at(path, ("a", "lat")))
    assert found.code == "DATASET_010"
    (raw,) = read(spark, at(path))
    assert {"a", "late", "other"} <= set(raw.columns)


def test_a_late_row_that_is_deleted_is_deleted(spark: SparkSession, tmp_path: Path) -> None:
    path = long_file(tmp_path, '{"a": 2, "_deleted": true}', '{"a": 3}')
    wanted = dataset("a integer")
    where = at(path, ("a",))
    assert load_all(spark, wanted, where, keep_deleted=False).frame.count() == LOOKED_AT + 1
    assert load_all(spark, wanted, where, keep_deleted=True).frame.count() == LOOKED_AT + 2


def test_a_late_row_may_say_its_period(spark: SparkSession, tmp_path: Path) -> None:
    path = long_file(tmp_path, '{"a": 2, "_period": "2025-12"}', '{"a": 3}')
    wanted = dataset("a integer", mode="period")
    where = replace(at(path, ("a",)), period="2026-01")
    assert load_all(spark, wanted, where).frame.count() == LOOKED_AT + 1


def test_a_table_without_rows_has_the_columns_that_are_wanted(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "\n \n", "gl.json")
    assert rows_of(spark, dataset("a integer", "b string!"), at(path, ("a", "b"))) == []


def test_columns_are_told_without_spark(tmp_path: Path) -> None:
    short = json_file(tmp_path, '{"a": 1}', '{"b": 1}', name="short.json")
    assert FileSource().columns(at(short, ("a", "c"))) == ("a", "b")
    assert FileSource().columns(at(long_file(tmp_path, "{}"), ("a", "c"))) == ("a", "c")


def test_a_file_that_is_not_packed_as_it_says_is_refused(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, '{"a": 1}\n', "gl.json.gz")
    diagnostic = refusal(lambda: read(spark, at(path)))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message.startswith("data/gl.json.gz cannot be read: Not a gzipped file")


def test_files_of_several_periods_are_one_scan(spark: SparkSession, tmp_path: Path) -> None:
    january = replace(at(json_file(tmp_path, '{"a": 1}', name="data/1.json")), period="2026-01")
    february = replace(at(json_file(tmp_path, '{"a": 2}', name="data/2.json")), period="2026-02")
    (raw,) = read(spark, january, february)
    assert raw.period_column is not None
    found = raw.frame.select("a", raw.period_column).collect()
    assert sorted(map(tuple, found)) == [("1", "2026-01"), ("2", "2026-02")]
