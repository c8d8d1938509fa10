"""Which rows are shown side by side."""

from __future__ import annotations

from decimal import Decimal

from rowbook.expressions import types as t
from rowbook.scenarios.outcome import Outcome
from tests.scenarios.samples import (
    J1,
    J2,
    compared,
    ledger,
    only,
    rows_compared,
    table,
    text_of,
    written,
)

BOOK = {
    "journal": t.STRING,
    "line": t.INTEGER,
    "account": t.STRING,
    "amount": t.decimal(18, 2),
    "note": t.STRING,
}


def booked(*rows: tuple[str, int, str, str, str | None]) -> Outcome:
    return written(table(BOOK, *((j, n, a, Decimal(v), note) for j, n, a, v, note in rows)))


def test_rows_with_equal_keys_are_paired_though_others_have_more_in_common() -> None:
    expect = """
        outputs:
          result:
            rows: [{journal: J1, line: 1, account: A, amount: 1, note: x}]
    """
    outcome = booked(("J1", 1, "B", "2", "y"), ("J9", 1, "A", "1", "x"))
    text = text_of(compared(expect, outcome, keys=("journal", "line")))
    assert "account: expected 'A', got 'B'" in text
    without = text_of(compared(expect, outcome))
    assert "journal: expected 'J1', got 'J9'" in without


def test_a_key_that_is_null_tells_nothing() -> None:
    expect = "outputs: {result: {rows: [{journal: null, line: 1, account: A}]}}"
    outcome = written(table(BOOK, (None, 2, "B", Decimal(1), None)))
    found = only(compared(expect, outcome, keys=("journal",)))
    assert found.message == "expected 1 row, got 1: 1 missing, 1 unexpected"


def test_the_row_with_most_equal_cells_is_nearest_nulls_included() -> None:
    kinds = dict.fromkeys("abcd", t.INTEGER)
    actual = table(kinds, (1, 2, 3, 4), (9, 2, None, None))
    found = rows_compared("[{a: 1, b: 2, c: null, d: null}]", actual)
    assert "      a: expected 1, got 9" in text_of(found).splitlines()


def test_of_two_equally_near_the_one_with_more_values_is_nearest() -> None:
    kinds = dict.fromkeys("abcd", t.INTEGER)
    actual = table(kinds, (9, 9, None, None), (1, 2, 9, 9))
    found = rows_compared("[{a: 1, b: 2, c: null, d: null}]", actual)
    assert "      c: expected NULL, got 9" in text_of(found).splitlines()


def test_rows_with_little_in_common_are_no_pair() -> None:
    found = rows_compared("[{id: J9, line: 7, amount: 1}]", ledger(J1))
    assert only(found).message == "expected 1 row, got 1: 1 missing, 1 unexpected"


def test_a_row_is_told_by_the_cells_that_are_equal() -> None:
    found = rows_compared("[{id: J1, line: 1, amount: 1}]", ledger(J1))
    assert "    id 'J1', line 1 (line 6)" in text_of(found).splitlines()


def test_a_cell_within_its_tolerance_is_no_difference() -> None:
    match = "tolerance: {amount: 0.1}"
    found = rows_compared("[{id: J1, line: 2, amount: 10.55}]", ledger(J1), match)
    assert text_of(found).splitlines()[-1] == "      line: expected 2, got 1"


def test_keys_find_the_row_in_a_large_table() -> None:
    kinds = {"id": t.STRING, "a": t.INTEGER, "b": t.INTEGER, "c": t.INTEGER}
    actual = table(kinds, *((f"J{i}", 9, 9, 9) for i in range(5000)))
    expect = "outputs: {result: {rows: [{id: J4321, a: 1, b: 2, c: 3}]}}"
    found = compared(expect, written(actual), "mode: subset", keys=("id",))
    assert "id 'J4321'" in text_of(found)


def test_each_row_is_in_one_pair_only() -> None:
    rows = "[{id: J1, amount: 1}, {id: J1, amount: 2}]"
    found = only(rows_compared(rows, ledger(J1, J2)))
    assert found.message == "expected 2 rows, got 2: 1 different, 1 missing, 1 unexpected"
