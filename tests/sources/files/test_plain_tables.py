"""Files read without Spark: what is read, what is left to Spark, and how rows are counted."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.errors import RowbookError
from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import FileKind
from rowbook.sources.files.plain_tables import count_rows, read_places
from rowbook.sources.source_errors import NotPlainError


def place(
    folder: Path,
    kind: FileKind,
    files: dict[str, bytes],
    options: dict[str, str] | None = None,
    period: str | None = None,
) -> FileTable:
    for name, content in files.items():
        path = folder / "t" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    wanted = ("s", "i")
    return FileTable(kind, folder / "t", options or {}, period, "t", wanted=wanted)


def read(table: FileTable) -> PlainTable:
    (found,) = read_places([table])
    return found


def test_each_row_of_csv_knows_its_line(tmp_path: Path) -> None:
    found = read(place(tmp_path, "csv", {"a.csv": b's,i\n"x\ny",1\n\n,2\nz\n'}))
    assert list(found.rows) == [{"s": "x\ny", "i": "1"}, {"s": None, "i": "2"}]
    assert list(found.lines or ()) == ["t/a.csv:2", "t/a.csv:5"]
    assert list(found.broken) == ["t/a.csv:6 (1 fields instead of 2)"]


def test_rows_of_several_places_hold_the_period_of_theirs(tmp_path: Path) -> None:
    tables = [
        place(tmp_path / period, "csv", {"a.csv": b"s\nx\n"}, period=period)
        for period in ("2026-01", "2026-02")
    ]
    found = read_places(tables)
    periods = [period for table in found for period in table.periods()]
    assert periods == ["2026-01", "2026-02"]


def test_columns_in_folders_names_stand_beside_those_of_the_file(tmp_path: Path) -> None:
    found = read(place(tmp_path, "json", {"_period=2026-01/a.json": b'{"s": 1.50}\n'}))
    assert found.columns == ("s", "_period")
    assert list(found.rows) == [{"s": "1.50", "_period": "2026-01"}]


def test_rows_of_parquet_know_their_file_and_number(tmp_path: Path) -> None:
    table = place(tmp_path, "parquet", {})
    assert isinstance(table.path, Path)
    table.path.mkdir()
    pq.write_table(pa.table({"s": ["x", "y"]}), table.path / "a.parquet", row_group_size=1)
    found = read(table)
    assert [field.name for field in found.identity] == ["__file", "__row"]
    assert found.types == {"s": "string"}
    assert [tuple(row.values()) for row in found.rows] == [
        ("x", "t/a.parquet", 0),
        ("y", "t/a.parquet", 1),
    ]


@pytest.mark.parametrize(
    ("kind", "name", "content", "options", "why"),
    [
        (
            "csv",
            "a.csv",
            "s,i\n".encode("utf-16-le") + b"\x00\xd8" + ",1\n".encode("utf-16-le"),
            {"encoding": "utf-16-le"},
            "bytes that are no text in utf-16-le",
        ),
        ("csv", "a.csv", b"s,i\n\0,1\n", {}, "a character with the number 0"),
        ("csv", "a.csv", b"s,i\nx,1\r\n", {}, "does not end all its lines alike"),
        ("csv", "a.csv", b's,i\n"x"y,1\n', {}, "t/a.csv:2: a quote that does not end its cell"),
        ("csv", "a.csv", b's,i\n"x\\"",1\n', {"escape": "\\"}, "uses its escape character"),
        ("json", "a.json", b'{"s": [1]}\n', {}, "t/a.json:1 holds a value inside of a value"),
        ("orc", "a.orc", b"", {}, "t is orc, which Spark reads"),
    ],
)
def test_what_spark_may_take_for_something_else_is_left_to_spark(
    tmp_path: Path, kind: FileKind, name: str, content: bytes, options: dict[str, str], why: str
) -> None:
    with pytest.raises(NotPlainError, match=why.replace(".", r"\.")):
        read_places([place(tmp_path, kind, {name: content}, options)])


def test_parquet_whose_types_or_names_spark_must_be_asked_for_is_left_to_spark(
    tmp_path: Path,
) -> None:
    for number, (name, table) in enumerate(
        (
            ("a.parquet", pa.table({"s": [[1]]})),
            ("a b.parquet", pa.table({"s": ["x"]})),
            ("_period=1/a.parquet", pa.table({"_period": ["x"]})),
        )
    ):
        folder = tmp_path / str(number)
        path = folder / "t" / name
        path.parent.mkdir(parents=True)
        pq.write_table(table, path)
        with pytest.raises(NotPlainError):
            read_places([place(folder, "parquet", {})])


def test_a_quote_that_is_never_closed_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(RowbookError, match=r"t/a\.csv:2: a quote that is never closed"):
        read_places([place(tmp_path, "csv", {"a.csv": b's,i\nx,"1\n'})])


def test_lines_are_counted_packed_or_not_until_there_are_too_many(tmp_path: Path) -> None:
    lines = b"s,i\n" + b"x,1\n" * 50
    table = place(tmp_path, "csv", {"a.csv": lines, "b.csv.gz": gzip.compress(lines)})
    assert count_rows(table, 1000) == 102
    assert 10 < count_rows(table, 10) < 102


def test_rows_of_parquet_are_counted_by_its_footer(tmp_path: Path) -> None:
    table = place(tmp_path, "parquet", {})
    assert isinstance(table.path, Path)
    table.path.mkdir()
    pq.write_table(pa.table({"s": ["x"] * 7}), table.path / "a.parquet")
    assert count_rows(table, 1000) == 7


def test_orc_is_not_counted(tmp_path: Path) -> None:
    with pytest.raises(NotPlainError, match="which Spark reads"):
        count_rows(place(tmp_path, "orc", {"a.orc": b""}), 10)
