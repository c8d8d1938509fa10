"""`update` on plain rows."""

from __future__ import annotations

from decimal import Decimal

from tests.reference.small_projects import Computed, entry
from tests.support.refusal import refusal
from tests.support.small_plans import NOW, delete, update

ROWS = [entry("a", 1, "10.00"), entry("b", 2, "20.00"), entry("c", None, None)]


def test_it_changes_the_rows_it_picks_and_no_others(computed: Computed) -> None:
    rows = computed.rows(ROWS, update("amount", "amount + 1", "account = 2"))
    assert rows == [("a", Decimal("10.00")), ("b", Decimal("21.00")), ("c", None)]


def test_a_new_column_is_null_where_no_row_is_picked(computed: Computed) -> None:
    rows = computed.rows(ROWS, update("tag", "'x'", "account = 1"), show=("id", "tag"))
    assert rows == [("a", "x"), ("b", None), ("c", None)]


def test_deleted_rows_are_not_seen(computed: Computed) -> None:
    rows = computed.rows(ROWS, delete("id = 'a'"), update("amount", "0"))
    assert rows == [("a", Decimal("10.00")), ("b", Decimal("0.00")), ("c", Decimal("0.00"))]


def test_it_says_when_and_how_many(computed: Computed) -> None:
    old = NOW.replace(year=2020)
    given = [{**row, "_updated_at": old} for row in ROWS]
    found = computed.all(given, update("amount", "1", "account = 1"))
    assert [row["_updated_at"] for row in found.rows] == [NOW, old, old]
    assert found.counts == {1: (1, 0)}


def test_a_value_that_must_be_there_and_is_not_is_told_with_its_rows(computed: Computed) -> None:
    asked = update("tag", "REQUIRE(account) + 1")
    found = refusal(lambda: computed.rows(ROWS, asked), "RUN_013")
    said = "REQUIRE finds no value for column 'tag' on 1 row: id = 'c', account = NULL"
    assert found.message == said


def test_a_value_that_must_be_there_is_asked_for_before_it_is_read(computed: Computed) -> None:
    """What does not fit on the way to it is an error too, though nobody reads the column."""
    asked = update("tag", "REQUIRE(TO_DECIMAL(amount, 38, 0) * TO_DECIMAL('1e37', 38, 0))")
    found = refusal(lambda: computed.rows(ROWS, asked), "RUN_001")
    assert found.message == "a value of column 'tag' does not fit decimal(38,0)"
