"""Trees evaluated in Python: literals, columns, conversions, conditions and NULL; and what holds
for the cases of all tables."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TypeAlias

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.bound import Call, Column, Convert, walk
from rowbook.expressions.evaluate import EvaluationError, Value, evaluate
from rowbook.expressions.functions import FUNCTIONS, OPERATORS
from tests.expressions.evaluating import (
    CASES,
    INF,
    LEAST,
    MOMENT,
    MOST,
    NAN,
    TYPES,
    Given,
    cases,
    check,
    dec,
    row,
    told_apart,
    tree_of,
    utc,
    value_of,
)
from tests.expressions.scalars import (
    test_casts,
    test_date_patterns,
    test_dates,
    test_number_patterns,
    test_numbers,
    test_texts,
)

OTHERS = (
    test_casts,
    test_date_patterns,
    test_dates,
    test_number_patterns,
    test_numbers,
    test_texts,
)
"""Imported for their tables."""


@cases(
    ("42", row(), 42),
    ("0.90", row(), dec("0.90")),
    ("'it''s'", row(), "it's"),
    ("TRUE", row(), True),
    ("NULL", row(), None),
    ("99999999999999999999", row(), dec("99999999999999999999")),
    ("DATE('2026-01-31')", row(), date(2026, 1, 31)),
    ("TIMESTAMP('2026-01-31T10:00:00+02:00')", row(), utc(2026, 1, 31, 8)),
    ("i", row(i=7), 7),
    ("gl.i", row(i=7), 7),
    ("i", row(), None),
    ("d", row(d=dec("5")), dec("5.00")),
    ("rates.rate", row() | {("rates", "rate"): dec("1.1")}, dec("1.10000000")),
    ("rates.s", row(s="main") | {("rates", "s"): "other"}, "other"),
)
def test_literals_and_columns(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@pytest.mark.parametrize(
    ("name", "to", "given", "value"),
    [
        ("d", t.decimal(5, 0), dec("2.50"), dec("3")),
        ("d", t.decimal(5, 0), dec("-2.50"), dec("-3")),
        ("d", t.decimal(5, 0), dec("2.49"), dec("2")),
        ("d", t.decimal(5, 0), dec("-0.49"), dec("0")),
        ("d", t.decimal(5, 4), dec("2.5"), dec("2.5000")),
        ("d", t.decimal(2, 2), dec("0.99"), dec("0.99")),
        ("i", t.decimal(20, 0), -7, dec("-7")),
        ("n", t.INTEGER, dec(MOST), MOST),
        ("n", t.INTEGER, dec(LEAST), LEAST),
        ("i", t.FLOAT, 2**53 + 1, float(2**53)),
        ("d", t.FLOAT, dec("0.10"), 0.1),
        ("n", t.FLOAT, dec(10**37), 1e37),
        ("day", t.TIMESTAMP, date(2026, 1, 31), utc(2026, 1, 31)),
        ("day", t.TIMESTAMP, None, None),
    ],
)
def test_conversions_round_half_up(name: str, to: t.Type, given: Value, value: Value) -> None:
    tree = Convert(Column(None, name, TYPES[name], True), to)
    assert told_apart(evaluate(tree, row(**{name: given}), MOMENT)) == told_apart(value)


@pytest.mark.parametrize(
    ("name", "to", "given"),
    [
        ("d", t.decimal(3, 0), dec("1000")),
        ("d", t.decimal(3, 0), dec("999.50")),
        ("d", t.decimal(2, 2), dec("1")),
        ("i", t.decimal(3, 0), -1000),
        ("n", t.INTEGER, dec(MOST + 1)),
        ("n", t.INTEGER, dec(LEAST - 1)),
    ],
)
def test_a_conversion_without_room_is_an_overflow(name: str, to: t.Type, given: Value) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate(Convert(Column(None, name, TYPES[name], True), to), row(**{name: given}), MOMENT)
    assert caught.value.code == "RUN_001"


T, F, N = True, False, None
Truths: TypeAlias = list[tuple[bool | None, bool | None, bool | None]]

_AND: Truths = [(T, T, T), (T, F, F), (F, T, F), (F, F, F)]
_AND += [(T, N, N), (N, T, N), (F, N, F), (N, F, F), (N, N, N)]
_OR: Truths = [(T, T, T), (T, F, T), (F, T, T), (F, F, F)]
_OR += [(T, N, T), (N, T, T), (F, N, N), (N, F, N), (N, N, N)]


@cases(
    *(("b AND c", row(b=left, c=right), value) for left, right, value in _AND),
    *(("b OR c", row(b=left, c=right), value) for left, right, value in _OR),
    ("AND(b, c, TRUE)", row(b=N, c=T), None),
    ("OR(b, c, TRUE)", row(b=N, c=F), True),
    ("NOT b", row(b=True), False),
    ("NOT b", row(b=False), True),
    ("NOT b", row(), None),
    ("i IS NULL", row(), True),
    ("i IS NOT NULL", row(), False),
    ("ISNULL(i)", row(i=0), False),
    ("IS_NULL(NULL)", row(), True),
    ("ISNULL(f / 0)", row(f=1.0), True),
)
def test_three_valued_logic(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("IF(b, 1, 2)", row(b=True), 1),
    ("IF(b, 1, 2)", row(b=False), 2),
    ("IF(b, 1, 2)", row(), 2),
    ("IF(b, 1, 2.5)", row(b=True), dec("1.0")),
    ("IF(b, i, 2)", row(b=True), None),
    ("IF(NULL, 'x', 'y')", row(), "y"),
    ("CASE WHEN i > 1 THEN 'many' WHEN i = 1 THEN 'one' ELSE 'none' END", row(i=1), "one"),
    ("CASE WHEN i > 1 THEN 'many' WHEN i = 1 THEN 'one' ELSE 'none' END", row(), "none"),
    ("CASE WHEN i > 1 THEN 'many' WHEN i > 0 THEN 'one' END", row(i=2), "many"),
    ("CASE WHEN i > 1 THEN 'many' END", row(i=0), None),
    ("CASE WHEN b THEN day ELSE at END", row(b=True, day=date(2026, 1, 2)), utc(2026, 1, 2)),
    ("COALESCE(i, j, 3)", row(j=2), 2),
    ("COALESCE(i, j, 3)", row(), 3),
    ("COALESCE(i, j)", row(), None),
    ("COALESCE(i, 2.5)", row(i=1), dec("1.0")),
    ("COALESCE(s, 'x')", row(s=""), ""),
    ("NULLIF(i, 0)", row(i=0), None),
    ("NULLIF(i, 0)", row(i=5), 5),
    ("NULLIF(i, j)", row(i=5), 5),
    ("NULLIF(i, j)", row(j=5), None),
    ("NULLIF(i, j)", row(), None),
    ("NULLIF(d, 0)", row(d=dec("0.00")), None),
    ("NULLIF(f, g)", row(f=NAN, g=NAN), None),
)
def test_choices(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("i IN (1, 2)", row(i=2), True),
    ("i IN (1, 2)", row(i=3), False),
    ("i IN (1, 2)", row(), None),
    ("i IN (1, NULL)", row(i=1), True),
    ("i IN (1, NULL)", row(i=3), None),
    ("i NOT IN (1, 2)", row(i=3), True),
    ("i NOT IN (1, NULL)", row(i=1), False),
    ("i NOT IN (1, NULL)", row(i=3), None),
    ("i IN (j, 2.0)", row(i=2), True),
    ("s IN ('a', 'B')", row(s="b"), False),
    ("f IN (g)", row(f=NAN, g=NAN), True),
    ("i BETWEEN 1 AND 3", row(i=1), True),
    ("i BETWEEN 1 AND 3", row(i=3), True),
    ("i BETWEEN 1 AND 3", row(i=4), False),
    ("i BETWEEN 3 AND 1", row(i=2), False),
    ("i BETWEEN 1 AND j", row(i=0), False),
    ("i BETWEEN 1 AND j", row(i=2), None),
    ("i NOT BETWEEN 1 AND j", row(i=0), True),
)
def test_in_and_between(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("i = j", row(i=1, j=1), True),
    ("i <> j", row(i=1, j=1), False),
    ("i != 2", row(i=1), True),
    ("i < j", row(i=-1, j=1), True),
    ("i <= j", row(i=1, j=1), True),
    ("i > j", row(i=1, j=1), False),
    ("i >= j", row(i=1, j=1), True),
    ("i = NULL", row(i=1), None),
    ("NULL = NULL", row(), None),
    ("i < j", row(i=1), None),
    ("i = 1.0", row(i=1), True),
    ("d = 0.1", row(d=dec("0.10")), True),
    ("f = 0.1", row(f=0.1), True),
    ("w > 0.0000000001", row(w=dec("0.0000000002")), True),
    ("s = 'a '", row(s="a"), False),
    ("s < 'a'", row(s="Z"), True),
    ("s < u", row(s="ｚ", u="😀"), True),
    ("b < c", row(b=False, c=True), True),
    ("day < at", row(day=date(2026, 1, 31), at=utc(2026, 1, 31, 0, 0, 1)), True),
    ("day = at", row(day=date(2026, 1, 31), at=utc(2026, 1, 31)), True),
    ("f = g", row(f=NAN, g=NAN), True),
    ("f > g", row(f=NAN, g=INF), True),
    ("f < g", row(f=NAN, g=NAN), False),
    ("f <= g", row(f=NAN, g=NAN), True),
    ("f <> 1", row(f=NAN), True),
    ("f = g", row(f=0.0, g=-0.0), True),
)
def test_comparisons(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


BOUND_OTHERWISE = {"IF", "MOD", "LEVEL", "REQUIRE"}
"""IF is bound as CASE, MOD as `%`; REQUIRE is of updates alone."""


def called(texts: Iterable[str]) -> set[str]:
    return {p.function for text in texts for p in walk(tree_of(text)) if isinstance(p, Call)}


def test_every_operator_and_scalar_function_has_a_case() -> None:
    scalars = {n for n, f in FUNCTIONS.items() if not (f.is_aggregate or f.is_position)}
    assert called(text for text, _, _ in CASES) == (scalars - BOUND_OTHERWISE) | OPERATORS


def test_every_function_that_propagates_null_has_a_case_for_it() -> None:
    assert {
        name
        for name, f in FUNCTIONS.items()
        if f.parameters
        and not (f.is_aggregate or f.is_position)
        and name not in ("ISNULL", *BOUND_OTHERWISE)
    } <= called(text for text, _, value in CASES if value is None)


def test_a_tree_as_deep_as_the_language_allows_is_evaluated() -> None:
    assert value_of("NOT " * 190 + "b", row(b=True)) is True
    assert value_of(" + ".join(["d"] * 150), row(d=dec("0.01"))) == dec("1.50")


def test_between_in_between_is_evaluated_level_by_level() -> None:
    text = "b"
    for _ in range(10):
        text = f"({text} NOT BETWEEN FALSE AND FALSE)"
    assert value_of(text, row(b=True)) is True
