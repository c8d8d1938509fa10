"""Two tables are the same where neither rows nor columns differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.engine.compare.difference import (
    Repeated,
    RetypedColumn,
    Subtotals,
    TableDifference,
    Total,
)
from rowbook.expressions import types as t

SAME = TableDifference(
    key=("id",),
    columns=("amount",),
    rows_before=3,
    rows_after=3,
    equal=3,
    changed=0,
    only_before=0,
    only_after=0,
    repeated_before=Repeated(0, 0),
    repeated_after=Repeated(0, 0),
    changed_cells={},
    changed_rows=(),
    rows_only_before=(),
    rows_only_after=(),
    totals=(),
    subtotals=(),
    mixed=False,
    groups=None,
    columns_only_before=(),
    columns_only_after=(),
    retyped=(),
)


def test_a_table_without_differences_is_the_same() -> None:
    assert SAME.same


@pytest.mark.parametrize(
    "found",
    [replace(SAME, changed=1), replace(SAME, only_before=1), replace(SAME, only_after=1)],
    ids=["changed", "only before", "only after"],
)
def test_one_row_that_differs_is_enough(found: TableDifference) -> None:
    assert not found.same


def test_a_column_of_one_side_is_a_difference() -> None:
    assert not replace(SAME, columns_only_before=("note",)).same
    assert not replace(SAME, columns_only_after=("note",)).same


def test_lines_are_the_rows_that_no_aggregate_made() -> None:
    assert (SAME.lines, SAME.has_kinds) == ((3, 3), False)
    beside = replace(SAME, subtotals=(Subtotals(40, 1, 2, ()),))
    assert (beside.lines, beside.has_kinds) == ((2, 1), True)
    alone = replace(SAME, subtotals=(Subtotals(40, 3, 3, ()),))
    assert (alone.lines, alone.has_kinds) == ((0, 0), False)
    two = replace(SAME, subtotals=(Subtotals(40, 1, 1, ()), Subtotals(50, 2, 2, ())))
    assert (two.lines, two.has_kinds) == ((0, 0), True)


@pytest.mark.parametrize("compared", [True, False])
def test_another_type_is_a_difference_only_where_values_could_not_be_compared(
    compared: bool,
) -> None:
    retyped = (RetypedColumn("amount", t.INTEGER, t.decimal(18, 2), compared=compared),)
    assert replace(SAME, retyped=retyped).same is compared


def test_keys_that_stand_twice_on_both_sides_and_sums_of_floats_are_no_difference() -> None:
    found = replace(
        SAME,
        repeated_before=Repeated(1, 2),
        repeated_after=Repeated(1, 2),
        totals=(Total("weight", 0.1, 0.1 + 1e-17, 1e-17),),
    )
    assert found.same
