"""The first lines of text files are loaded before Spark starts, and say what a run would."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import Diagnostic
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare import run_checks
from rowbook.runs.prepare.request import request_draft
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_checks import run_problems
from rowbook.runs.run_plan.plan_run import plan_run
from tests.runs.preview.both_engines import write_workspace

COLUMNS = """\
      - {name: s, type: string, nullable: false}
      - {name: m, type: "decimal(18,2)"}
"""
SAY_SO = "; say so in the options of the data source, or in the column's `format`"


def problems(
    folder: Path, files: dict[str, str | bytes], kind: str = "csv", options: str = ""
) -> list[Diagnostic]:
    write_workspace(folder, kind, files, columns=COLUMNS, options=options)
    with OpenWorkspace(folder) as workspace:
        resolved = resolve_run(request_draft(workspace, "p", "2026-01"))
        return list(run_problems(resolved))


def told(found: list[Diagnostic]) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.message, each.hint) for each in found]


def test_values_that_do_not_fit_are_told_with_file_line_and_guess(tmp_path: Path) -> None:
    text = 's;m\na;1.918,18\n;2,00\nb;"-5"\n'
    assert told(problems(tmp_path, {"entries.csv": text}, options=", delimiter: ';'")) == [
        (
            "DATASET_012",
            "dataset 'entries': column 's' is not nullable, but NULL in 1 row: data/entries.csv:3",
            None,
        ),
        (
            "DATASET_011",
            "dataset 'entries': 2 values of column 'm' do not fit decimal(18,2): '1.918,18' at"
            " data/entries.csv:2, '2,00' at data/entries.csv:3",
            f"1.918,18 looks like decimal_separator ',' and thousands_separator '.'{SAY_SO}",
        ),
    ]


def test_of_longer_files_it_is_said_which_lines_were_read(tmp_path: Path) -> None:
    lines = ["a,1"] * 2000
    lines[997], lines[998], lines[999] = "b,x", "c,y", "d,z"
    (found,) = problems(tmp_path, {"entries.csv": "s,m\n" + "\n".join(lines)})
    assert found.message == (
        "dataset 'entries': 2 values of column 'm' do not fit decimal(18,2) in the first 1,000"
        " lines: 'x' at data/entries.csv:999, 'y' at data/entries.csv:1000"
    )


def test_lines_of_several_files_are_counted_together(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"entries/{n}.csv": f"s,m\na,{n}\n" for n in range(5)}
    assert problems(tmp_path, files) == []
    files |= {"entries/2.csv": "s,m\na,x\n", "entries/6.csv": "s,m\na,y\n"}
    (found,) = problems(tmp_path, files)
    assert found.message == (
        "dataset 'entries': 1 value of column 'm' does not fit decimal(18,2) in the first 10 lines:"
        " 'x' at data/entries/2.csv:2"
    )


def test_bytes_that_are_no_text_are_told_with_the_encoding(tmp_path: Path) -> None:
    text = "s,m\nMüller,1\n".encode("cp1252")
    assert told(problems(tmp_path, {"entries.csv": text})) == [
        (
            "DATASOURCE_007",
            "dataset 'entries': 1 value of column 's' with bytes that are no text: 'M\ufffdller'"
            " at data/entries.csv:2",
            "it looks like cp1252: set the option `encoding: cp1252`",
        )
    ]


def test_a_row_that_goes_on_behind_the_last_line_is_none(tmp_path: Path) -> None:
    text = "s,m\n" + "a,1\n" * 998 + '"b\nc",2\n' + "d,3\n"
    assert problems(tmp_path, {"entries.csv": text}) == []


def test_json_lines_are_sampled_too(tmp_path: Path) -> None:
    lines = '{"s": "a", "m": 1.5}\n{"s": "b", "m": "1,5"}\n{"s": "c", "m": 1.555}\n{"s"}\n'
    assert told(problems(tmp_path, {"entries.json": lines}, "json")) == [
        (
            "DATASOURCE_007",
            "dataset 'entries': 1 line cannot be read as rows: data/entries.json:4"
            " (no json from column 5 on)",
            None,
        ),
        (
            "DATASET_011",
            "dataset 'entries': 2 values of column 'm' do not fit decimal(18,2): '1,5' at"
            " data/entries.json:2, '1.555' at data/entries.json:3",
            None,
        ),
    ]


def test_what_only_spark_can_read_is_not_sampled(tmp_path: Path) -> None:
    assert problems(tmp_path, {"entries.csv": "s,m\na,x\nb\0,1\n"}) == []


def test_a_plan_ends_with_them_and_validation_reads_no_data(tmp_path: Path) -> None:
    write_workspace(tmp_path, "csv", {"entries.csv": "s,m\na,x\n"}, columns=COLUMNS)
    with OpenWorkspace(tmp_path) as workspace:
        found = plan_run(workspace, "p", "2026-01", draft=True)
    assert [each.code for each in found.problems] == ["DATASET_011"]


def test_rows_are_not_read_where_columns_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_checks, "sampled_faults", lambda *_: pytest.fail("not asked for"))
    (found,) = problems(tmp_path, {"entries.csv": "s,x\na,1\n"})
    assert found.code == "DATASET_010"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            "s;m\na;1\n",
            "the file looks delimited by ';': set the option `delimiter` of the data source",
        ),
        (
            "s\tm\na\t1\n",
            "the file looks delimited by a tab: set the option `delimiter` of the data source",
        ),
        (
            "Journal of January\n\ns,m,x\na,1,2\n",
            "the columns stand in line 3: set the option `header_row: 3` of the data source",
        ),
        (
            "Journal\nx;s;m\n1;a;1\n",
            "the file looks delimited by ';' and the columns stand in line 2: set the options"
            " `delimiter` and `header_row: 2` of the data source",
        ),
        ("x,y\na,1\n", "columns: x, y"),
        ("s,y\na,m\n", "columns: s, y"),
    ],
)
def test_a_header_that_is_elsewhere_is_told(tmp_path: Path, text: str, hint: str) -> None:
    (found,) = problems(tmp_path, {"entries.csv": text})
    assert (found.code, found.hint) == ("DATASET_010", hint)


@pytest.mark.parametrize(
    ("content", "options", "message", "hint"),
    [
        (
            b"PK\x03\x04rest",
            "",
            "data/entries.csv is an Excel workbook or another archive, not csv",
            "save its sheet as csv, or read it with a data source of type excel",
        ),
        (
            "s,m\na,1\n".encode("utf-16"),
            "",
            "data/entries.csv: its first line holds bytes that are no text in utf-8",
            "it looks like utf-16: set the option `encoding: utf-16`",
        ),
        (
            "s,m\na,1\n".encode("utf-16-le"),
            "",
            "data/entries.csv: its first line holds bytes that are no text in utf-8",
            "it looks like utf-16-le: set the option `encoding: utf-16-le`",
        ),
        (
            "s,m,Größe\na,1,1\n".encode("cp1252"),
            "",
            "data/entries.csv: its first line holds bytes that are no text in utf-8",
            "it looks like cp1252: set the option `encoding: cp1252`",
        ),
    ],
)
def test_a_file_that_is_another_kind_of_text_is_told(
    tmp_path: Path, content: bytes, options: str, message: str, hint: str
) -> None:
    found = problems(tmp_path, {"entries.csv": content}, options=options)
    assert told(found) == [("DATASOURCE_007", message, hint)]
