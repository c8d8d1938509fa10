"""How wrong a row or a group is."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from rowbook.expressions.evaluate import Moment, Row, Value, evaluate
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.expressions.syntax.parser import parse
from rowbook.expressions.types import DATE, INTEGER, STRING, decimal
from rowbook.planning.expectations.fault_size import fault_size

_ROW: Row = {
    (None, "amount"): Decimal("100.01"),
    (None, "lines"): 7,
    (None, "name"): "x",
    (None, "day"): date(2026, 1, 31),
}
_SCOPE = Scope(
    Table.of(
        [
            Field("amount", decimal(18, 2)),
            Field("lines", INTEGER),
            Field("name", STRING),
            Field("day", DATE),
        ]
    )
)


@pytest.mark.parametrize(
    ("that", "size"),
    [
        ("amount = 100", Decimal("0.01")),
        ("amount <= 90.5", Decimal("9.51")),
        ("200 < amount", Decimal("99.99")),
        ("lines BETWEEN 10 AND 20", 3),
        ("lines BETWEEN 1 AND 5", 2),
    ],
)
def test_a_comparison_of_numbers_misses_by_a_distance(that: str, size: Value) -> None:
    tree = fault_size(parse(that), _SCOPE)
    assert tree is not None
    assert evaluate(tree, _ROW, Moment(datetime(2026, 1, 31, tzinfo=UTC), "2026-01")) == size


@pytest.mark.parametrize(
    "that",
    [
        "name = 'y'",
        "day > DATE('2026-02-01')",
        "amount <> 1",
        "NOT amount = 1",
        "amount = 1 AND lines = 1",
        "lines NOT BETWEEN 1 AND 10",
        "amount IS NOT NULL",
    ],
)
def test_other_conditions_are_violated_or_not(that: str) -> None:
    assert fault_size(parse(that), _SCOPE) is None
