"""`output` on plain rows, and what a reader of its destination finds."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.planning.steps import OutputStep
from rowbook.reference.outputs import WrittenTable, written_table
from tests.reference.small_projects import WORKSPACE, Computed, entry
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of, total

OUTPUT = "type: output, arguments: {destination: {location: {path: out}}%s}"
ROWS = [entry("a", 1, "10.00"), entry("b", 2, "20.00")]


def test_columns_are_written_in_their_order(computed: Computed) -> None:
    found = computed.all(ROWS, OUTPUT % ", columns: [amount, id]")
    assert [list(row.items()) for row in found.outputs[1]] == [
        [("amount", Decimal("10.00")), ("id", "a")],
        [("amount", Decimal("20.00")), ("id", "b")],
    ]


@pytest.mark.parametrize(("also", "ids"), [("", ["b"]), (", include_deleted: true", ["a", "b"])])
def test_deleted_rows_are_written_where_they_are_wanted(
    computed: Computed, also: str, ids: list[str]
) -> None:
    found = computed.all(ROWS, delete("id = 'a'"), OUTPUT % also)
    assert [row["id"] for row in found.outputs[2]] == ids


def test_a_summary_is_written_with_the_period_of_the_run(computed: Computed) -> None:
    found = computed.all(ROWS, total("account", "n"), OUTPUT % ", columns: [n, _period]")
    assert [row["_period"] for row in found.outputs[2]] == ["2026-01"] * 4
    assert [row["_period"] for row in found.rows] == ["2026-01", "2026-01", None, None]


@pytest.fixture
def step(tmp_path: Path) -> OutputStep:
    text = WORKSPACE + numbered(OUTPUT % ", columns: [id, _period]")
    (found,) = plan_of(tmp_path, text).steps
    assert isinstance(found, OutputStep)
    return found


def written(step: OutputStep, before: tuple[str, ...]) -> list[object]:
    """The periods in a table after a row of the run's was written to it."""
    table = WrittenTable((), tuple({"id": "old", "_period": period} for period in before))
    new = [{"id": "new", "_period": "2026-01"}]
    rows = written_table("out", table, step, new, CONTEXT).rows
    return [(row["id"], row["_period"]) for row in rows]


def test_replace_leaves_other_periods(step: OutputStep) -> None:
    found = written(step, ("2025-12", "2026-01", "2026-01-31"))
    assert found == [("old", "2025-12"), ("new", "2026-01")]


def test_replace_without_periods_replaces_all(step: OutputStep) -> None:
    assert written(replace(step, written=("id",)), ("2025-12",)) == [("new", "2026-01")]


def test_append_leaves_all(step: OutputStep) -> None:
    found = written(replace(step, mode="append"), ("2025-12", "2026-01"))
    assert found == [("old", "2025-12"), ("old", "2026-01"), ("new", "2026-01")]


def test_a_table_that_must_not_exist_is_an_error(step: OutputStep) -> None:
    with pytest.raises(RowbookError, match="destination 'out' exists already"):
        written(replace(step, mode="error_if_exists"), ())
