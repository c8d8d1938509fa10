"""Columns of rows of one birth: what they depend on, and what is known of them."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.bound import Column, Constant
from rowbook.lineage.influences import at_operation, merged, read_from, used_as
from rowbook.lineage.row_classes import BirthClass, Cell, RowClass, assigned, combined

ONE, TWO = Constant(1, t.INTEGER), Constant(2, t.INTEGER)
A, B, C = (read_from("main", name) for name in "abc")
INPUT = BirthClass("input")
LIVING = RowClass(INPUT, {"a": Cell(A)})
PERHAPS_DELETED = RowClass(
    INPUT, {"a": Cell(A)}, deletes=read_from("main", "c", "filter"), may_be_deleted=True
)


@pytest.mark.parametrize(
    ("birth", "label"),
    [
        (INPUT, "input rows"),
        (BirthClass("append", 20), "rows of 20"),
        (BirthClass("entries", 30), "entries of 30"),
        (BirthClass("summary", 40), "totals of 40"),
        (BirthClass("summary", 40, "group"), "totals of 40 (group)"),
        (BirthClass("quarantine"), "quarantined rows"),
    ],
)
def test_births_are_called_by_what_made_the_rows(birth: BirthClass, label: str) -> None:
    assert birth.label == label


def test_a_value_for_all_rows_hides_the_one_before() -> None:
    after = assigned(Cell(A, ONE, operations=frozenset({1})), Cell(B, TWO), None, LIVING, 5)
    assert after == Cell(B, TWO, operations=frozenset({5}))


def test_a_value_for_some_rows_stands_beside_the_one_before() -> None:
    condition = used_as(C, "conditional")
    before = Cell(A, ONE, operations=frozenset({1}))
    after = assigned(before, Cell(B, TWO), condition, LIVING, 5)
    assert after.found == merged(A, B, at_operation(condition, 5))
    assert after.constant is None
    assert after.operations == {1, 5}


def test_the_same_value_for_some_rows_is_still_known() -> None:
    after = assigned(Cell(A, ONE), Cell(B, ONE), C, LIVING, 5)
    assert after.constant == ONE


def test_values_that_are_not_known_are_not_the_same() -> None:
    assert assigned(Cell(A), Cell(B), C, LIVING, 5).constant is None


def test_deleted_rows_keep_what_they_had() -> None:
    after = assigned(Cell(A, ONE), Cell(B, TWO), None, PERHAPS_DELETED, 5)
    assert (after.found, after.constant, after.is_lasting) == (B, TWO, False)
    assert after.if_deleted == merged(A, read_from("main", "c", "conditional"))


def test_of_rows_of_several_classes_only_what_all_have_is_known() -> None:
    one = Cell(A, ONE, operations=frozenset({1}))
    same = Cell(B, ONE, operations=frozenset({2}))
    assert combined([one, same]) == Cell(merged(A, B), ONE, operations=frozenset({1, 2}))
    assert combined([one, Cell(B, TWO)]).constant is None
    assert combined([one, Cell(B)]).constant is None
    assert combined([Cell(B), one]).constant is None
    assert combined([one]) == one


def test_visible_rows_are_those_there_are_without_the_deleted() -> None:
    rows = RowClass(INPUT, {}, rows=read_from("main", "a", "filter"), deletes=A)
    assert rows.visible == merged(read_from("main", "a", "filter"), A)


def test_operations_see_no_deleted_rows_and_deleted_rows_no_later_values() -> None:
    cells = {"a": Cell(A, ONE), "b": Cell(B, TWO, is_lasting=False)}
    rows = RowClass(INPUT, cells, may_be_deleted=True)
    a, b, deleted = (Column(None, name, t.INTEGER, True) for name in ("a", "b", "_deleted"))
    assert [rows.constant(each) for each in (a, b)] == [ONE, TWO]
    assert rows.constant(deleted) == Constant(False, t.BOOLEAN)
    assert [rows.lasting_constant(each) for each in (a, b, deleted)] == [ONE, None, None]


def test_nothing_is_known_of_columns_that_joins_find() -> None:
    rows = RowClass(INPUT, {"a": Cell(A, ONE)})
    joined = Column("names", "a", t.INTEGER, True)
    assert rows.constant(joined) is None
    assert rows.lasting_constant(joined) is None
