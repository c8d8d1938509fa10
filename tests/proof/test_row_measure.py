"""What a row adds to a figure, as an expression on the row."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.expressions.bound_text import rule_text
from rowbook.proof.replay import Replay
from rowbook.proof.row_measure import row_measure
from tests.proof.conftest import Follow
from tests.support.replays import figure_of
from tests.support.small_plans import total, update

ROWS = [(1, "a", Decimal("1.50")), (2, "b", Decimal("2.00"))]


def measure(replay: Replay, column: str, where: str | None = None) -> str | None:
    found = row_measure(figure_of(replay, 1000, column, where))
    return None if found is None else rule_text(found)


def test_a_row_of_a_source_adds_its_own_value(follow: Follow) -> None:
    assert measure(follow(ROWS), "amount") == "amount"
    assert measure(follow(ROWS, update("amount", "amount * 2")), "amount") == "amount"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("SUM(amount)", "amount"),
        ("COUNT(*)", "1"),
        ("COUNT(status)", "1"),
        ("SUM(amount * 2)", "amount * 2"),
        ("SUM(amount) - SUM(id)", "amount - id"),
        ("-SUM(amount)", "-amount"),
        ("AVG(amount)", None),
        ("MAX_AGG(amount)", None),
        ("SUM(amount) / COUNT(*)", None),
        ("SUM(amount) + 1", None),
    ],
)
def test_sums_and_counts_say_what_each_row_adds(
    value: str, expected: str | None, follow: Follow
) -> None:
    replay = follow(ROWS, total("_period", "figure", value))
    assert measure(replay, "figure", "figure IS NOT NULL") == expected


def test_a_total_of_totals_is_followed_to_the_rows(follow: Follow) -> None:
    replay = follow(
        ROWS,
        total("status", "part", "SUM(amount)"),
        total("_labels", "whole", "SUM(part)", "part IS NOT NULL"),
    )
    assert measure(replay, "whole", "whole IS NOT NULL") == "amount"


def test_what_is_added_up_of_totals_later_is_followed_too(follow: Follow) -> None:
    replay = follow(
        ROWS,
        total("_period", "sum", "SUM(amount)"),
        update("net", "sum - sum", "sum IS NOT NULL"),
    )
    assert measure(replay, "net", "net IS NOT NULL") == "amount - amount"


def test_a_product_with_a_total_is_nothing_that_rows_add(follow: Follow) -> None:
    replay = follow(
        ROWS,
        total("_period", "sum", "SUM(amount)"),
        update("net", "sum * 2", "sum IS NOT NULL"),
    )
    assert measure(replay, "net", "net IS NOT NULL") is None


def test_an_output_without_rows_has_no_measure(follow: Follow) -> None:
    assert measure(follow([]), "amount") is None


def test_where_the_figure_has_no_rows_another_of_the_output_stands_for_them(
    follow: Follow,
) -> None:
    assert measure(follow(ROWS), "amount", "id = 99") == "amount"
