"""How ways of depending on a column add up."""

from __future__ import annotations

import pytest

from rowbook.lineage.influences import (
    NOTHING,
    Kind,
    SourceColumn,
    at_operation,
    composed,
    merged,
    read_from,
    used_as,
)

AMOUNT, STATUS = SourceColumn("gl", "amount"), SourceColumn("gl", "status")


@pytest.mark.parametrize(
    ("before", "kind", "after"),
    [
        ("identity", "identity", "identity"),
        ("identity", "transformation", "transformation"),
        ("transformation", "identity", "transformation"),
        ("aggregation", "transformation", "aggregation"),
        ("transformation", "aggregation", "aggregation"),
        ("aggregation", "filter", "filter"),
        ("filter", "aggregation", "filter"),
        ("join", "identity", "join"),
        ("join", "conditional", "conditional"),
    ],
)
def test_the_stronger_way_hides_the_other(before: Kind, kind: Kind, after: Kind) -> None:
    assert composed(before, kind) == after


def test_merging_nothing_is_nothing() -> None:
    assert merged() == NOTHING == {}
    assert merged(NOTHING, {}) == {}
    assert merged(NOTHING, read_from("gl", "amount")) == {(AMOUNT, "identity"): frozenset()}


def test_operations_of_the_same_way_are_united() -> None:
    one = at_operation(read_from("gl", "amount"), 1)
    two = at_operation(read_from("gl", "amount"), 2)
    other = read_from("gl", "amount", "filter")
    assert merged(one, two, other) == {
        (AMOUNT, "identity"): {1, 2},
        (AMOUNT, "filter"): frozenset(),
    }
    assert one == {(AMOUNT, "identity"): {1}}


def test_ways_that_become_one_keep_the_operations_of_both() -> None:
    found = merged(
        at_operation(read_from("gl", "amount"), 1),
        at_operation(read_from("gl", "amount", "transformation"), 2),
        read_from("gl", "status", "filter"),
    )
    assert used_as(found, "aggregation") == {
        (AMOUNT, "aggregation"): {1, 2},
        (STATUS, "filter"): frozenset(),
    }


def test_who_decides_by_a_decision_decides_by_what_it_was_made_of() -> None:
    assert used_as(read_from("gl", "status", "filter"), "sort") == {(STATUS, "sort"): frozenset()}


def test_values_that_are_used_as_they_are_stay_so() -> None:
    found = read_from("gl", "amount", "transformation")
    assert used_as(found, "identity") == found


def test_a_source_is_called_by_dataset_and_column() -> None:
    assert str(AMOUNT) == "gl.amount"
