"""The columns of the working dataset: business columns first, then the system's."""

from __future__ import annotations

from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD, Columns, is_system

AMOUNT, CODE = Field("amount", t.decimal(18, 2)), Field("Code", t.STRING)
LABELS = Field("_labels", t.STRING, nullable=False)
COLUMNS = Columns.of([LABELS, AMOUNT, PERIOD, CODE])


def test_business_columns_come_first_in_their_order() -> None:
    assert list(COLUMNS.fields) == ["amount", "Code", "_labels", "_period"]
    assert COLUMNS.business == (AMOUNT, CODE)


def test_a_name_clashes_with_one_that_differs_by_case_alone() -> None:
    assert (COLUMNS.clash("AMOUNT"), COLUMNS.clash("code")) == ("amount", "Code")
    assert (COLUMNS.clash("amount"), COLUMNS.clash("other")) == (None, None)


def test_a_new_column_stands_before_the_systems_and_counts_as_made() -> None:
    more = COLUMNS.with_fields([Field("net", t.FLOAT)])
    assert list(more.fields) == ["amount", "Code", "net", "_labels", "_period"]
    assert more.made == {"net"}
    assert more.clash("NET") == "net"


def test_a_column_that_changes_keeps_its_place_and_is_not_made() -> None:
    changed = COLUMNS.with_fields([Field("amount", t.FLOAT)])
    assert list(changed.fields) == list(COLUMNS.fields)
    assert (changed.fields["amount"].type, changed.made) == (t.FLOAT, frozenset())


def test_nothing_new_is_the_same_value() -> None:
    assert COLUMNS.with_fields([AMOUNT]) is COLUMNS


def test_after_an_unreadable_operation_unknown_columns_are_no_errors() -> None:
    assert (COLUMNS.table.complete, COLUMNS.uncertain().table.complete) == (True, False)


def test_what_begins_with_an_underscore_is_the_systems() -> None:
    assert [is_system(name) for name in ("_period", "period", "p_", "")] == [
        *(True, False, False, False),
    ]
