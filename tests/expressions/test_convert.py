"""Implicit conversions: what becomes what, and where there is no common type."""

from __future__ import annotations

from decimal import Decimal

from rowbook.expressions import bound as b
from rowbook.expressions import types as t
from rowbook.expressions.convert import (
    as_condition,
    common,
    convert,
    decimal_of,
    to_common,
    unknown,
)
from tests.expressions.samples import bound

LINES, AMOUNT, CODE = (bound(name).tree for name in ("lines", "amount", "code"))
ONE = b.Constant(1, t.INTEGER)
NULL = b.Constant(None, t.NULL)


def test_what_has_the_type_already_is_left_alone() -> None:
    assert convert(LINES, t.INTEGER) is LINES


def test_literals_are_converted_at_once() -> None:
    assert convert(ONE, t.decimal(5, 2)) == b.Constant(Decimal(1), t.decimal(5, 2))
    assert convert(NULL, t.STRING) == b.Constant(None, t.STRING)


def test_columns_are_converted_row_by_row() -> None:
    assert convert(LINES, t.FLOAT) == b.Convert(LINES, t.FLOAT)


def test_a_null_is_a_condition_and_a_number_is_none() -> None:
    assert as_condition(NULL) == b.Constant(None, t.BOOLEAN)
    assert as_condition(LINES) is LINES


def test_a_literal_integer_is_only_as_wide_as_it_is() -> None:
    assert decimal_of(b.Constant(-250, t.INTEGER)) == t.decimal(3, 0)
    assert decimal_of(bound("-250").tree) == t.decimal(3, 0)
    assert decimal_of(LINES) == t.decimal(20, 0)


def test_a_common_type_holds_all() -> None:
    assert common([LINES, ONE]) == t.INTEGER
    assert common([AMOUNT, ONE]) == t.decimal(18, 2)
    assert common([AMOUNT, LINES]) == t.decimal(22, 2)
    assert common([AMOUNT, CODE]) is None


def test_all_become_the_common_type() -> None:
    assert to_common([AMOUNT, ONE]) == (AMOUNT, b.Constant(Decimal(1), t.decimal(18, 2)))
    assert to_common([AMOUNT, CODE]) is None


def test_one_faulty_part_leaves_all_unknown() -> None:
    assert to_common([AMOUNT, unknown()]) == (unknown(), unknown())
