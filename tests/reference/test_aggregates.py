"""`aggregate` on plain rows, and how rows are grouped."""

from __future__ import annotations

import math
from decimal import Decimal

from tests.reference.small_projects import Computed, entry
from tests.support.small_plans import delete, total

ROWS = [entry("a", 1, "10.00"), entry("b", 1, "0.50"), entry("c", None, "7.00"), entry("d", 2)]
SUMMARY = ("account", "total", "id", "_operation_seq", "_period")


def test_one_row_a_group_beside_the_rows_there_are(computed: Computed) -> None:
    rows = computed.rows(ROWS, total("account", "total", "SUM(amount)"), show=SUMMARY)
    assert rows[:4] == [
        (1, None, "a", None, "2026-01"),
        (1, None, "b", None, "2026-01"),
        (None, None, "c", None, "2026-01"),
        (2, None, "d", None, "2026-01"),
    ]
    assert rows[4:] == [
        (1, Decimal("10.50"), None, 1, None),
        (None, Decimal("7.00"), None, 1, None),
        (2, None, None, 1, None),
    ]


def test_the_period_is_kept_as_a_key_and_other_system_columns_group_only(
    computed: Computed,
) -> None:
    keys = "_period, _source_table"
    rows = computed.rows(ROWS, total(keys, "n"), show=("n", "_period", "_source_table"))
    assert rows[4:] == [(4, "2026-01", "e")]


def test_deleted_rows_and_rows_that_are_not_picked_count_for_nothing(computed: Computed) -> None:
    picked = total("account", "n", selector="amount < 10")
    found = computed.all(ROWS, delete("id = 'b'"), picked)
    assert [row["n"] for row in found.rows if row["n"] is not None] == [1]
    assert found.counts == {1: (1, 0), 2: (1, 1)}


def test_zero_has_no_sign_and_nan_is_one_group(computed: Computed) -> None:
    weights = (0.0, -0.0, math.nan, float("nan"))
    given = [entry(str(i), weight=weight) for i, weight in enumerate(weights)]
    rows = computed.rows(given, total("weight", "n"), show=("n", "weight"))[4:]
    assert [(n, str(weight)) for n, weight in rows] == [(2, "0.0"), (2, "nan")]
