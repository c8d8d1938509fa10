"""`rowbook preview`: rows at a step, by the reference engine where the input is small."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from tests.support.paths import ROOT
from tests.support.shell import Shell, spawn

CLOSE = ("preview", "monthly_close", "--period", "2026-01")


@pytest.fixture
def close(shell: Shell) -> Shell:
    shutil.copytree(
        ROOT / "examples" / "close",
        shell.folder,
        ignore=shutil.ignore_patterns(".rowbook", "reports"),
        dirs_exist_ok=True,
    )
    return shell


def test_rows_are_shown_and_nothing_is_written(close: Shell) -> None:
    done = close.run(*CLOSE, "--after", "30", "--limit", "5", "--format", "json")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert result["engine"] == "reference"
    assert len(result["rows"]) == 5
    assert result["columns"][:2] == ["journal_id", "line_number"]
    assert result["columns"][-1] == "_period"
    assert {row["_period"] for row in result["rows"]} == {"2026-01"}
    assert not (close.folder / ".rowbook" / "sandbox").exists()


def test_it_says_which_engine_computed_the_rows(close: Shell) -> None:
    done = close.run(*CLOSE, "--limit", "1")
    assert done.err == (
        "monthly_close for 2026-01, nothing is written\n"
        "computed by the reference engine: a small input\n"
    )
    assert close.run(*CLOSE, "--limit", "1", "--quiet").err == ""


def test_neither_spark_nor_pyarrow_is_imported_for_text_files(close: Shell) -> None:
    done = spawn(*CLOSE, folder=close.folder, environment={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.code == 0
    for name in ("pyspark", "pandas", "pyarrow", "sqlalchemy"):
        assert not re.search(rf"\| +{name}$", done.err, re.MULTILINE)


def test_a_value_that_does_not_fit_is_told_with_file_and_line(close: Shell) -> None:
    ledger = close.folder / "data/gl/2026-01.csv"
    text = ledger.read_text(encoding="utf-8")
    ledger.write_text(text.replace(",1268.89,", ",12.345,", 1), encoding="utf-8")
    done = close.run(*CLOSE)
    assert done.code == 2
    assert "'12.345' at data/gl/2026-01.csv:2" in done.err


def test_an_operation_that_is_not_there_is_wrong_usage(close: Shell) -> None:
    done = close.run(*CLOSE, "--after", "15")
    assert done.code == 2
    assert "there is no operation 15" in done.err
    assert "seqs: 10, 20, 30, 40, 50, 60, 70, 80" in done.err


def test_the_reference_engine_says_what_it_cannot_read(close: Shell) -> None:
    ledger = close.folder / "data/gl/2026-01.csv"
    ledger.write_bytes(ledger.read_bytes() + b"\0\n")
    done = close.run(*CLOSE, "--engine", "reference")
    assert done.code == 2
    assert "the reference engine cannot read the input: data/gl/2026-01.csv" in done.err
    assert "--engine spark" in done.err


def test_nothing_is_left_of_what_a_preview_keeps(close: Shell) -> None:
    before = sorted(map(str, close.folder.rglob("*")))
    close.run(*CLOSE)
    assert sorted(map(str, close.folder.rglob("*"))) == before
