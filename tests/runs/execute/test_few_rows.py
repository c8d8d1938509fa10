"""Runs of few rows have them at the driver: what comes out is what Spark alone makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.api import RunResult, Workspace
from rowbook.engine.session.sizing import LOCAL
from rowbook.runs.prepare import resolve
from rowbook.starter.creation import init_workspace

pytestmark = pytest.mark.spark

NOW = "2026-02-03T04:05:06Z"
WAYS = {"at the driver": LOCAL, "by Spark": -1}
"""The most rows that are few."""


@pytest.fixture
def books(tmp_path: Path) -> Path:
    init_workspace(tmp_path / "books", "close")
    return tmp_path / "books"


def close(books: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch, way: str) -> RunResult:
    monkeypatch.setattr(resolve, "LOCAL", WAYS[way])
    with Workspace.open(books, spark=spark) as workspace:
        return workspace.run("monthly_close", "2026-01", draft=True, now=NOW)


def tables(books: Path, result: RunResult) -> dict[str, list[str]]:
    """The lines, or rows, of each table, sorted."""
    sandbox = books / ".rowbook" / "sandbox" / result.run_id
    found: dict[str, list[str]] = {}
    for file in sorted(sandbox.rglob("*.csv")):
        found[file.parent.name + " csv"] = sorted(file.read_text(encoding="utf-8").splitlines())
    for file in sorted(sandbox.rglob("*.parquet")):
        rows: list[dict[str, Any]] = pq.ParquetFile(file).read().to_pylist()
        found[file.parent.name + " parquet"] = sorted(map(str, rows))
    return found


def counts(result: RunResult) -> list[tuple[int, ...]]:
    return [(e.seq, e.rows_in, e.matched, e.added, e.deleted, e.rows_out) for e in result.ledger]


@pytest.mark.campaign
def test_the_same_rows_ids_and_counts_come_out(
    books: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, by_spark = (close(books, spark, monkeypatch, way) for way in WAYS)
    assert (here.status, by_spark.status) == ("completed", "completed")
    written = tables(books, here)
    assert list(written) == ["period=2026-01 csv", "period=2026-01 parquet"]
    assert written == tables(books, by_spark)
    assert counts(here) == counts(by_spark)
    assert counts(here)[0][1] == 829
    evidence = [[each.evidence for each in result.outputs] for result in (here, by_spark)]
    assert evidence[0] == evidence[1] != [None, None]


def test_values_that_do_not_fit_are_told_in_the_same_words(
    books: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("data/gl/2026-01.csv", "data/fx_rates.csv"):
        lines = (books / name).read_text(encoding="utf-8").splitlines()
        lines[2] = ",".join("?" if "." in cell else cell for cell in lines[2].split(","))
        (books / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    here, by_spark = (close(books, spark, monkeypatch, way).errors for way in WAYS)
    assert "data/gl/2026-01.csv:3" in here[0].message
    assert here == by_spark
