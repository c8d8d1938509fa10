"""Columns of sheets: each cell has a type of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

from rowbook.expressions.values import Value
from rowbook.inference.columns.cell_columns import CellColumn, cell_choice
from rowbook.inference.columns.column_choice import ColumnChoice
from rowbook.inference.columns.type_choice import choose_types


class _Error(str):
    """As what stands for #N/A."""

    __slots__ = ()


def _choice(*values: Value) -> ColumnChoice | str:
    column = CellColumn()
    column.add(values, [f"x.xlsx S!{n}:{n}" for n in range(2, len(values) + 2)])
    (as_text,) = choose_types([column.texts], ["c"]).columns
    return cell_choice(column, as_text)


def _evidence(*values: Value) -> str:
    found = _choice(*values)
    assert isinstance(found, ColumnChoice), found
    return found.evidence


def _type(values: Sequence[Value]) -> str:
    found = _choice(*values)
    assert isinstance(found, ColumnChoice), found
    return str(found.type)


def test_cells_of_one_type_have_that_type() -> None:
    assert _type([1.0, 2.0, None]) == "integer"
    assert _type([1.5, 2.0]) == "decimal(18,2)"
    assert _type([True, False]) == "boolean"
    assert _type([date(2026, 1, 31)]) == "date"
    midnight = datetime(2026, 1, 31, tzinfo=UTC)
    assert _type([midnight]) == "date"
    assert _type([midnight.replace(hour=9)]) == "timestamp"


def test_texts_are_read_as_those_of_text_files() -> None:
    assert _type(["1.234,56", "7,50"]) == "decimal(18,2)"
    assert _type(["31.01.2026"]) == "date"
    assert _evidence("0400", "4000", None) == (
        "string: 2 of 3, 1 empty; 0400 at x.xlsx S!2:2 begins with 0, which a number would lose"
    )


def test_codes_may_be_numbers_in_some_cells() -> None:
    assert _evidence("0400", 4000.0) == "string: all 2, some as numbers"


def test_amounts_may_be_texts_in_some_cells() -> None:
    assert _evidence("12.50", 4.25) == "decimal(18,2): all 2, some as text"


def test_what_no_type_holds_is_told() -> None:
    assert _choice(1.5, "soon") == (
        "it holds values of several types, such as 'soon' at x.xlsx S!3:3"
    )
    assert _choice(1.5, _Error("#N/A")) == "it holds #N/A at x.xlsx S!3:3, which is no value"


def test_a_column_without_values_is_text() -> None:
    assert _evidence(None, None) == "string: 0 of 2, 2 empty"
