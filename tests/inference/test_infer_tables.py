"""A workspace made by `rowbook infer --write` alone loads every value, and names every fault."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rowbook import RowbookError, Workspace
from rowbook.api import infer
from tests.inference.ledgers import (
    HAUPTBUCH,
    JOURNAL,
    ROWS,
    Rows,
    write_chart,
    write_documents,
    write_ledgers,
)
from tests.support.shell import Shell, spawn

LEDGERS = (
    *("data/hauptbuch.csv", "data/journal.txt", "data/documents.parquet"),
    "data/konten.xlsx",
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nothing but the files, and what is written for them."""
    folder = tmp_path_factory.mktemp("books")
    write_ledgers(folder / "data")
    infer(*(folder / name for name in LEDGERS), folder=folder, write=True)
    return folder


@pytest.fixture
def books(written: Path, shell: Shell) -> Shell:
    shutil.copytree(written, shell.folder, dirs_exist_ok=True)
    return shell


def _loaded(folder: Path, dataset: str, period: str) -> Rows:
    found = Workspace.open(folder).read_rows(dataset, period, engine="reference")
    names = [name for name in found.columns if name != "_period"]
    return [tuple(row[name] for name in names) for row in found.rows]


def test_what_is_written_is_sound(books: Shell) -> None:
    done = books.run("validate")
    assert (done.code, done.out.partition("  (")[0]) == (0, "0 errors, 0 warnings")


@pytest.mark.parametrize(("dataset", "period"), ROWS)
def test_every_value_is_loaded(dataset: str, period: str, books: Shell) -> None:
    assert _loaded(books.folder, dataset, period) == ROWS[dataset, period]


def _replaced(name: str, text: str, encoding: str, old: str, new: str) -> Callable[[Path], None]:
    assert text.count(old) == 1

    def plant(folder: Path) -> None:
        changed = text.replace(old, new).replace("\n", "\r\n")
        (folder / name).write_bytes(changed.encode(encoding))

    return plant


def _book(old: str, new: str) -> Callable[[Path], None]:
    return _replaced("hauptbuch.csv", HAUPTBUCH, "cp1252", old, new)


def _journal(old: str, new: str) -> Callable[[Path], None]:
    return _replaced("journal.txt", JOURNAL, "utf-16", old, new)


FAULTS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "a letter in a number": (
        "hauptbuch",
        _book("1.234,56-", "1.2E4,56-"),
        "'1.2E4,56-' at data/hauptbuch.csv:2",
    ),
    "a wrong group of three": (
        "hauptbuch",
        _book("12.000,00", "12.00,00"),
        "'12.00,00' at data/hauptbuch.csv:3",
    ),
    "a decimal point": ("hauptbuch", _book("7,50", "7.50"), "'7.50' at data/hauptbuch.csv:4"),
    "two signs": (
        "hauptbuch",
        _book("1.234,56-", "-1.234,56-"),
        "'-1.234,56-' at data/hauptbuch.csv:2",
    ),
    "three decimals": ("hauptbuch", _book("7,50", "7,505"), "'7,505' at data/hauptbuch.csv:4"),
    "a day that is not": (
        "hauptbuch",
        _book("28.02.2026", "30.02.2026"),
        "'30.02.2026' at data/hauptbuch.csv:4",
    ),
    "a date in another format": (
        "hauptbuch",
        _book("28.02.2026", "2026-02-28"),
        "'2026-02-28' at data/hauptbuch.csv:4",
    ),
    "an amount that is missing": ("hauptbuch", _book("7,50", ""), "data/hauptbuch.csv:4"),
    "an account that is missing": ("hauptbuch", _book("0410", ""), "data/hauptbuch.csv:5"),
    "a date that is missing": ("hauptbuch", _book("01.02.2026", ""), "data/hauptbuch.csv:5"),
    "a line that is cut off": (
        "hauptbuch",
        _book(";15.02.2026;0,00;EUR", ""),
        "data/hauptbuch.csv:6 (3 fields instead of 6)",
    ),
    "a line number that is none": (
        "journal",
        _journal("J-2\t2", "J-2\t2a"),
        "'2a' at data/journal.txt:5",
    ),
    "day and month swapped": (
        "journal",
        _journal("01/31/2026\t1,", "31/01/2026\t1,"),
        "'31/01/2026' at data/journal.txt:2",
    ),
    "groups of two": (
        "journal",
        _journal("\t1,500.25", "\t1,50,0.25"),
        "'1,50,0.25' at data/journal.txt:2",
    ),
    "neither true nor false": (
        "journal",
        _journal("20.00\ttrue\tJ", "20.00\tmaybe\tJ"),
        "'maybe' at data/journal.txt:4",
    ),
    "a key that is missing": ("journal", _journal("J-2\t1", "\t1"), "data/journal.txt:4"),
    "a number that is no day": (
        "documents",
        lambda folder: write_documents(
            folder, POSTING_DATE=[20260105, 20260131, 20260201, 20260231, 20260215]
        ),
        "'20260231' at data/documents.parquet where doc_no = 'D4'",
    ),
    "a document without number": (
        "documents",
        lambda folder: write_documents(folder, DOC_NO=["D1", "D2", None, "D4", "D5"]),
        "column 'doc_no' is not nullable, but NULL in 1 row: data/documents.parquet",
    ),
    "a text among amounts": (
        "konten",
        lambda folder: write_chart(folder, D5="20,5 DM"),
        "'20,5 DM' at data/konten.xlsx Konten!D5",
    ),
    "a text among dates": (
        "konten",
        lambda folder: write_chart(folder, C4="soon"),
        "'soon' at data/konten.xlsx Konten!C4",
    ),
    "an account that is not there": (
        "konten",
        lambda folder: write_chart(folder, A6=None),
        "data/konten.xlsx Konten!A6",
    ),
    "an error in a cell": (
        "konten",
        lambda folder: write_chart(folder, D6="#N/A"),
        "'#N/A' at data/konten.xlsx Konten!D6",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named_with_its_place(fault: str, books: Shell) -> None:
    dataset, plant, told = FAULTS[fault]
    plant(books.folder / "data")
    with pytest.raises(RowbookError) as raised:
        _loaded(books.folder, dataset, "2026-02")
    assert told in str(raised.value)


def test_a_proposal_says_what_was_seen(shell: Shell) -> None:
    write_ledgers(shell.folder / "data")
    done = shell.run("infer", "data/hauptbuch.csv")
    assert (
        done.out
        == """\
# datasets/hauptbuch.yaml
# Proposed by rowbook infer, from data/hauptbuch.csv: 5 rows.
dataset:
  name: hauptbuch
  main_table:
    name: hauptbuch
    temporal_mode: period
    period_from: buchungsdatum  # a row belongs to the period of this date
    columns:
      # string: all 5
      - {name: beleg, type: string, nullable: false, source: Beleg}
      # string: all 5; 0400 at data/hauptbuch.csv:2 begins with 0, which a number would lose
      - {name: konto, type: string, nullable: false, source: Konto}
      # string: 4 of 5, 1 empty
      - {name: text, type: string, source: Text}
      # date: all 5, dd.MM.yyyy
      - {name: buchungsdatum, type: date, nullable: false, source: Buchungsdatum}
      # decimal(18,2): all 5
      - {name: betrag_eur, type: "decimal(18,2)", nullable: false, source: "Betrag (EUR)"}
      # string: all 5
      - {name: waehrung, type: string, nullable: false, source: "Währung"}
  natural_key_columns: [beleg]  # unique in 5 rows
  resolver_id: hauptbuch
---
# datasources/hauptbuch.yaml
datasource:
  name: hauptbuch
  type: csv
  options:
    root: data
    encoding: cp1252  # not all of it is UTF-8
    delimiter: ";"  # 6 fields a line
    decimal_separator: ","  # 1.000.000,00-
    thousands_separator: "."  # 1.000.000,00-
    negative: trailing  # 1.000.000,00-
    date_format: dd.MM.yyyy
---
# resolvers/hauptbuch.yaml
resolver:
  name: hauptbuch
  rules:
    - name: "where hauptbuch is"
      strategy: {type: path, datasource_id: hauptbuch, path: hauptbuch.csv}
"""
    )
    assert list(shell.folder.iterdir()) == [shell.folder / "data"]


def test_a_sheet_below_a_title_is_proposed_by_the_types_of_its_cells(shell: Shell) -> None:
    write_ledgers(shell.folder / "data")
    found = shell.run("infer", "data/konten.xlsx").out
    assert "    header_row: 3  # other text stands above it\n" in found
    assert (
        """\
      # string: all 3; 0400 at data/konten.xlsx Konten!4:4 begins with 0, which a number would lose
      - {name: konto, type: string, nullable: false, source: Konto}
      # string: 2 of 3, 1 empty
      - {name: bezeichnung, type: string, source: Bezeichnung}
      # date: all 3
      - {name: gueltig_ab, type: date, nullable: false, source: "Gültig ab"}
      # decimal(18,2): all 3
      - {name: saldo, type: "decimal(18,2)", nullable: false, source: Saldo}
"""
        in found
    )


def test_json_has_columns_with_their_evidence(shell: Shell) -> None:
    write_ledgers(shell.folder / "data")
    done = shell.run("infer", "data/documents.parquet", "--name", "docs", "--format", "json")
    (found,) = json.loads(done.out)["datasets"]
    assert (found["name"], found["rows"], found["keys"]) == ("docs", 5, [["doc_no"]])
    assert found["columns"][1] == {
        "name": "posting_date",
        "source": "POSTING_DATE",
        "type": "date",
        "nullable": False,
        "format": {"date_format": "yyyyMMdd"},
        "evidence": "date: all 5, int in the source as yyyyMMdd",
    }
    assert sorted(found["files"]) == [
        "datasets/docs.yaml",
        "datasources/docs.yaml",
        "resolvers/docs.yaml",
    ]


def test_nothing_is_overwritten(books: Shell) -> None:
    before = {path: path.read_bytes() for path in books.folder.rglob("*.yaml")}
    done = books.run("infer", "data/hauptbuch.csv", "--write")
    assert done.code == 2
    assert "datasets/hauptbuch.yaml, datasources/hauptbuch.yaml" in done.err
    assert {path: path.read_bytes() for path in books.folder.rglob("*.yaml")} == before


def test_it_says_what_was_written_and_what_to_do_next(shell: Shell) -> None:
    write_ledgers(shell.folder / "data")
    done = shell.run("infer", "data/hauptbuch.csv", "--name", "gl", "--write")
    assert (
        done.out
        == """\
wrote rowbook.yaml
wrote datasets/gl.yaml
wrote datasources/gl.yaml
wrote resolvers/gl.yaml
dataset gl: 5 rows, 6 columns

what to do next:

  rowbook validate
  rowbook datasets read gl --period 2026-01
"""
    )


def test_files_of_several_months_are_one_dataset(shell: Shell) -> None:
    for month, amount in (("2026-01", "1.5"), ("2026-02", "2")):
        shell.write({f"data/gl/{month}.csv": f"account,amount\n0400,{amount}\n"})
    done = shell.run("infer", "data/gl/2026-01.csv", "data/gl/2026-02.csv", "--write")
    assert done.code == 0, done.err
    resolver = (shell.folder / "resolvers/gl.yaml").read_text(encoding="utf-8")
    assert 'path: "{{YYYY}}-{{MM}}.csv"' in resolver
    rows = shell.run("datasets", "read", "gl", "--period", "2026-02", "--format", "csv").out
    assert rows == "account,amount,_period\n0400,2.00,2026-02\n"


def test_the_definitions_go_beside_those_of_the_workspace(shell: Shell) -> None:
    shell.run("init", ".", "--template", "minimal")
    shell.write({"data/rates.csv": "currency,units\nEUR,1\nUSD,1.08\n"})
    assert shell.run("infer", "data/rates.csv", "--write").code == 0
    assert shell.run("validate").code == 0
    done = shell.run("datasets", "read", "rates", "--period", "2026-01", "--format", "csv")
    assert done.out == "currency,units\nEUR,1.00\nUSD,1.08\n"


def test_lines_that_are_no_rows_are_named(shell: Shell) -> None:
    shell.write({"x.csv": "a;b\n1;2\n3\n4;5\n"})
    done = shell.run("infer", "x.csv", "--write")
    assert done.code == 2
    assert "x.csv:3 (1 fields instead of 2)" in done.err
    assert not (shell.folder / "datasets").exists()


def test_a_title_above_the_header_is_passed_over(shell: Shell) -> None:
    shell.write({"j.csv": "Journal\nJanuary 2026\nday;amount\n31.01.2026;1,50\n01.01.2026;2,00\n"})
    assert shell.run("infer", "j.csv", "--write").code == 0
    done = shell.run("datasets", "read", "j", "--period", "2026-01", "--format", "csv")
    assert done.out == "day,amount,_period\n2026-01-31,1.50,2026-01\n2026-01-01,2.00,2026-01\n"


def test_quotes_around_nothing_stand_for_no_value(shell: Shell) -> None:
    shell.write({"x.csv": 'id,amount\n"1","2.5"\n"2",""\n'})
    assert shell.run("infer", "x.csv", "--write").code == 0
    done = shell.run("datasets", "read", "x", "--period", "2026-01", "--format", "csv")
    assert done.out == "id,amount\n1,2.50\n2,\n"


def test_a_file_without_header_is_read_by_position(shell: Shell) -> None:
    shell.write({"x.csv": "1;2026-01-31\n2;2026-01-01\n"})
    assert shell.run("infer", "x.csv", "--write").code == 0, shell.run("infer", "x.csv").err
    done = shell.run("datasets", "read", "x", "--period", "2026-01", "--format", "csv")
    assert done.out == "c1,c2,_period\n1,2026-01-31,2026-01\n2,2026-01-01,2026-01\n"


def test_json_lines_are_looked_at(shell: Shell) -> None:
    shell.write({"x.json": '{"id": 1, "n": "0400"}\n{"id": 2, "n": "4000", "late": 1.5}\n'})
    assert shell.run("infer", "x.json", "--write").code == 0
    done = shell.run("datasets", "read", "x", "--period", "2026-01", "--format", "csv")
    assert done.out == "id,n,late\n1,0400,\n2,4000,1.50\n"


def test_dates_that_say_how_long_a_row_is_valid_make_it_bitemporal(shell: Shell) -> None:
    shell.write({"x.csv": "code,valid_from,valid_to\nA,2026-01-01,\nB,2026-01-01,2026-01-31\n"})
    assert shell.run("infer", "x.csv", "--write").code == 0
    done = shell.run("datasets", "read", "x", "--period", "2026-02", "--format", "csv")
    assert done.out == "code,valid_from,valid_to\nA,2026-01-01,\n"


def test_a_date_that_is_not_of_the_booking_is_no_period(shell: Shell) -> None:
    shell.write({"x.csv": "code,Due date\nA,2026-01-01\nB,2026-02-01\n"})
    assert "temporal_mode" not in shell.run("infer", "x.csv").out


def test_nothing_is_written_outside_of_the_workspace(shell: Shell) -> None:
    shell.write({"books/x.csv": "a,b\n1,2\n", "elsewhere/y": ""})
    (shell.folder / "books/resolvers").symlink_to(shell.folder / "elsewhere")
    done = shell.run("infer", "books/x.csv", "--write", "-C", "books")
    assert done.code == 2
    assert "resolvers/x.yaml leads out of the workspace" in done.err
    assert list(shell.folder.rglob("*.yaml")) == []


def test_what_cannot_be_written_leaves_nothing_behind(shell: Shell) -> None:
    shell.write({"x.csv": "a,b\n1,2\n", "resolvers": "in the way\n"})
    done = shell.run("infer", "x.csv", "--write")
    assert done.code == 2
    assert "resolvers/x.yaml cannot be written" in done.err
    assert list(shell.folder.rglob("*.yaml")) == []


def test_a_file_that_cannot_be_unpacked_is_told(shell: Shell) -> None:
    shell.write({"x.csv.gz": "no archive\n"})
    done = shell.run("infer", "x.csv.gz")
    assert (done.code, done.err.splitlines()[0]) == (
        2,
        "DATASOURCE_007  x.csv.gz cannot be read: Not a gzipped file (b'no')",
    )


def test_wrong_words_are_told(shell: Shell) -> None:
    shell.write({"a.csv": "x\n1\n", "b.csv": "y\n1\n"})
    assert "a2.csv does not exist" in shell.run("infer", "a2.csv").err
    assert "--name is for one table" in shell.run("infer", "a.csv", "b.csv", "--name", "c").err
    shell.write({"c/a.csv": "y\n1\n", "empty.csv": ""})
    assert "two tables would be called 'a'" in shell.run("infer", "a.csv", "c/a.csv").err
    assert "empty.csv has no columns to load" in shell.run("infer", "empty.csv").err
    assert "there is no data source 'erp' of type jdbc" in shell.run("infer", "erp:gl").err


def test_neither_spark_nor_pyarrow_is_imported_for_text(shell: Shell) -> None:
    shell.write({"a.csv": "x,y\n1,2\n"})
    environment = {"PYTHONPROFILEIMPORTTIME": "1"}
    done = spawn("infer", "a.csv", folder=shell.folder, environment=environment)
    assert done.code == 0
    for name in ("pyspark", "pandas", "pyarrow", "sqlalchemy", "psycopg"):
        assert not re.search(rf"\| +{name}$", done.err, re.MULTILINE), name
