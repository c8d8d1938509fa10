"""Runs whose rows are written as they pass: what comes out is what comes of writing them by
themselves, and nothing is left beside the tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from rowbook.engine.session import sizing
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.run_writer import PassingOutputs
from rowbook.runs.prepare import resolve
from rowbook.spark.row_pass import PASS_CONF
from tests.engine.running import settings
from tests.runs.books import CLOSE, FEBRUARY, FILES, JANUARY, NOW, Books

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.planning.steps import AnyStep, OutputStep

pytestmark = pytest.mark.spark


@pytest.fixture
def many(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[SparkSession]:
    """However few the rows are, they are taken for many."""
    monkeypatch.setattr(resolve, "LOCAL", -1)
    monkeypatch.setattr(sizing, "SMALL", 0)
    monkeypatch.setattr(sizing, "FEW", 0)
    with settings(spark, PASS_CONF):
        yield spark


@pytest.fixture
def books(tmp_path: Path) -> Books:
    made = Books(tmp_path / "acme", "")
    made.write(FILES)
    made.do("apply", "--yes")
    made.do("activate", "close")
    return made


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """How many rows were written so, by output."""
    found: dict[int, int] = {}
    written = PassingOutputs.written

    def noted(self: PassingOutputs, step: OutputStep, rows: int) -> None:
        found[step.seq] = rows
        written(self, step, rows)

    monkeypatch.setattr(PassingOutputs, "written", noted)
    return found


def run(books: Books, spark: SparkSession, period: str, fails_at: int | None = None) -> RunResult:
    def fail(step: AnyStep) -> None:
        if step.seq == fails_at:
            raise RuntimeError("struck by lightning")

    with Workspace.open(books.folder, spark=spark) as workspace:
        return workspace.run("close", period, now=NOW, on_step=fail)


@pytest.mark.parametrize("publish", ["together", "as_written"])
def test_tables_and_counts_are_those_of_rows_written_by_themselves(
    books: Books, many: SparkSession, passed: dict[int, int], publish: str
) -> None:
    text = CLOSE.replace("name: close\n", f"name: close\n  publish: {publish}\n", 1)
    books.write({"projects/close.yaml": text})
    books.do("activate", "close")
    for period in ("2026-01", "2026-02"):
        result = run(books, many, period)
        assert (result.status, result.error) == ("completed", None)
        assert [entry.rows_out for entry in result.ledger] == [3, 5, 5, 5]
        assert [output.rows for output in result.outputs] == [5, 2]
        assert passed == {30: 3}
    assert books.totals("closed", "2026-01") == books.totals("log", "2026-01") == JANUARY
    assert books.totals("closed", "2026-02") == books.totals("log", "2026-02") == FEBRUARY
    assert len(books.rows("closed")) == 10
    assert books.leftovers() == []


def test_a_run_that_fails_after_rows_passed_publishes_none_and_leaves_none(
    books: Books, many: SparkSession, passed: dict[int, int]
) -> None:
    with pytest.raises(RuntimeError, match="struck by lightning"):
        run(books, many, "2026-01", fails_at=30)
    assert passed == {30: 3}
    assert not books.lake.exists() or list(books.lake.glob("[!.]*")) == []
    again = run(books, many, "2026-01")
    assert (again.status, books.totals("closed", "2026-01")) == ("completed", JANUARY)
    assert books.leftovers() == []


def test_the_plan_says_which_rows_pass(books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "LOCAL", -1)
    monkeypatch.setattr(sizing, "SMALL", 0)
    said = books.do("plan", "close", "--period", "2026-01", "--stages").out
    assert "operation 30 writes these rows: they are grouped as they are written" in said
