"""Figures of an output: their rows, their value, their formula."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from rowbook.proof.figure import total_of
from tests.proof.conftest import Follow
from tests.support.replays import figure_of
from tests.support.small_plans import delete, total, update

D = Decimal
ROWS = [(1, "a", D("1.10")), (2, "a", D("2.20")), (3, None, None)]


def test_decimals_add_up_to_all_their_digits() -> None:
    assert total_of([D("0.10"), D("0.2")]) == D("0.30")
    large = D("99999999999999999999999999999999.99")
    assert total_of([large, large]) == D("199999999999999999999999999999999.98")


def test_integers_stay_so_whatever_their_size() -> None:
    assert total_of([2**62, 2**62, 1]) == 2**63 + 1


def test_floats_are_added_exactly_and_rounded_once() -> None:
    assert total_of([0.1] * 10) == 1.0
    assert total_of([1e16, 1.0, -1e16]) == 1.0


def test_one_row_has_its_own_value(follow: Follow) -> None:
    replay = follow(ROWS, update("line", "'costs'"))
    figure = figure_of(replay, 1000, "line", "id = 1")
    assert (figure.numbers, figure.value, figure.formula) == ((0,), "costs", "'costs'")
    assert figure_of(replay, 1000, "amount", "id = 1").formula == "as read"


def test_several_rows_are_summed_up(follow: Follow) -> None:
    figure = figure_of(follow(ROWS), 1000, "amount")
    assert figure.value == D("3.30")
    assert figure.formula == "SUM(amount) of 3 rows of the output"
    assert [term.amount for term in figure.terms] == [Fraction(11, 10), Fraction(22, 10)]


def test_texts_of_several_rows_have_no_sum(follow: Follow) -> None:
    assert figure_of(follow(ROWS), 1000, "status").value is None


def test_a_figure_of_nulls_is_null_and_of_no_rows_too(follow: Follow) -> None:
    replay = follow([(1, "a", None), (2, "a", None)])
    assert figure_of(replay, 1000, "amount").value is None
    nothing = figure_of(replay, 1000, "amount", "id = 3")
    assert (nothing.value, nothing.numbers, nothing.terms) == (None, (), ())
    assert nothing.formula == "no rows"


def test_a_condition_that_is_null_chooses_no_row(follow: Follow) -> None:
    assert figure_of(follow(ROWS), 1000, "amount", "status <> 'b'").numbers == (0, 1)


def test_deleted_rows_are_not_written(follow: Follow) -> None:
    figure = figure_of(follow(ROWS, delete("id = 1")), 1000, "amount")
    assert (figure.numbers, figure.value) == ((1, 2), D("2.20"))


def test_a_formula_stands_beside_its_numbers(follow: Follow) -> None:
    replay = follow(ROWS, update("twice", "amount * 2"))
    assert figure_of(replay, 1000, "twice", "id = 1").formula == "amount * 2 = 1.10 * 2"


def test_a_total_says_of_how_many_rows_it_is(follow: Follow) -> None:
    share = total("status", "share", "SUM(amount) / COUNT(*)", "status = 'a'")
    figure = figure_of(follow(ROWS, share), 1000, "share", "share IS NOT NULL")
    assert figure.formula == "SUM(amount) / COUNT(*) = 3.30 / 2 of 2 rows by 1 'op 1'"
    key = figure_of(follow(ROWS, share), 1000, "status", "share IS NOT NULL")
    assert (key.value, key.formula) == ("a", "the group's status of 2 rows by 1 'op 1'")
