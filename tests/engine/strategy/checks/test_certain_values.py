from __future__ import annotations

import pytest

from rowbook.engine.strategy.checks.certain_values import is_certain
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.scope import Field, Scope, Table

SCOPE = Scope(
    Table.of(
        (
            Field("s", t.STRING),
            Field("i", t.INTEGER),
            Field("m", t.decimal(18, 2)),
            Field("wide", t.decimal(38, 2)),
            Field("d", t.DATE),
        )
    )
)


@pytest.mark.parametrize(
    "condition",
    [
        "s IS NOT NULL AND m BETWEEN 0 AND 10.5",
        "UPPER(s) LIKE 'A%' OR s IN ('a', 'b')",
        "ABS(m - 5) < m * 2 OR -m > 1",
        "TO_DECIMAL(s, 10, 2) > i",
        "YEAR(d) = 2026 AND d <= PERIOD_END()",
        "IF(m > 0, s, 'x') = 'x'",
    ],
)
def test_comparisons_texts_and_decimals_with_room_have_a_value_on_every_row(condition: str) -> None:
    assert is_certain(bind(condition, SCOPE).tree)


@pytest.mark.parametrize(
    "condition",
    [
        "i + 1 > 0",
        "i * 1024 > 5",
        "wide * 10 > 0",
        "m * m * m > 0",
        "DATEADD(d, i, 'day') > d",
        "ROUND(m / 3, 2) > 0",
        "s = 'a' AND -i < 0",
    ],
)
def test_what_may_overflow_has_none_on_some(condition: str) -> None:
    assert not is_certain(bind(condition, SCOPE).tree)
