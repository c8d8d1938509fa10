"""Spark against the reference engine on random projects: the same rows, row ids and system columns
among them, the same outputs and counts, the same errors."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.loading.load import load
from rowbook.engine.session.sizing import FEW_ROWS
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.read_periods import read_periods
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.loading.dataset_rows import load as load_plain
from rowbook.sources.raw import Raw
from tests.engine.random_projects import planned, random_tables
from tests.engine.running import ListWriter, TableReader, run, settings
from tests.support.reference_run import Expected, bag, refer, seen_of, source_of
from tests.support.small_plans import CONTEXT

pytestmark = pytest.mark.spark

SEEDS = 3
WAYS = {
    "usual": Options(),
    "one by one": Options(
        layers=False, rule_tables=False, piece_counts=False, spread_lists=False, copies=False
    ),
    "all kept": Options(segments=False),
    "windows sorted": Options(window_joins=False, narrow_rows=False, group_checks=False),
    "small tables, short plans": Options(smallest_table=1, longest_plan=2),
    "each row looked at and marked": Options(
        unique_keys=False, input_counts=False, shared_values=False
    ),
    "no ledger": Options(ledger=False),
    "few rows": Options(few_rows=True),
    "local rows": Options(few_rows=True, local_rows=True),
    "local rows, computed by Spark": Options(few_rows=True, local_rows=True, local_values=0),
}
"""Ways to compute the same."""


class LoadingReader(TableReader):
    """Rows that are given, loaded as those of any other source."""

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        raw = Raw(super().read(dataset, keep_deleted=True, with_ids=with_ids), "a list")
        periods = read_periods(dataset, CONTEXT).identifiers
        return load(dataset, [raw], CONTEXT, keep_deleted=keep_deleted, periods=periods).frame

    def read_here(
        self, dataset: Dataset, *, keep_deleted: bool, most: int | None = None
    ) -> LoadedRows | None:
        try:
            source = source_of(self.tables)(dataset)
            return load_plain(dataset, source, CONTEXT, keep_deleted=keep_deleted)
        except RowbookError:
            return None


@pytest.fixture(scope="module")
def small_data(spark: SparkSession) -> Iterator[SparkSession]:
    """The shared session, set up for a handful of rows."""
    with settings(spark, FEW_ROWS) as small:
        yield small


def texts(error: RowbookError) -> list[str]:
    """Without the row that a join names where it has no keys, by its id or by all it holds: any may
    be the first."""
    named = r"key (row |([^,]*, ){5}).*"
    return [re.sub(named, "key row", str(each)) for each in error.diagnostics]


@pytest.mark.parametrize("way", WAYS)
def test_spark_and_the_reference_agree_on_random_projects(
    small_data: SparkSession, tmp_path: Path, seed: int, way: str
) -> None:
    pick, options = random.Random(seed * len(WAYS) + list(WAYS).index(way)), WAYS[way]
    text, plan = planned(tmp_path, pick, length=2 + seed % (3 if seed < SEEDS else 6))
    tables = random_tables(pick)
    reader, writer = LoadingReader(small_data, tables), ListWriter()
    unread: list[str] = []
    try:
        expected: Expected | list[str] = refer(plan, tables)
    except RowbookError as error:
        expected, unread = texts(error), getattr(error, "__notes__", [])
    try:
        rows, pipeline = run(plan, reader, options=options, writer=writer)
    except RowbookError as error:
        found = texts(error)
        if isinstance(expected, Expected):
            expected = [] if expected.overflow is None else [expected.overflow]
        assert found in (expected, unread), text
        return
    assert isinstance(expected, Expected), (expected, text)
    assert bag(rows) == bag(expected.rows), text
    ids = [row["_row_id"] for row in rows]
    assert len(set(ids)) == len(ids), text
    counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
    assert counts == (expected.counts if options.ledger else {}), text
    for seq, written in expected.outputs.items():
        assert bag(writer.rows[seq]) == bag(written), (seq, text)
    assert seen_of(pipeline.observations) == seen_of(expected.observations), text
    assert bag(writer.rows.get(0, [])) == bag(expected.quarantine), text
    taken = {seq: rows for seq, rows in pipeline.quarantined.items() if seq and rows}
    assert taken == expected.quarantined, text
