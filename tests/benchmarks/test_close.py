"""All contestants of the close do the same work: what they write is compared row by row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.close import rowbook_close
from benchmarks.close_task import DETAIL, RULES, SUMMARY
from benchmarks.ledger_data import LedgerData, ledger_data
from benchmarks.measuring.same_rows import Row, differences, read

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

Tables = dict[str, list[Row]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> LedgerData:
    return ledger_data(tmp_path_factory.mktemp("ledger"), 4_000)


@pytest.fixture(scope="module")
def by_rowbook(
    spark: SparkSession, data: LedgerData, tmp_path_factory: pytest.TempPathFactory
) -> Tables:
    out = tmp_path_factory.mktemp("closed") / "rowbook"
    rowbook_close(spark, data, out)
    return tables(out)


def tables(out: Path) -> Tables:
    return {"detail": read(out, "detail", DETAIL), "summary": read(out, "summary", SUMMARY)}


def assert_same(expected: Tables, close: Callable[[Path], None], out: Path) -> None:
    close(out)
    for name, rows in tables(out).items():
        assert differences(expected[name], rows) == ""


@pytest.mark.some(1)
@pytest.mark.parametrize("persist", [False, True])
def test_pyspark_by_hand_writes_the_same_rows(
    spark: SparkSession, data: LedgerData, by_rowbook: Tables, tmp_path: Path, persist: bool
) -> None:
    from benchmarks.peers.pyspark_close import close

    assert_same(by_rowbook, lambda out: close(spark, data, out, persist=persist), tmp_path / "out")


def test_polars_writes_the_same_rows(data: LedgerData, by_rowbook: Tables, tmp_path: Path) -> None:
    from benchmarks.peers.polars_close import close

    assert_same(by_rowbook, lambda out: close(data, out), tmp_path)


def test_duckdb_writes_the_same_rows(data: LedgerData, by_rowbook: Tables, tmp_path: Path) -> None:
    from benchmarks.peers.duckdb_close import close

    assert_same(by_rowbook, lambda out: close(data, out), tmp_path)


def test_lines_and_totals_of_both_levels_are_written(by_rowbook: Tables) -> None:
    types = {row[DETAIL.index("line_type")] for row in by_rowbook["detail"]}
    levels = {row[SUMMARY.index("level")] for row in by_rowbook["summary"]}
    assert types == {"actual", "budget"}
    assert levels == {"account", "entity"}


def test_most_rules_decide_the_class_of_some_line(by_rowbook: Tables) -> None:
    """A rule that no line meets would be no work."""
    classes = {row[DETAIL.index("class")] for row in by_rowbook["detail"]}
    assert len(classes & {rule.name for rule in RULES}) > 24
