"""Figures that must agree, and what is said where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from rowbook.engine.measure.figures import Moved, Number
from rowbook.reports.figure_checks import checks_of, minus, plus, same
from rowbook.reports.model import Check, Counts, Followed, ReportStep
from tests.reports.samples import CONVERT, DROP, FOLLOWED, PUBLISH, STEPS


def check(name: str, steps: Sequence[ReportStep], followed: Followed | None = FOLLOWED) -> Check:
    found = checks_of(steps, followed, completed=True)
    (one,) = (each for each in found if each.name == name)
    return one


def test_all_figures_of_a_sound_run_agree() -> None:
    found = checks_of(STEPS, FOLLOWED, completed=True)
    assert [each.name for each in found] == [
        "Rows add up",
        "Output 40 is complete",
        "Counted twice",
        "Totals of amount reconcile",
    ]
    assert all(each.passed for each in found)


def test_rows_are_followed_from_the_input_to_the_end() -> None:
    found = check("Rows add up", STEPS)
    assert found.said == "1,204 read + 2 added − 4 deleted = 1,202"


def test_rows_that_vanish_between_two_operations_are_noticed() -> None:
    gone = replace(DROP, counts=Counts(1203, 4, 0, 4, 1199, 0))
    assert not check("Rows add up", (CONVERT, gone)).passed


def test_an_output_that_wrote_fewer_rows_than_there_are_is_noticed() -> None:
    short = replace(PUBLISH, counts=Counts(1202, 1201, 0, 0, 1202, 0))
    found = check("Output 40 is complete", (short,))
    assert (found.passed, found.said) == (False, "1,201 of 1,202 rows written")


def test_data_that_changed_between_measuring_and_running_is_noticed() -> None:
    found = check("Counted twice", (replace(CONVERT, counted=1205), DROP))
    assert (found.passed, found.said) == (
        False,
        "after operation 10 1,204 rows, measured were 1,205",
    )


def test_an_input_that_changed_is_noticed() -> None:
    found = check("Counted twice", (CONVERT,), replace(FOLLOWED, counted=1))
    assert (found.passed, found.said) == (False, "in the input 1,204 rows, measured were 1")


def test_totals_are_shown_with_all_they_consist_of() -> None:
    assert check("Totals of amount reconcile", STEPS).said == (
        "−1,500.00 at the start, +300.00 in rows that were added or changed,"
        " −50.50 that rows held before they were changed or deleted: −1,250.50"
    )


def test_a_total_that_moved_by_more_than_the_touched_rows_is_noticed() -> None:
    wrong = replace(DROP, total=Decimal("-1250.49"))
    found = check("Totals of amount reconcile", (CONVERT, wrong))
    assert (found.passed, found.said) == (False, "after operation 20 −1,250.49, not −1,250.50")


def test_a_column_that_an_operation_makes_begins_with_nothing() -> None:
    made = replace(CONVERT, total=Decimal("3.00"), moved=Moved(Decimal("3.00"), Decimal("0.00")))
    found = check("Totals of amount reconcile", (made,), replace(FOLLOWED, opening=None))
    assert found.passed
    assert found.said.startswith("nothing at the start, +3.00 in rows")


def test_without_figures_only_the_ledger_is_checked() -> None:
    names = [each.name for each in checks_of(STEPS, None, completed=True)]
    assert names == ["Rows add up", "Output 40 is complete"]


def test_a_run_that_counted_nothing_has_nothing_to_check() -> None:
    steps = [replace(step, counts=None, total=None, moved=None, counted=None) for step in STEPS]
    assert checks_of(steps, None, completed=False) == ()


def test_38_digits_are_added_exactly() -> None:
    large = Decimal("99999999999999999999999999999999999.99")
    assert minus(plus(large, Decimal("0.01")), large) == Decimal("0.01")


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (Decimal("1.0"), Decimal("1.00"), True),
        (Decimal("1.00"), Decimal("1.01"), False),
        (0.1 + 0.2, 0.3, True),
        (0.3, 0.31, False),
        (Decimal("0.3"), 0.3, True),
    ],
)
def test_floats_are_the_same_where_they_are_near(a: Number, b: Number, equal: bool) -> None:
    assert same(a, b) is equal


def test_rows_that_were_quarantined_are_accounted_for() -> None:
    first = replace(CONVERT, counts=Counts(10, 10, 0, 0, 7, 1, quarantined=3))
    last = replace(DROP, counts=Counts(7, 1, 0, 1, 6, 1))
    (rows,) = checks_of((first, last), None, completed=False)
    assert (rows.passed, rows.said) == (
        *(True, "10 read + 0 added − 1 deleted − 3 quarantined = 6"),
    )
