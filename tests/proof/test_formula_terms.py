"""A formula as terms that add up to its value, where it is a sum."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from rowbook.proof.figure import Figure
from tests.proof.conftest import Follow
from tests.support.replays import figure_of
from tests.support.small_plans import total, update

D = Decimal
ROWS = [(1, "a", D("1.00")), (2, "b", D("2.50")), (3, "b", None)]


def lines(figure: Figure) -> list[tuple[Fraction, int, str]]:
    """What each term adds, how many rows stand behind it, and what it is where none does."""
    return [(term.amount, len(term.sources), term.line) for term in figure.terms]


def figure(follow: Follow, value: str) -> Figure:
    """Of a total over all rows."""
    replay = follow(ROWS, total("_period", "figure", value))
    return figure_of(replay, 1000, "figure", "figure IS NOT NULL")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("SUM(amount)", [(1, 1, ""), (Fraction(5, 2), 1, "")]),
        ("-SUM(amount)", [(-1, 1, ""), (Fraction(-5, 2), 1, "")]),
        ("SUM(amount) * 2", [(2, 1, ""), (5, 1, "")]),
        ("SUM(amount) - 1", [(1, 1, ""), (Fraction(5, 2), 1, ""), (-1, 0, "constant")]),
        ("SUM(amount) + 0", [(1, 1, ""), (Fraction(5, 2), 1, "")]),
        ("COUNT(*)", [(1, 1, ""), (1, 1, ""), (1, 1, "")]),
        ("COUNT(amount)", [(1, 1, ""), (1, 1, "")]),
        ("COUNT_DISTINCT(status)", [(1, 1, ""), (1, 2, "")]),
        ("MAX_AGG(amount)", [(Fraction(5, 2), 1, "")]),
        ("MIN_BY(amount, id)", [(1, 1, "")]),
        ("COALESCE(SUM(amount), 0)", [(1, 1, ""), (Fraction(5, 2), 1, "")]),
        ("IF(COUNT(*) > 5, SUM(id), SUM(amount))", [(1, 1, ""), (Fraction(5, 2), 1, "")]),
    ],
)
def test_terms_add_up_to_the_figure(
    value: str, expected: list[tuple[Fraction, int, str]], follow: Follow
) -> None:
    found = figure(follow, value)
    assert lines(found) == expected
    assert isinstance(found.value, int | Decimal)
    assert sum(term.amount for term in found.terms) == Fraction(found.value)


def test_what_each_rounding_adds_is_a_line_of_its_own(follow: Follow) -> None:
    found = figure(follow, "ROUND(SUM(amount) / 3, 1)")
    assert found.value == D("1.2")
    assert lines(found) == [
        (Fraction(1, 3), 1, ""),
        (Fraction(5, 6), 1, ""),
        (Fraction(1, 3_000_000), 0, "rounding"),
        (Fraction(33_333, 1_000_000), 0, "rounding"),
    ]


def test_an_average_is_a_share_of_each_row_that_has_a_value(follow: Follow) -> None:
    assert lines(figure(follow, "AVG(amount)")) == [
        (Fraction(1, 2), 1, ""),
        (Fraction(5, 4), 1, ""),
    ]


def test_a_quotient_of_two_sums_is_no_sum_and_stays_one(follow: Follow) -> None:
    found = figure(follow, "SUM(amount) / COUNT(*)")
    ((amount, rows, line),) = lines(found)
    assert isinstance(found.value, Decimal)
    assert (amount, rows, line) == (Fraction(found.value), 3, "")
    assert [(each.formula, each.value) for each in found.finder.notes.pieces] == [
        ("SUM(amount)", D("3.50")),
        ("COUNT(*)", 3),
    ]


def test_rows_that_share_the_largest_value_stand_together(follow: Follow) -> None:
    rows = [(1, "a", D(7)), (2, "a", D("7.00")), (3, "a", D(1))]
    replay = follow(rows, total("_period", "figure", "MAX_AGG(amount)"))
    found = figure_of(replay, 1000, "figure", "figure IS NOT NULL")
    assert lines(found) == [(Fraction(7), 2, "")]
    assert list(found.finder.notes.idle.values()) == [("another row has the largest value", 1)]


def test_a_null_that_is_summed_is_noted_with_its_operation(follow: Follow) -> None:
    found = figure(follow, "SUM(amount)")
    assert len(found.terms) == 2
    assert list(found.finder.notes.idle.values()) == [("its value is NULL", 1)]


def test_a_figure_that_is_null_is_made_of_nothing(follow: Follow) -> None:
    replay = follow([(1, "a", None)], total("_period", "figure", "SUM(amount)"))
    assert figure_of(replay, 1000, "figure", "_operation_seq = 1").terms == ()


def test_a_later_formula_on_a_total_is_taken_apart_too(follow: Follow) -> None:
    replay = follow(
        ROWS,
        total("_period", "sum", "SUM(amount)"),
        update("net", "sum / 4", "sum IS NOT NULL"),
    )
    found = figure_of(replay, 1000, "net", "net IS NOT NULL")
    assert lines(found) == [(Fraction(1, 4), 1, ""), (Fraction(5, 8), 1, "")]
