"""Expected rows in files: what a cell is, and what a file must not be."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.locations.boundary import Boundary
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.row_files import FileRows, read_csv, read_files, read_json_lines
from tests.scenarios.samples import J1, J2, compared, expecting, ledger, only, written
from tests.support.refusal import refusal


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,x\n", [{"a": "1", "b": "x"}]),
        ("a,b\r\n1,x\r\n2,y", [{"a": "1", "b": "x"}, {"a": "2", "b": "y"}]),
        ("a,b\n,\n", [{"a": None, "b": None}]),
        ('a,b\n"",\n', [{"a": "", "b": None}]),
        ('a,b\n1,""', [{"a": "1", "b": ""}]),
        ("a,b\n1,", [{"a": "1", "b": None}]),
        ('a,b\n"x,""y""",1\n', [{"a": 'x,"y"', "b": "1"}]),
        ('a,b\n"x\ny",1\n', [{"a": "x\ny", "b": "1"}]),
        ('a,b\nx"y,null\n', [{"a": 'x"y', "b": "null"}]),
        ("a,b\n\n1,x\n\n", [{"a": "1", "b": "x"}]),
        ("a\n1\n\n2\n", [{"a": "1"}, {"a": "2"}]),
        ('a\n""\n', [{"a": ""}]),
        ("a,b\n", []),
        ('"a","b"\n 1 ,x\n', [{"a": " 1 ", "b": "x"}]),
    ],
)
def test_csv_cells_are_texts_and_a_bare_empty_one_is_null(
    text: str, rows: list[dict[str, str | None]]
) -> None:
    assert list(read_csv(text).rows) == rows


def test_csv_rows_know_their_line() -> None:
    assert read_csv('a,b\n"x\ny",1\n\n2,3\n').lines == (2, 5)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('{"a": 10.50, "b": "x"}', [{"a": "10.50", "b": "x"}]),
        ('{"a": 1e2}\n\n{"a": null}\r\n', [{"a": "1e2"}, {"a": None}]),
        ('{"a": true, "b": ""}', [{"a": "true", "b": ""}]),
        ('{"a": 12345678901234567890123456789.123456789}',
         [{"a": "12345678901234567890123456789.123456789"}]),
        ('{"a": "null"}', [{"a": "null"}]),
        ("", []),
    ],
)  # fmt: skip
def test_json_numbers_are_taken_as_written(text: str, rows: list[dict[str, str | None]]) -> None:
    assert list(read_json_lines(text).rows) == rows


def test_json_columns_are_those_of_any_row() -> None:
    assert read_json_lines('{"a": 1}\n{"b": 2, "a": 3}').columns == ("a", "b")


FAULTS = [
    ("rows.csv", b"", "SCENARIO_005", "line 1: a header names each column once"),
    ("rows.csv", b"a,a\n", "SCENARIO_005", "line 1: a header names each column once"),
    ("rows.csv", b"a,\n", "SCENARIO_005", "line 1: a header names each column once"),
    ("rows.csv", b"a,b\n1\n", "SCENARIO_005", "line 2: 1 cells below a header of 2"),
    ("rows.csv", b'a,b\n1,"x\n', "SCENARIO_005", "line 2: a quote that does not end its cell"),
    ("rows.csv", b'a,b\n1,"x"y\n', "SCENARIO_005", "line 2: a quote that does not end its cell"),
    ("rows.csv", b"a\n\xff\n", "YAML_001", "rows.csv is not UTF-8 text"),
    ("rows.json", b"{}\n[1]\n", "SCENARIO_005", "line 2: not an object"),
    ("rows.json", b'{"a": [1]}\n', "SCENARIO_005", "line 1: 'a' must be a single value"),
    ("rows.json", b"{a: 1}\n", "SCENARIO_005", "line 1: not JSON"),
    ("rows.json", b"[" * 100_000, "SCENARIO_005", "line 1: not JSON"),
    ("rows.txt", b"", "SCENARIO_005", "rows.txt is neither .csv nor .json"),
    ("gone.csv", None, "YAML_001", "gone.csv cannot be read: No such file or directory"),
    ("../../x.csv", None, "DATASOURCE_004", "../../x.csv is outside the workspace"),
    ("/etc/x.csv", None, "DATASOURCE_004", "/etc/x.csv is outside the workspace"),
]


@pytest.mark.parametrize(("name", "content", "code", "message"), FAULTS)
def test_a_faulty_file_is_refused_where_it_is_named(
    tmp_path: Path, name: str, content: bytes | None, code: str, message: str
) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    if content is not None:
        (folder / name).write_bytes(content)
    entry = expecting(f"outputs:\n  result: {{file: {name}}}")
    found = refusal(lambda: read_files(entry.model.expect, entry.place, Boundary(tmp_path)))
    assert (found.code, str(found.position)) == (code, "scenarios/trial.yaml:7:22")
    assert message in found.message


def test_files_of_working_and_outputs_are_read_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "scenarios" / "data").mkdir(parents=True)
    (tmp_path / "scenarios" / "data" / "a.CSV").write_text("\ufeffid\nJ1\n", encoding="utf-8")
    (tmp_path / "scenarios" / "b.json").write_text('{"id": "J2"}\n')
    entry = expecting("{working: {file: data/a.CSV}, outputs: {x: {file: b.json}, y: {rows: []}}}")
    assert read_files(entry.model.expect, entry.place, Boundary(tmp_path)) == {
        "data/a.CSV": FileRows(("id",), ({"id": "J1"},), (2,)),
        "b.json": FileRows(("id",), ({"id": "J2"},), (1,)),
    }


def test_rows_of_a_file_are_compared() -> None:
    files = {"a.csv": read_csv("id,amount,day\nJ1,10.5,2026-01-05\nJ2,20,\n")}
    expect = "outputs: {result: {file: a.csv}}"
    assert compared(expect, written(ledger(J2, J1)), files=files) == []


def test_a_row_that_is_missing_is_told_by_file_and_line() -> None:
    files = {"a.csv": read_csv("id\nJ1\nJ9\n")}
    rows = only(compared("working: {file: a.csv}", Outcome(working=ledger(J1)), files=files)).rows
    assert rows is not None
    assert [row.origin for row in rows.missing] == ["a.csv:3"]


def test_a_header_without_rows_still_names_columns() -> None:
    files = {"a.csv": read_csv("idd\n")}
    found = only(compared("working: {file: a.csv}", Outcome(working=ledger()), files=files))
    assert found.message.startswith("there is no column 'idd'; did you mean 'id'?")
