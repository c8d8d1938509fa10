"""Which rows an operation acts on."""

from __future__ import annotations

from tests.reference.small_projects import Computed, entry
from tests.support.small_plans import delete, total, update

ROWS = [entry("a", 1, "1.00"), entry("b", None, "2.00"), entry("c", 0, None)]


def test_null_and_false_pick_nothing(computed: Computed) -> None:
    found = computed.all(ROWS, update("amount", "0", "account = 1"))
    assert found.counts == {1: (1, 0)}
    assert computed.all(ROWS, update("amount", "0", "account <> 1")).counts == {1: (1, 0)}
    assert computed.all(ROWS, update("amount", "0", "account = NULL")).counts == {1: (0, 0)}


def test_no_condition_picks_all_that_are_visible(computed: Computed) -> None:
    steps = delete("id = 'b'"), total("_period", "n", "COUNT(*)")
    assert computed.all(ROWS, *steps).counts == {1: (1, 0), 2: (2, 1)}


def test_what_is_deleted_is_not_deleted_again(computed: Computed) -> None:
    found = computed.all(ROWS, delete("id = 'b'"), delete("TRUE"), delete("TRUE"))
    assert found.counts == {1: (1, 0), 2: (2, 0), 3: (0, 0)}


def test_rows_are_picked_as_they_are_and_not_as_they_were(computed: Computed) -> None:
    steps = update("account", "1"), update("amount", "account * 5", "account = 1")
    assert computed.rows(ROWS, *steps, show=("amount",)) == [(5,), (5,), (5,)]


def test_a_condition_that_does_not_fit_fails_the_operation(computed: Computed) -> None:
    picked = update("amount", "0", "account + 9223372036854775807 > 0")
    assert computed.errors(ROWS, picked) == [
        "RUN_001  operation 1 'op 1': a value in its selector does not fit its type"
    ]


def test_a_total_that_cannot_pick_is_said_to_fail_at_its_first_column(computed: Computed) -> None:
    picked = total("id", "n", "COUNT(*)", "account + 9223372036854775807 > 0")
    assert computed.errors(ROWS, picked) == [
        "RUN_001  operation 1 'op 1': a value of column 'n' does not fit integer"
    ]


def test_rows_that_are_deleted_are_not_looked_at(computed: Computed) -> None:
    picked = update("amount", "0", "account + 9223372036854775807 > 0")
    assert computed.errors(ROWS, delete("account = 1"), picked) == []
