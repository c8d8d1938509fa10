"""Values of two tables in one type: which are equal, and which differ by more than they may."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compare.aligned import Side
from rowbook.engine.compare.common_types import common, is_number
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import CellChange, ChangedRow, Criteria
from rowbook.expressions import types as t
from rowbook.expressions.types import parse_type
from tests.engine.compare.tables import compared, counts, row, side

COMMON: list[tuple[str, str, str | None]] = [
    ("integer", "integer", "integer"),
    ("integer", "decimal(18,2)", "decimal(21,2)"),
    ("decimal(18,2)", "decimal(10,4)", "decimal(20,4)"),
    ("decimal(38,0)", "decimal(38,18)", "string"),
    ("integer", "decimal(38,18)", "decimal(38,18)"),
    ("integer", "decimal(38,20)", "string"),
    ("integer", "float", "float"),
    ("decimal(18,2)", "float", "float"),
    ("date", "timestamp", "timestamp"),
    ("string", "integer", None),
    ("boolean", "integer", None),
    ("date", "string", None),
]
"""Two types, and the one in which their values are compared."""


@pytest.mark.parametrize(("one", "other", "shared"), COMMON)
def test_two_types_have_one_in_common_whichever_comes_first(
    one: str, other: str, shared: str | None
) -> None:
    kinds = parse_type(one), parse_type(other)
    assert kinds[0] is not None
    assert kinds[1] is not None
    wanted = None if shared is None else parse_type(shared)
    assert common(kinds[0], kinds[1]) == wanted
    assert common(kinds[1], kinds[0]) == wanted


def test_numbers_can_be_added_up_and_nothing_else() -> None:
    assert all(map(is_number, (t.INTEGER, t.FLOAT, t.decimal(18, 2))))
    assert not any(map(is_number, (t.STRING, t.BOOLEAN, t.DATE, t.TIMESTAMP)))


EQUAL: list[tuple[tuple[str, str], Any, Any]] = [
    (("integer", "integer"), None, None),
    (("decimal(18,2)", "decimal(18,4)"), Decimal("10.50"), Decimal("10.5000")),
    (("integer", "decimal(18,2)"), 7, Decimal("7.00")),
    (("decimal(38,0)", "decimal(38,18)"), Decimal(12), Decimal("12.000000000000000000")),
    (("decimal(38,18)", "integer"), Decimal("0E-18"), 0),
    (("float", "float"), 0.0, -0.0),
    (("float", "float"), math.nan, math.nan),
    (("integer", "float"), 3, 3.0),
    (("date", "timestamp"), date(2026, 1, 31), datetime(2026, 1, 31, tzinfo=UTC)),
    (("string", "string"), "", ""),
]
"""Types and values of two cells."""


@pytest.mark.spark
def test_equal_values_are_equal_whatever_their_types(spark: SparkSession) -> None:
    def of(kinds: Sequence[str], values: Sequence[Any]) -> Side:
        columns = "; ".join(["k integer", *(f"v{n} {kind}" for n, kind in enumerate(kinds))])
        return side(spark, columns, [{"k": 1, **{f"v{n}": v for n, v in enumerate(values)}}])

    one = of([kinds[0] for kinds, _, _ in EQUAL], [before for _, before, _ in EQUAL])
    other = of([kinds[1] for kinds, _, _ in EQUAL], [after for _, _, after in EQUAL])
    found = compare_tables(one, other, Criteria(key=("k",)))
    assert len(found.columns) == len(EQUAL)
    assert found.changed_cells == {}
    assert counts(found) == (1, 0, 0, 0)
    assert found.same
    whole = compare_tables(one, other, Criteria())
    assert counts(whole) == (1, 0, 0, 0)


DIFFERENT: list[tuple[str, Any, Any]] = [
    ("integer", None, 0),
    ("string", None, ""),
    ("string", "a", "A"),
    ("string", "a", "a "),
    ("decimal(18,2)", Decimal("10.50"), Decimal("10.51")),
    ("float", 0.1 + 0.2, 0.3),
    ("boolean", False, None),
    (
        "timestamp",
        datetime(2026, 1, 31, 10, tzinfo=UTC),
        datetime(2026, 1, 31, 10, 0, 0, 1, tzinfo=UTC),
    ),
]
"""A type, and the values of two cells."""


@pytest.mark.campaign
@pytest.mark.spark
def test_a_cell_that_differs_is_shown_as_it_was_and_as_it_is(spark: SparkSession) -> None:
    names = [f"v{n}" for n in range(len(DIFFERENT))]
    columns = "; ".join(f"{n} {kind}" for n, (kind, _, _) in zip(names, DIFFERENT, strict=True))
    before = {n: was for n, (_, was, _) in zip(names, DIFFERENT, strict=True)}
    after = {n: now for n, (_, _, now) in zip(names, DIFFERENT, strict=True)}
    found = compared(spark, f"k integer; {columns}", [{"k": 1, **before}], [{"k": 1, **after}])
    assert counts(found) == (0, 1, 0, 0)
    cells = tuple(CellChange(name, before[name], after[name]) for name in names)
    assert found.changed_rows == (ChangedRow({"k": 1}, cells),)
    assert found.changed_cells == dict.fromkeys(names, 1)
    assert not found.same


@pytest.mark.spark
def test_numbers_may_differ_by_the_tolerance_and_no_more(spark: SparkSession) -> None:
    columns = "k integer; v decimal(18,2); w float"
    before = [row(n, Decimal("10.00"), 1.0) for n in range(4)] + [row(4, None, 1.0)]
    after = [
        row(0, Decimal("10.01"), 1.0),
        row(1, Decimal("9.98"), 1.0),
        row(2, Decimal("10.00"), 1.0 + 1e-9),
        row(3, Decimal("10.00"), 1.5),
        row(4, Decimal("0.00"), 1.0),
    ]
    allowed = {"v": Decimal("0.01"), "w": Decimal("0.000001")}
    found = compared(spark, columns, before, after, tolerance=allowed)
    assert [each.key["k"] for each in found.changed_rows] == [1, 3, 4]
    assert found.changed_cells == {"v": 2, "w": 1}
