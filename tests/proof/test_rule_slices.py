"""Which operations made a cell: the last that wrote it, and those that made what it read."""

from __future__ import annotations

from decimal import Decimal

from rowbook.proof.replay import Replay
from rowbook.proof.rule_slices import RuleSlice, RuleSlices
from tests.proof.conftest import Follow
from tests.support.small_plans import delete, total, update

D = Decimal
ROWS = [(1, "a", D(1)), (2, None, D(2))]
RATE = "{alias: r, dataset_id: rates, on: 'gl.status = r.code'}"


def operations(replay: Replay, number: int, column: str) -> set[int]:
    """Of a row's column as it is at the end."""
    return set(RuleSlices(replay).cell(number, column, len(replay.steps)).operations)


def test_a_cell_that_nothing_wrote_is_as_it_was_read(follow: Follow) -> None:
    replay = follow(ROWS, update("line", "status"))
    assert RuleSlices(replay).cell(0, "amount", 1) == RuleSlice(columns=frozenset({"amount"}))


def test_what_was_overwritten_did_not_make_it(follow: Follow) -> None:
    replay = follow(ROWS, update("line", "'x'"), update("line", "'y'"))
    assert operations(replay, 0, "line") == {2}
    assert RuleSlices(replay).cell(0, "line", 1).operations == {1}


def test_what_read_itself_keeps_those_before(follow: Follow) -> None:
    replay = follow(ROWS, update("line", "'x'"), update("line", "CONCAT(line, 'y')"))
    assert operations(replay, 0, "line") == {1, 2}


def test_an_operation_that_did_not_meet_the_row_made_nothing(follow: Follow) -> None:
    replay = follow(ROWS, update("line", "'x'"), update("line", "'y'", "status = 'a'"))
    assert operations(replay, 0, "line") == {2}
    assert operations(replay, 1, "line") == {1}


def test_values_are_followed_through_other_columns(follow: Follow) -> None:
    replay = follow(
        ROWS,
        update("half", "amount / 2"),
        update("quarter", "half / 2"),
        update("half", "0"),
    )
    assert operations(replay, 0, "quarter") == {1, 2}
    assert operations(replay, 0, "half") == {3}
    found = RuleSlices(replay).cell(0, "quarter", len(replay.steps))
    assert found.columns == {"amount"}


def test_a_row_that_a_join_found_is_named_with_the_column_that_was_read(follow: Follow) -> None:
    replay = follow(
        ROWS, update("usd", "amount * r.rate", joins=RATE), rates=[("a", D("1.1")), ("b", D(2))]
    )
    found = RuleSlices(replay).cell(0, "usd", 1)
    assert [(use.alias, use.column, use.source.values["code"]) for use in found.joined] == [
        ("r", "rate", "a")
    ]
    assert RuleSlices(replay).cell(1, "usd", 1).joined == frozenset()


def test_a_summary_is_made_by_the_operation_that_summed_up(follow: Follow) -> None:
    replay = follow(ROWS, update("amount", "amount + 1"), total("_period", "sum", "SUM(amount)"))
    assert operations(replay, 2, "sum") == {2}


def test_a_delete_writes_no_cell(follow: Follow) -> None:
    replay = follow(ROWS, update("line", "'x'"), delete("status = 'a'"))
    assert operations(replay, 0, "line") == {1}
    writer = RuleSlices(replay).writer(0, "line", 2)
    assert writer is not None
    assert writer.step.seq == 1
    assert RuleSlices(replay).writer(0, "line", 0) is None


def test_slices_add_up() -> None:
    one = RuleSlice(frozenset({1}), windows=frozenset({(1, "w")}))
    two = RuleSlice(frozenset({2}), columns=frozenset({"a"}))
    assert one | two == RuleSlice(
        frozenset({1, 2}), windows=frozenset({(1, "w")}), columns=frozenset({"a"})
    )
    assert one | RuleSlice() == one
