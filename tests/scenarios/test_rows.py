"""Rows as a multiset, among others, in order; which columns count, how far numbers may be off."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.reference.outputs import WrittenTable
from rowbook.scenarios.outcome import Outcome
from tests.scenarios.samples import J1, J2, compared, ledger, only, rows_compared, table, text_of

BOTH = "[{id: J1, amount: 10.50}, {id: J2, amount: 20}]"


@pytest.mark.parametrize(
    ("rows", "actual"),
    [
        (BOTH, ledger(J1, J2)),
        (BOTH, ledger(J2, J1)),
        ("[]", ledger()),
        ("[{}, {}]", ledger(J1, J2)),
        ("[{id: J1}]", ledger(J1)),
        ("[{id: J1}, {id: J1}]", ledger(J1, J1)),
        ("[{id: J1, day: 2026-01-05}, {id: J2}]", ledger(J1, J2)),
        ("[{id: J1, day: 2026-01-05}, {id: J2, day: null}]", ledger(J1, J2)),
        ("[{_labels: ''}, {_labels: late}]", ledger(J1, J2)),
        ("[{id: J1, amount: 10.5}]", ledger(J1)),
        ('[{id: J1, amount: "10.500"}]', ledger(J1)),
        ("[{id: Žluťoučký 帳簿 🧾}]", table({"id": t.STRING}, ("Žluťoučký 帳簿 🧾",))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rows_that_are_as_expected(rows: str, actual: WrittenTable) -> None:
    assert rows_compared(rows, actual) == []


@pytest.mark.parametrize(
    ("rows", "actual", "message"),
    [
        (BOTH, ledger(J1), "expected 2 rows, got 1: 1 missing"),
        (BOTH, ledger(J1, J2, J2), "expected 2 rows, got 3: 1 unexpected"),
        ("[{id: J1, amount: 10.55}]", ledger(J1), "expected 1 row, got 1: 1 different"),
        ("[]", ledger(J1), "expected 0 rows, got 1: 1 unexpected"),
        ("[{}]", ledger(J1, J2), "expected 1 row, got 2: 1 unexpected"),
        ("[{id: J1}, {id: J1}]", ledger(J1), "expected 2 rows, got 1: 1 missing"),
        ("[{id: J1}]", ledger(J1, J1), "expected 1 row, got 2: 1 unexpected"),
        ("[{id: J1, day: null}]", ledger(J1), "expected 1 row, got 1: 1 different"),
        (
            "[{id: J1, day: 2026-01-05}, {id: J2, day: 2026-01-05}]",
            ledger(J1, J2),
            "expected 2 rows, got 2: 1 different",
        ),
        ("[{id: J1}, {id: J1, amount: 20}]", ledger(J1, J2), "expected 2 rows, got 2: 2 different"),
        ("[{id: 'NULL'}]", table({"id": t.STRING}, (None,)), "expected 1 row, got 1: 1 different"),
        ("[{id: ''}]", table({"id": t.STRING}, (None,)), "expected 1 row, got 1: 1 different"),
        ("[{id: j1}]", ledger(J1), "expected 1 row, got 1: 1 different"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rows_that_are_not_as_expected(rows: str, actual: WrittenTable, message: str) -> None:
    assert only(rows_compared(rows, actual)).message == message


def test_a_cell_left_out_means_null_where_another_row_mentions_the_column() -> None:
    found = rows_compared("[{id: J1, amount: 10.50}, {id: J2}]", ledger(J1, J2))
    assert "amount: expected NULL, got 20.00" in text_of(found)


def test_a_column_that_no_row_mentions_does_not_count() -> None:
    assert rows_compared("[{line: 1}, {line: 1}]", ledger(J1, J2)) == []


def test_a_column_that_does_not_exist_fails_and_the_nearest_is_named() -> None:
    found = only(rows_compared("[{id: J1, amout: 10.50}]", ledger(J1)))
    assert found.message.startswith("there is no column 'amout'; did you mean 'amount'?")


def test_a_wrong_value_shows_the_cell() -> None:
    found = rows_compared("[{id: J1, amount: 10.55}, {id: J2, amount: 20}]", ledger(J1, J2))
    assert "amount: expected 10.55, got 10.50" in text_of(found)


def test_rows_that_nobody_expects_are_shown_with_their_business_columns() -> None:
    rows = only(rows_compared("[]", ledger(J1))).rows
    assert rows is not None
    assert rows.columns == ("id", "line", "day", "amount")


def test_an_expected_value_that_cannot_be_in_the_column_is_shown_as_it_is() -> None:
    found = rows_compared("[{id: J1, amount: 10.505}]", ledger(J1))
    assert "amount: expected '10.505' (no decimal(18,2)), got 10.50" in text_of(found)


def test_the_place_of_a_missing_row_is_its_line() -> None:
    expect = """
        working:
          rows:
            - {id: J1}
            - {id: J9}
    """
    rows = only(compared(expect, Outcome(working=ledger(J1)))).rows
    assert rows is not None
    assert [row.origin for row in rows.missing] == ["line 9"]


class TestSubset:
    @pytest.mark.parametrize(
        ("rows", "actual"),
        [
            ("[]", ledger(J1)),
            ("[{id: J1}]", ledger(J1, J2)),
            ("[{id: J1}, {id: J1}]", ledger(J1, J2, J1)),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_other_rows_may_be_there(self, rows: str, actual: WrittenTable) -> None:
        assert rows_compared(rows, actual, "mode: subset") == []

    def test_an_expected_row_that_stands_twice_needs_two_actual_ones(self) -> None:
        found = rows_compared("[{id: J1}, {id: J1}]", ledger(J1, J2), "mode: subset")
        assert only(found).message.startswith("expected 2 rows among 2: ")

    def test_a_missing_row_is_shown_and_the_others_are_not(self) -> None:
        found = rows_compared("[{id: J9, amount: 1}]", ledger(J1, J2), "mode: subset")
        assert only(found).message == "expected 1 row among 2: 1 missing"
        assert "unexpected" not in text_of(found)

    def test_the_nearest_row_is_shown(self) -> None:
        found = rows_compared("[{id: J2, amount: 20.01}]", ledger(J1, J2), "mode: subset")
        assert "amount: expected 20.01, got 20.00" in text_of(found)


class TestOrder:
    def test_an_output_in_order_passes(self) -> None:
        assert rows_compared("[{id: J1}, {id: J2}]", ledger(J1, J2), "order: true") == []

    def test_an_output_in_another_order_fails_and_shows_which_row(self) -> None:
        found = rows_compared("[{id: J1}, {id: J2}]", ledger(J2, J1), "order: true")
        assert only(found).message == "the rows are right, but in another order"
        assert "row 1 (line 6)\n      id: expected 'J1', got 'J2'" in text_of(found)

    def test_rows_that_differ_are_told_as_such(self) -> None:
        found = rows_compared("[{id: J1}, {id: J3}]", ledger(J2, J1), "order: true")
        assert only(found).message == "expected 2 rows, got 2: 1 different"

    def test_the_working_dataset_has_no_order(self) -> None:
        expect = "working: {rows: [{id: J1}, {id: J2}]}"
        assert compared(expect, Outcome(working=ledger(J2, J1)), "order: true") == []

    @pytest.mark.parametrize("rows", ["[{id: J1}, {id: J1}]", "[{id: J1}, {id: J2}, {id: J1}]"])
    def test_a_subset_in_order_may_have_others_between(self, rows: str) -> None:
        assert rows_compared(rows, ledger(J1, J2, J1), "mode: subset, order: true") == []

    def test_a_subset_in_another_order_fails(self) -> None:
        rows, match = "[{id: J2}, {id: J1}]", "mode: subset, order: true"
        found = rows_compared(rows, ledger(J1, J2), match)
        assert "does not come after the row before it" in only(found).message
        assert "'J1'" in text_of(found)


class TestIgnore:
    def test_an_ignored_column_may_have_any_value(self) -> None:
        assert rows_compared("[{id: J1, amount: 99}]", ledger(J1), "ignore: [amount]") == []

    def test_an_ignored_column_need_not_exist(self) -> None:
        assert rows_compared("[{id: J1, gone: 1}]", ledger(J1), "ignore: [gone]") == []

    def test_the_number_of_rows_counts_all_the_same(self) -> None:
        found = rows_compared("[{id: J1}]", ledger(J1, J2), "ignore: [id]")
        assert only(found).message == "expected 1 row, got 2: 1 unexpected"
