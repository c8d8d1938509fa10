"""Why rows that were read are not in a figure: one reason each."""

from __future__ import annotations

from decimal import Decimal

from rowbook.proof.absences import AbsenceFinder, Reason
from rowbook.proof.replay import Replay
from tests.proof.conftest import Follow
from tests.support.replays import figure_of
from tests.support.small_plans import delete, total, update

D = Decimal
SUMMED = total("status", "sum", "SUM(amount)")


def reasons(replay: Replay, column: str, where: str) -> dict[object, Reason]:
    """By the id of the row."""
    found = AbsenceFinder(figure_of(replay, 1000, column, where)).reasons(lambda _: True)
    return {replay.sources[key].values["id"]: reason for key, reason in found.items()}


def test_rows_that_are_in_have_no_reason(follow: Follow) -> None:
    replay = follow([(1, "a", D(1)), (2, "a", D(0))], SUMMED)
    assert reasons(replay, "sum", "sum = 1") == {}


def test_null_is_counted_and_adds_nothing(follow: Follow) -> None:
    replay = follow([(1, "a", D(1)), (2, "a", None)], SUMMED)
    assert reasons(replay, "sum", "sum = 1") == {2: Reason("its value is NULL", 1)}


def test_another_group_is_known_by_what_was_asked_for(follow: Follow) -> None:
    replay = follow(
        [(1, "a", D(1)), (2, "b", D(4)), (3, None, D(5))],
        update("status", "'b'", "id = 3"),
        SUMMED,
    )
    where = "status = 'a' AND sum IS NOT NULL"
    assert reasons(replay, "sum", where) == {
        2: Reason("in another group: status as read", None, 1, D("4.00")),
        3: Reason("in another group: status by 1 'op 1'", 1, 1, D("5.00")),
    }


def test_a_row_that_was_deleted_first_was_never_asked_for(follow: Follow) -> None:
    replay = follow(
        [(1, "a", D(1)), (2, "a", D("2.50"))],
        delete("id = 2"),
        total("status", "sum", "SUM(amount)", "id <> 2"),
    )
    assert reasons(replay, "sum", "sum = 1") == {2: Reason("deleted by 1 'op 1'", 1, 0, D("2.50"))}


def test_a_row_that_is_deleted_after_it_was_counted_is_in(follow: Follow) -> None:
    replay = follow([(1, "a", D(1))], SUMMED, delete("id = 1"))
    assert reasons(replay, "sum", "sum = 1") == {}


def test_false_and_null_are_told_apart(follow: Follow) -> None:
    picked = total("_period", "sum", "SUM(amount)", "status = 'a'")
    replay = follow([(1, "a", D(1)), (2, "b", D(2)), (3, None, D(3))], picked)
    assert reasons(replay, "sum", "sum = 1") == {
        2: Reason("not chosen by 1 'op 1'", 1, 0, D("2.00")),
        3: Reason("the condition of 1 'op 1' is NULL for it", 1, 0, D("3.00")),
    }


def test_what_a_row_would_have_added_is_told_as_it_was_then(follow: Follow) -> None:
    replay = follow(
        [(1, "a", D(1)), (2, "b", D(2))],
        update("amount", "amount * 10"),
        total("_period", "sum", "SUM(amount)", "status = 'a'"),
        update("amount", "amount + 1"),
    )
    found = reasons(replay, "sum", "sum IS NOT NULL")
    assert found == {2: Reason("not chosen by 2 'op 2'", 2, 0, D("20.00"))}


def test_rows_of_the_output_that_nobody_asked_for(follow: Follow) -> None:
    replay = follow([(1, "a", D(1)), (2, "b", D(2))])
    assert reasons(replay, "amount", "id = 1") == {
        2: Reason("another row of the output: id as read", None, 0, D("2.00"))
    }


def test_only_rows_that_are_wanted_are_looked_at(follow: Follow) -> None:
    replay = follow([(1, "a", D(1)), (2, "b", D(2)), (3, "b", D(3))])
    finder = AbsenceFinder(figure_of(replay, 1000, "amount", "id = 1"))
    found = finder.reasons(lambda source: source.values["id"] == 3)
    assert [key[2] for key in found] == [
        source.key[2] for source in replay.sources.values() if source.values["id"] == 3
    ]
