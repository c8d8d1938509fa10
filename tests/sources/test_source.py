"""What is pinned is read or refused, and what an output wrote is found again, whatever the kind."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.loading.load import load
from rowbook.errors import RowbookError
from rowbook.reference.outputs import other_period_error
from rowbook.sources import registry
from rowbook.sources.contents import Keeping, changed_names
from rowbook.sources.source import Trace
from rowbook.sources.source_errors import ContentsChangedError, no_period_error, table_exists_error
from tests.sources.all_kinds import (
    DATABASES,
    KINDS_OF_PUBLISHING,
    VERSIONED,
    Table,
    frame,
    table_of,
)
from tests.sources.tables import context, dataset
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

RUN_1 = "0199a000-0000-7000-8000-000000000001"
RUN_2 = "0199a000-0000-7000-8000-000000000002"
PERIODIC = dataset("account string!", "amount decimal(18,2)", "_period string", mode="period")
JANUARY, FEBRUARY = ("2026-01",), ("2026-02",)
FIRST = [{"account": "1", "amount": Decimal("1.00"), "_period": "2026-01"}]
OTHER = [{"account": "2", "amount": Decimal("2.00"), "_period": "2026-02"}]
SECOND = [{"account": "3", "amount": Decimal("3.00"), "_period": "2026-01"}]


@pytest.fixture(params=KINDS_OF_PUBLISHING)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    return table_of(str(request.param), tmp_path, request.getfixturevalue)


def rows_at(spark: SparkSession, found: Trace | None, periods: Sequence[str]) -> list[Any]:
    assert found is not None
    with ExitStack() as held:
        raws = registry.read(spark, [found.table], held)
        loaded = load(PERIODIC, raws, context(), keep_deleted=True, periods=periods)
        return collect(loaded.frame, PERIODIC.fields)


def test_an_output_is_found_where_it_was_written(spark: SparkSession, table: Table) -> None:
    names = [field.name for field in PERIODIC.fields]
    assert registry.trace(table.target, RUN_1, 1, names, JANUARY) is None
    table.put(frame(spark, PERIODIC, FIRST), periods=JANUARY, run_id=RUN_1)
    found = registry.trace(table.target, RUN_1, 1, names, JANUARY)
    assert found is not None
    assert found.since == ()
    assert rows_at(spark, found, JANUARY) == FIRST
    assert registry.trace(table.target, RUN_1, 2, names, JANUARY) is None or table.kind in DATABASES


@pytest.mark.some(1)
def test_what_came_since_is_known_or_does_not_matter(spark: SparkSession, table: Table) -> None:
    names = [field.name for field in PERIODIC.fields]
    table.put(frame(spark, PERIODIC, FIRST), periods=JANUARY, run_id=RUN_1)
    table.put(frame(spark, PERIODIC, OTHER), periods=FEBRUARY, run_id=RUN_2)
    found = registry.trace(table.target, RUN_1, 1, names, JANUARY)
    assert rows_at(spark, found, JANUARY) == FIRST
    table.put(frame(spark, PERIODIC, SECOND), periods=JANUARY, run_id=RUN_2, seq=2)
    found = registry.trace(table.target, RUN_1, 1, names, JANUARY)
    assert found is not None
    if table.kind in VERSIONED:
        assert found.since == ()
        assert rows_at(spark, found, JANUARY) == FIRST
    else:
        assert found.since[0] == (RUN_2, 2)
    latest = registry.trace(table.target, RUN_2, 2, names, JANUARY)
    assert latest is not None
    assert latest.since == ()
    assert rows_at(spark, latest, JANUARY) == SECOND


@pytest.mark.some(2)
def test_a_pinned_table_is_read_as_it_was_or_not_at_all(spark: SparkSession, table: Table) -> None:
    table.put(frame(spark, PERIODIC, FIRST), periods=JANUARY, run_id=RUN_1)
    with ExitStack() as resources:
        pinned = registry.pin(table.place(PERIODIC, JANUARY), None, Keeping(resources))
        before = registry.contents(pinned)
        assert rows_at(spark, Trace(pinned), JANUARY) == FIRST
        table.put(frame(spark, PERIODIC, SECOND), periods=JANUARY, run_id=RUN_2)
        assert registry.contents(pinned) == before
        if table.kind in (*VERSIONED, "jdbc"):
            assert rows_at(spark, Trace(pinned), JANUARY) == FIRST
            return
        with pytest.raises(RowbookError) as refused:
            rows_at(spark, Trace(pinned), JANUARY)
        assert refused.value.diagnostics[0].code == "RUN_011"


def test_a_table_that_is_kept_is_read_as_it_was_whatever_is_published_since(
    spark: SparkSession, table: Table, tmp_path: Path
) -> None:
    table.put(frame(spark, PERIODIC, FIRST), periods=JANUARY, run_id=RUN_1)
    with ExitStack() as resources:
        keeping = Keeping(resources, tmp_path / "inputs")
        pinned = registry.pin(table.place(PERIODIC, JANUARY), None, keeping)
        before = registry.fingerprint(pinned)
        registry.check(pinned)
        raws = registry.read(spark, [pinned], resources)
        loaded = load(PERIODIC, raws, context(), keep_deleted=True, periods=JANUARY)
        table.put(frame(spark, PERIODIC, SECOND), periods=JANUARY, run_id=RUN_2)
        if table.kind == "mysql":  # no connection can join the moment: it is compared afterwards
            assert refusal(lambda: registry.check(pinned)).code == "RUN_011"
        else:
            assert collect(loaded.frame, PERIODIC.fields) == FIRST
        assert registry.fingerprint(pinned) == before
        after = registry.fingerprint(registry.pin(table.place(PERIODIC, JANUARY)))
        assert changed_names(before, after)


def test_a_table_is_pinned_to_what_was_recorded_or_refused(
    spark: SparkSession, table: Table
) -> None:
    table.put(frame(spark, PERIODIC, FIRST), periods=JANUARY, run_id=RUN_1)
    recorded = registry.contents(registry.table_of(table.target))
    wanted = table.place(PERIODIC, JANUARY)
    assert registry.contents(registry.pin(wanted, recorded)) == recorded
    table.put(frame(spark, PERIODIC, SECOND), periods=JANUARY, run_id=RUN_2)
    if table.kind in VERSIONED:
        pinned = registry.pin(wanted, recorded)
        assert rows_at(spark, Trace(pinned), JANUARY) == FIRST
        return
    with pytest.raises(ContentsChangedError) as changed:
        registry.pin(wanted, recorded)
    assert recorded[0].name in changed.value.names


def test_an_output_is_refused_in_the_same_words_whatever_its_kind() -> None:
    errors = (table_exists_error("gl"), no_period_error("gl"), other_period_error("gl", "2026-01"))
    found = [error.diagnostics[0] for error in errors]
    assert {each.code for each in found} == {"OUTPUT_006"}
    assert [each.message for each in found] == [
        "gl exists already",
        "gl holds rows without _period: those of a period cannot be told from the others",
        "gl: rows of period 2026-01 are not of the run's period",
    ]
    assert [each.hint for each in found] == [
        "use mode replace or append",
        "write to another destination, or add the column to the existing data",
        "leave them out with a selector; rows that are booked in the run's period are appended with"
        ' the assignment {column: _period, expression: "PERIOD()"}',
    ]
