"""`rowbook run`, on a copy of the sample workspace."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rowbook.cli.app import run
from tests.starter.shared_session import shared_session
from tests.support.paths import EXAMPLE
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    copy = tmp_path / "close"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns(".rowbook"))
    return copy


@pytest.fixture
def close(shell: Shell, workspace: Path, spark: SparkSession) -> Iterator[Shell]:
    """The workspace, in which commands work on the session that all tests share."""
    with shared_session(spark), contextlib.chdir(workspace):
        yield shell


@pytest.mark.spark
@pytest.mark.slow
def test_a_draft_fills_the_sandbox_and_counts_every_operation(
    close: Shell, workspace: Path
) -> None:
    done = close.run("run", "monthly_close", "--period", "2026-01", "--draft", "--format", "json")
    assert done.code == 0, done.err
    result: dict[str, Any] = json.loads(done.out)
    assert result["status"] == "completed"
    assert result["error"] is None
    keys = ("seq", "rows_in", "matched", "added", "deleted", "rows_out")
    assert [tuple(entry[k] for k in keys) for entry in result["operations"]] == [
        (10, 60, 60, 0, 0, 60),
        (20, 60, 60, 0, 0, 60),
        (30, 60, 2, 0, 2, 58),
        (40, 58, 30, 30, 0, 88),
        (50, 88, 30, 0, 0, 88),
        (60, 88, 59, 6, 0, 94),
        (70, 94, 6, 0, 0, 94),
        (80, 94, 88, 0, 0, 94),
    ]
    assert [(o["seq"], o["rows"]) for o in result["outputs"]] == [(70, 6), (80, 88)]
    for output in result["outputs"]:
        assert output["destination"].startswith(f".rowbook/sandbox/{result['run_id']}/")
        assert list((workspace / output["destination"]).rglob("*.parquet"))
    assert not (workspace / "data" / "reports").exists()


@pytest.mark.spark
@pytest.mark.slow
def test_a_month_without_data_fails_the_run_in_one_readable_message(close: Shell) -> None:
    done = close.run("run", "monthly_close", "--period", "2027-05", "--format", "json")
    assert done.code == 3
    error = json.loads(done.out)["error"]
    assert error["code"] == "DATASOURCE_006"
    assert error["message"] == (
        "no data at data/gl/2027-05.csv, where rule 'journals and budgets come one file a month'"
        " of resolver 'files' says that it is for 2027-05"
    )
    assert "Traceback" not in done.err


@pytest.mark.spark
@pytest.mark.slow
def test_a_bad_value_names_file_line_and_column(close: Shell, workspace: Path) -> None:
    ledger = workspace / "data" / "gl" / "2026-01.csv"
    lines = ledger.read_text(encoding="utf-8").splitlines()
    cells = lines[4].split(",")
    cells[7] = "12.345"
    lines[4] = ",".join(cells)
    ledger.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = close.run("run", "monthly_close", "--period", "2026-01", "--format", "json")
    assert done.code == 3
    error = json.loads(done.out)["error"]
    assert error["code"] == "DATASET_011"
    assert "amount" in error["message"]
    assert "data/gl/2026-01.csv:5" in error["message"]
    assert "12.345" in error["message"]


def test_an_unknown_project_is_wrong_usage(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", "monthly_clos", "--period", "2026-01", "-C", str(workspace)]) == 2
    said = capsys.readouterr().err
    assert "PROJECT_008  project 'monthly_clos' is not defined" in said
    assert "did you mean 'monthly_close'?" in said


def test_a_period_that_is_none_is_wrong_usage(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", "monthly_close", "--period", "2026-13", "-C", str(workspace)]) == 2
    assert "PERIOD_001" in capsys.readouterr().err


def test_faults_of_the_project_are_findings_and_nothing_starts(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = workspace / "projects" / "monthly_close.yaml"
    text = project.read_text(encoding="utf-8").replace("gl.amount /", "gl.amout /")
    project.write_text(text, encoding="utf-8")
    assert run(["run", "monthly_close", "--period", "2026-01", "-C", str(workspace)]) == 1
    said = capsys.readouterr()
    assert "projects/monthly_close.yaml:24:32  EXPR_002  unknown column 'gl.amout'" in said.err
    assert "pyspark" not in said.err
