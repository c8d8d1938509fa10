from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pyspark.sql import DataFrame

from rowbook.engine.counting.counters import Added, Count, Counter, Flag, count_rows
from rowbook.engine.counting.rows_gone import GoneRows

ROWS = [
    {"__flags_0": 1, "__taken": None, "_operation_seq": None},
    {"__flags_0": 3, "__taken": None, "_operation_seq": None},
    {"__flags_0": None, "__taken": 4, "_operation_seq": 20},
]


def counted(counters: Sequence[Counter]) -> dict[int, Count]:
    return count_rows(counters, ROWS)


def test_what_was_counted_on_rows_that_leave_is_added_to_the_others() -> None:
    gone = GoneRows()
    gone.add([Flag(0, "__flags_0", 0), Flag(10, "__flags_0", 1), Added(20)], counted)
    stayed = {0: Count(5), 10: Count(0), 20: Count(6, 2), 30: Count(7)}
    assert gone.with_those(stayed) == {0: Count(7), 10: Count(1), 20: Count(10, 3), 30: Count(7)}


def test_rows_that_leave_in_turns_are_all_added() -> None:
    gone = GoneRows()
    gone.add([Flag(10, "__flags_0", 0)], counted)
    gone.add([Flag(10, "__flags_0", 0)], counted)
    assert gone.with_those({10: Count(1)}) == {10: Count(5)}


def test_origins_that_are_counted_apart_from_added_rows_are_not_counted_again() -> None:
    gone = GoneRows()
    gone.add([Added(20, cast(DataFrame, object()))], counted)
    assert gone.with_those({20: Count(9, 3)}) == {20: Count(9, 4)}


def test_without_counters_nothing_is_read() -> None:
    gone = GoneRows()
    gone.add([], lambda _: {1: Count(1)})
    assert gone.counts == {}
