"""Types as SPEC section 2 has them: their names, what converts to what, and room for decimals."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.types import (
    BOOLEAN,
    DATE,
    FLOAT,
    INTEGER,
    NULL,
    STRING,
    TIMESTAMP,
    UNKNOWN,
    Type,
    bounded,
    can_store,
    common_type,
    decimal,
    new_column_type,
    parse_type,
)

PLAIN = [STRING, INTEGER, FLOAT, BOOLEAN, DATE, TIMESTAMP]
EVERY = [*PLAIN, decimal(18, 2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("string", STRING),
        ("integer", INTEGER),
        ("float", FLOAT),
        ("boolean", BOOLEAN),
        ("date", DATE),
        ("timestamp", TIMESTAMP),
        ("decimal", decimal(24, 6)),
        ("decimal(18,2)", decimal(18, 2)),
        ("decimal(18, 2)", decimal(18, 2)),
        ("decimal ( 5 , 0 )", decimal(5, 0)),
        ("decimal(1,1)", decimal(1, 1)),
        ("decimal(38,38)", decimal(38, 38)),
    ],
)
def test_a_type_is_named_in_a_definition(text: str, expected: Type) -> None:
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "text", "int", "String", "DECIMAL", "decimal()", "decimal(18)", "decimal(18,2,1)"),
        *("decimal(0,0)", "decimal(39,2)", "decimal(5,6)", "decimal(18,-2)", "decimal(99999,0)"),
        *("decimal(1.5,0)", "decimal(٣,٢)", " string", "string\n", "null", "unknown"),
    ],
)
def test_anything_else_names_no_type(text: str) -> None:
    assert parse_type(text) is None


@pytest.mark.parametrize(
    ("kind", "shown"),
    [*((kind, kind.kind.value) for kind in PLAIN), (decimal(18, 2), "decimal(18,2)")],
)
def test_a_type_is_shown_as_it_is_named(kind: Type, shown: str) -> None:
    assert str(kind) == shown
    assert parse_type(shown) == kind


@pytest.mark.parametrize(
    ("precision", "scale", "expected"),
    [
        (38, 10, decimal(38, 10)),
        (5, 5, decimal(5, 5)),
        # past 38 digits the scale gives way to the integer digits …
        (39, 10, decimal(38, 9)),
        (41, 21, decimal(38, 18)),
        (44, 20, decimal(38, 14)),
        # … but not below 6, nor below what it was
        (60, 20, decimal(38, 6)),
        (76, 6, decimal(38, 6)),
        (50, 4, decimal(38, 4)),
        (39, 0, decimal(38, 0)),
        (77, 40, decimal(38, 6)),
    ],
)
def test_past_38_digits_the_scale_is_cut_but_not_below_6(
    precision: int, scale: int, expected: Type
) -> None:
    assert bounded(precision, scale) == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (INTEGER, decimal(18, 2), decimal(22, 2)),
        (INTEGER, decimal(38, 30), decimal(38, 18)),
        (INTEGER, FLOAT, FLOAT),
        (decimal(18, 2), FLOAT, FLOAT),
        (decimal(18, 2), decimal(12, 6), decimal(22, 6)),
        (decimal(5, 5), decimal(5, 0), decimal(10, 5)),
        (decimal(38, 0), decimal(38, 20), decimal(38, 6)),
        (decimal(38, 10), decimal(38, 2), decimal(38, 6)),
        (DATE, TIMESTAMP, TIMESTAMP),
        *((kind, kind, kind) for kind in EVERY),
        *((kind, NULL, kind) for kind in EVERY),
        *((kind, UNKNOWN, kind) for kind in EVERY),
    ],
)
def test_both_convert_to_one_type(a: Type, b: Type, expected: Type) -> None:
    assert common_type(a, b) == expected
    assert common_type(b, a) == expected


UNLIKE = [
    *((STRING, other) for other in EVERY if other != STRING),
    *((BOOLEAN, other) for other in (INTEGER, decimal(18, 2), FLOAT, DATE, TIMESTAMP)),
    *((DATE, other) for other in (INTEGER, decimal(18, 2), FLOAT)),
    *((TIMESTAMP, other) for other in (INTEGER, decimal(18, 2), FLOAT)),
]


@pytest.mark.parametrize(("a", "b"), UNLIKE)
def test_nothing_else_has_a_common_type(a: Type, b: Type) -> None:
    assert common_type(a, b) is None
    assert common_type(b, a) is None


DECIMALS = [decimal(18, 2), decimal(18, 0), decimal(5, 2)]
STORES = {
    *((INTEGER, column) for column in DECIMALS),
    *((value, column) for value in DECIMALS for column in DECIMALS),
    (INTEGER, FLOAT),
    *((value, FLOAT) for value in DECIMALS),
    (decimal(18, 0), INTEGER),
    (DATE, TIMESTAMP),
}


@pytest.mark.parametrize("column", [*PLAIN, *DECIMALS], ids=str)
@pytest.mark.parametrize("value", [*PLAIN, *DECIMALS], ids=str)
def test_storing_converts_the_listed_pairs_and_nothing_else(value: Type, column: Type) -> None:
    assert can_store(value, column) == (value == column or (value, column) in STORES)


@pytest.mark.parametrize("column", EVERY, ids=str)
def test_null_and_what_is_faulty_go_into_every_column(column: Type) -> None:
    assert can_store(NULL, column)
    assert can_store(UNKNOWN, column)


@pytest.mark.parametrize(
    ("value", "from_columns", "from_literals"),
    [
        (decimal(18, 2), decimal(20, 2), decimal(24, 6)),
        (decimal(5, 2), decimal(20, 2), decimal(24, 6)),
        (decimal(24, 6), decimal(24, 6), decimal(24, 6)),
        (decimal(1, 1), decimal(19, 1), decimal(24, 6)),
        (decimal(30, 2), decimal(30, 2), decimal(34, 6)),
        (decimal(38, 10), decimal(38, 10), decimal(38, 10)),
        (decimal(8, 8), decimal(26, 8), decimal(26, 8)),
        (decimal(25, 22), decimal(38, 22), decimal(38, 22)),
        (decimal(38, 2), decimal(38, 2), decimal(38, 6)),
        *((kind, kind, kind) for kind in PLAIN),
        (NULL, NULL, NULL),
    ],
)
def test_a_new_column_has_room_for_18_integer_digits_and_6_of_scale_from_literals(
    value: Type, from_columns: Type, from_literals: Type
) -> None:
    assert new_column_type(value, literals_only=False) == from_columns
    assert new_column_type(value, literals_only=True) == from_literals


def test_an_integer_among_decimals_has_20_digits() -> None:
    assert t.as_decimal(INTEGER) == decimal(20, 0)
    assert t.as_decimal(decimal(5, 2)) == decimal(5, 2)
