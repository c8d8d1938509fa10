"""Rows that were kept and are lost are computed again, once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from rowbook.runs.execute.result import RunResult
from rowbook.runs.prepare import resolve
from tests.runs.books import CLOSE, FILES, JANUARY, NOW, Books

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.planning.steps import AnyStep

REWRITING = CLOSE.replace(
    """{datasource_id: lake, table: closed}
        register_as_dataset: closed""",
    "{datasource_id: inbox, table: gl/2026-01}\n        columns: [account, amount]",
).replace("name: close\n", "name: close\n  publish: as_written\n", 1)
"""Its first output replaces what it reads, before the second is computed."""


def lose_rows(spark: SparkSession) -> None:
    """What executors keep is gone, as if they were."""
    for rdd in list(spark.sparkContext._jsc.getPersistentRDDs().values()):
        rdd.unpersist(True)


def run_losing(books: Books, spark: SparkSession, at: dict[int, int]) -> RunResult:
    """A run that loses its rows as it comes to these operations, so often."""
    left = dict(at)

    def lose(step: AnyStep) -> None:
        if left.get(step.seq, 0):
            left[step.seq] -= 1
            lose_rows(spark)

    with Workspace.open(books.folder, spark=spark) as workspace:
        return workspace.run("close", "2026-01", now=NOW, on_step=lose)


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Books:
    """Rows that executors keep, however few."""
    monkeypatch.setattr(resolve, "LOCAL", -1)
    books = Books(tmp_path / "acme", "")
    books.write(FILES)
    books.do("apply", "--yes")
    books.do("activate", "close")
    return books


@pytest.mark.some(1)
@pytest.mark.parametrize("at", [{30: 1}, {40: 1}])
def test_a_run_that_loses_rows_computes_them_again_to_the_same(
    fresh: Books, spark: SparkSession, at: dict[int, int]
) -> None:
    result = run_losing(fresh, spark, at)
    assert (result.status, result.error) == ("completed", None)
    (warning,) = result.warnings
    assert warning.startswith("computed again: rows that were kept went with an executor: ")
    assert fresh.totals("closed", "2026-01") == fresh.totals("log", "2026-01") == JANUARY
    assert [entry.rows_out for entry in result.ledger] == [3, 5, 5, 5]
    assert [output.rows for output in result.outputs] == [5, 2]
    assert fresh.leftovers() == []


def test_a_run_that_loses_them_again_fails_and_can_be_resumed(
    fresh: Books, spark: SparkSession
) -> None:
    result = run_losing(fresh, spark, {30: 2})
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.code == "ENGINE_009"
    assert not (fresh.lake / "closed").exists()
    with Workspace.open(fresh.folder, spark=spark) as workspace:
        assert workspace.resume(result.run_id).status == "completed"
    assert fresh.totals("closed", "2026-01") == fresh.totals("log", "2026-01") == JANUARY


def test_what_was_read_from_data_that_is_replaced_is_not_computed_again(
    fresh: Books, spark: SparkSession
) -> None:
    fresh.write({"projects/close.yaml": REWRITING})
    fresh.do("activate", "close")
    result = run_losing(fresh, spark, {40: 1})
    assert result.error is not None
    assert (result.error.code, result.warnings) == ("ENGINE_009", ())
    assert [output.seq for output in result.outputs] == [30]
    assert not (fresh.lake / "log").exists()
