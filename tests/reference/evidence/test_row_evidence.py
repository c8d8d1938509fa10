"""Equal rows have equal evidence, in any order; other rows have another one, and it says what."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.reference.evidence.row_evidence import RowEvidence, row_evidence

FIELDS = (
    Field("account", t.STRING),
    Field("lines", t.INTEGER),
    Field("amount", t.decimal(18, 2)),
    Field("share", t.FLOAT),
)


def row(account: str | None, lines: int | None, amount: str | None, share: float | None) -> Any:
    number = None if amount is None else Decimal(amount)
    return {"account": account, "lines": lines, "amount": number, "share": share}


SALES, COSTS = row("4000", 2, "10.50", 0.25), row("5000", None, "-3.00", None)


def evidence(*rows: Any) -> RowEvidence:
    return row_evidence(rows, FIELDS)


def test_order_makes_no_difference() -> None:
    assert evidence(SALES, COSTS) == evidence(COSTS, SALES)


def test_totals_are_exact_and_count_what_is_not_null() -> None:
    assert evidence(SALES, COSTS).as_json() == {
        "columns": [
            ["account", "string"],
            ["lines", "integer"],
            ["amount", "decimal(18,2)"],
            ["share", "float"],
        ],
        "rows": 2,
        "fingerprint": evidence(SALES, COSTS).fingerprint,
        "totals": [
            {"column": "lines", "values": 1, "sum": "2"},
            {"column": "amount", "values": 2, "sum": "7.50"},
            {"column": "share", "values": 1, "sum": "0.25"},
        ],
    }


def test_what_differs_is_told_by_counts_and_totals() -> None:
    recorded = evidence(SALES, COSTS)
    assert recorded.differences(evidence(SALES)) == (
        "1 rows, not 2",
        "amount: 10.50 in all, not 7.50",
    )
    moved = (row("5000", 2, "10.50", 0.25), row("4000", None, "-3.00", None))
    assert recorded.differences(evidence(*moved)) == ("the same counts and totals, but other rows",)


def test_one_row_and_three_equal_ones_are_not_the_same() -> None:
    one, three = evidence(SALES), evidence(SALES, SALES, SALES)
    assert one.fingerprint != three.fingerprint


def test_null_in_one_column_is_not_null_in_the_next() -> None:
    fields = (Field("a", t.STRING), Field("b", t.STRING))
    first = row_evidence([{"a": None, "b": "x"}], fields)
    assert first.fingerprint != row_evidence([{"a": "x", "b": None}], fields).fingerprint


def test_floats_are_the_same_within_a_billionth() -> None:
    near, far = row("4000", 2, "10.50", 0.25 + 1e-12), row("4000", 2, "10.50", 0.2501)
    assert not evidence(SALES).differences(evidence(near))
    assert evidence(SALES).differences(evidence(far)) == ("share: 0.2501 in all, not 0.25",)


def test_other_columns_are_told_first() -> None:
    fewer = row_evidence([SALES], FIELDS[:2])
    assert evidence(SALES).differences(fewer) == ("other columns",)


ROWS = st.lists(
    st.builds(
        row,
        st.none() | st.text(max_size=5),
        st.none() | st.integers(-(1 << 63), (1 << 63) - 1),
        st.none() | st.decimals(-(10**15), 10**15, places=2).map(str),
        st.none() | st.floats(allow_nan=False, allow_infinity=False, width=32),
    ),
    max_size=6,
)


@given(ROWS)
def test_it_is_read_back_as_it_was_recorded(rows: Any) -> None:
    found = evidence(*rows)
    assert RowEvidence.from_json(found.as_json()) == found
