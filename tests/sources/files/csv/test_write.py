"""Csv files as they are written: what reads back, and what the options say."""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from tests.sources.tables import contents, files_in, names_in, put, target
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark


def rows(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string, _period string")


def lines(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string")


def refusal(error: pytest.ExceptionInfo[RowbookError]) -> str:
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "OUTPUT_006"
    return diagnostic.message


def test_csv_files_read_like_any_others(spark: SparkSession, tmp_path: Path) -> None:
    frame = local_frame(
        spark,
        [("J1", None, "", 'say "no", twice', date(2026, 1, 31), 1.5e-7, True)],
        "id string, none string, empty string, text string, day date, f double, b boolean",
    ).withColumns(
        {
            "amount": F.lit("0.000000000000000001").cast("decimal(38,18)"),
            "at": F.lit("2026-01-31T10:00:00.25Z").cast("timestamp"),
        }
    )
    put(frame, target(tmp_path / "closed", "csv"))
    (file,) = files_in(tmp_path / "closed")
    assert file.read_text() == (
        "id,none,empty,text,day,f,b,amount,at\n"
        'J1,,"","say ""no"", twice",2026-01-31,1.5E-7,true,0.000000000000000001,'
        "2026-01-31T10:00:00.25Z\n"
    )


def test_csv_files_are_written_as_their_options_say(spark: SparkSession, tmp_path: Path) -> None:
    frame = local_frame(
        spark,
        [("J1;x", None, date(2026, 1, 31), 1.5)],
        "id string, none string, day date, f double",
    ).withColumn("at", F.lit("2026-01-31T10:00:00Z").cast("timestamp"))
    options = {
        "delimiter": ";",
        "header": "false",
        "null_text": "NA",
        "decimal_separator": ",",
        "date_format": "dd.MM.yyyy",
        "timestamp_format": "dd.MM.yyyy HH:mm",
        "encoding": "utf-16",
    }
    put(frame, target(tmp_path / "closed", "csv", **options))
    (file,) = files_in(tmp_path / "closed")
    assert file.read_text("utf-16") == '"J1;x";NA;31.01.2026;1,5;31.01.2026 10:00\n'


def test_files_are_packed_on_request(spark: SparkSession, tmp_path: Path) -> None:
    for kind, ending in (("csv", ".csv.gz"), ("parquet", ".gz.parquet")):
        where = target(tmp_path / kind, kind, compression="gzip")
        assert put(lines(spark, ("J1", "a")), where).rows == 1
        (name,) = names_in(tmp_path / kind)
        assert name.endswith(ending)
        assert contents(spark, where, "id") == [("J1",)]


def test_a_csv_file_of_one_column_cannot_hold_null(spark: SparkSession, tmp_path: Path) -> None:
    frame = local_frame(spark, [("x",), (None,), ("",)], "a string")
    with pytest.raises(RowbookError) as refused:
        put(frame, target(tmp_path / "closed", "csv"))
    assert refusal(refused) == (
        "data/closed: a csv file of one column cannot hold NULL: the line would be empty"
    )
    where = target(tmp_path / "closed", "csv", null_text="NA")
    assert put(frame, where).rows == 3
    assert contents(spark, where, "a") == [("",), ("x",), (None,)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"encoding": "cp1252"}, b"id,note\nJ1,\x80 5\nJ2,\xfc\n"),
        ({"encoding": "windows-1252", "files": "2"}, b"id,note\nJ1,\x80 5\n"),
        ({"bom": "true"}, b"\xef\xbb\xbfid,note\nJ1,\xe2\x82\xac 5\nJ2,\xc3\xbc\n"),
        ({"encoding": "UTF-16"}, "\ufeffid,note\nJ1,€ 5\nJ2,ü\n".encode("utf-16-le")),
        ({"encoding": "utf-16-be"}, "id,note\nJ1,€ 5\nJ2,ü\n".encode("utf-16-be")),
    ],
)
def test_csv_files_are_written_in_any_encoding(
    spark: SparkSession, tmp_path: Path, options: dict[str, str], expected: bytes
) -> None:
    where = target(tmp_path / "closed", "csv", **options)
    frame = local_frame(spark, [("J1", "€ 5"), ("J2", "ü")], "id string, note string")
    put(frame.repartition(2), where, ordered=True) if "files" in options else put(frame, where)
    assert files_in(tmp_path / "closed")[0].read_bytes() == expected
    assert contents(spark, where, "id", "note") == [("J1", "€ 5"), ("J2", "ü")]


def test_files_in_other_encodings_are_packed_too(spark: SparkSession, tmp_path: Path) -> None:
    where = target(tmp_path / "closed", "csv", encoding="latin-1", compression="gzip")
    put(lines(spark, ("J1", "ü")), where)
    (file,) = files_in(tmp_path / "closed")
    assert file.name.endswith(".csv.gz")
    assert gzip.decompress(file.read_bytes()) == b"id,note\nJ1,\xfc\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_character_that_an_encoding_lacks_is_refused(
    spark: SparkSession, tmp_path: Path, encoding: str
) -> None:
    where = target(tmp_path / "closed", "csv", encoding=encoding)
    put(lines(spark, ("J0", "old")), where)
    with pytest.raises(RowbookError) as refused:
        put(lines(spark, ("J1", "new"), ("J2", "to Łódź")), where)
    name = {"latin-1": "iso8859-1"}.get(encoding, encoding)
    said = f"column 'note' holds 'to Łódź', and {name} has no character 'Ł'"
    assert refusal(refused) == f"data/closed: {said}"
    assert contents(spark, where, "id", "note") == [("J0", "old")]
    assert names_in(tmp_path) == ["closed"]
