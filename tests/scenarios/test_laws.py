"""Laws of the comparison, whatever the rows are."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from rowbook.expressions import types as t
from rowbook.expressions.values import Value
from rowbook.reference.outputs import WrittenTable
from rowbook.scenarios.mismatch import Mismatch
from rowbook.text.cell_text import as_json
from tests.scenarios.samples import only, rows_compared, table

TYPES = {"id": t.STRING, "line": t.INTEGER, "day": t.DATE, "amount": t.decimal(18, 2)}
CELLS: dict[str, st.SearchStrategy[Value]] = {
    "id": st.none() | st.text("ab é'\"\\\n{}帳,", max_size=3),
    "line": st.none() | st.integers(-3, 3),
    "day": st.none() | st.dates(date(2026, 1, 1), date(2026, 1, 4)),
    "amount": st.none() | st.decimals(-2, 2, places=2),
}
rows = st.tuples(*CELLS.values())
tables = st.lists(rows, max_size=6)


def compare(expected: list[tuple[Value, ...]], actual: list[tuple[Value, ...]]) -> list[Mismatch]:
    """With the expected rows written as YAML, in which JSON is contained."""
    texts = [dict(zip(TYPES, map(as_json, row), strict=True)) for row in expected]
    return rows_compared(json.dumps(texts), _table(actual))


def _table(rows: list[tuple[Value, ...]]) -> WrittenTable:
    return table(TYPES, *rows)


@given(tables, st.data())
def test_rows_equal_their_shuffle(expected: list[tuple[Value, ...]], data: st.DataObject) -> None:
    assert compare(expected, data.draw(st.permutations(expected))) == []


@given(tables, rows, st.data())
def test_a_row_more_or_less_is_always_found(
    some: list[tuple[Value, ...]], row: tuple[Value, ...], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(some)))
    more = [*some[:place], row, *some[place:]]
    count = f"{len(some)} row{'' if len(some) == 1 else 's'}"
    if some:
        assert (
            only(compare(some, more)).message == f"expected {count}, got {len(more)}: 1 unexpected"
        )
    found = only(compare(more, some)).rows
    assert found is not None
    assert [missing.cells for missing in found.missing] == [row]


@given(tables, rows, st.sampled_from(tuple(TYPES)), st.data())
def test_a_changed_cell_is_always_found_and_named(
    others: list[tuple[Value, ...]], row: tuple[Value, ...], column: str, data: st.DataObject
) -> None:
    place = list(TYPES).index(column)
    other = data.draw(CELLS[column].filter(lambda value: value != row[place]))
    changed = (*row[:place], other, *row[place + 1 :])
    found = only(compare([*others, row], [changed, *others])).rows
    assert found is not None
    assert [(cell.column, cell.expected, cell.got) for cell in found.pairs[0].cells] == [
        (column, row[place], other)
    ]


@given(st.decimals(-1000, 1000, places=2), st.integers(0, 4))
def test_decimals_are_equal_across_scales(value: Decimal, zeros: int) -> None:
    text = f"{value:f}" + "0" * zeros
    actual = table({"amount": t.decimal(24, 6)}, (value.quantize(Decimal("1.000000")),))
    assert rows_compared(f"[{{amount: {text}}}]", actual) == []
