"""Windows on plain rows."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.reference.small_projects import Computed, entry
from tests.support.small_plans import delete

ROWS = [
    entry("a", 1, "10.00"),
    entry("b", 1, "30.00"),
    entry("c", 2, "5.00"),
    entry("d", None, "7.00"),
    entry("e", 1, None),
]


def seen(window: str, *expressions: str) -> str:
    """An update with one window `w`, its values in columns x0, x1 …"""
    columns = ", ".join(
        f'{{column: x{i}, expression: "{text}"}}' for i, text in enumerate(expressions)
    )
    return (
        f"type: update, arguments: {{windows: [{{alias: w, {window}}}], assignments: [{columns}]}}"
    )


def test_every_row_sees_the_values_of_its_group(computed: Computed) -> None:
    window = 'by: [account], values: {total: "SUM(amount)", lines: "COUNT(*)"}'
    rows = computed.rows(ROWS, seen(window, "w.total", "w.lines"), show=("id", "x0", "x1"))
    assert rows == [
        ("a", Decimal("40.00"), 3),
        ("b", Decimal("40.00"), 3),
        ("c", Decimal("5.00"), 1),
        ("d", Decimal("7.00"), 1),
        ("e", Decimal("40.00"), 3),
    ]


def test_deleted_rows_neither_count_nor_see(computed: Computed) -> None:
    window = 'values: {lines: "COUNT(*)"}'
    rows = computed.rows(ROWS, delete("id = 'b'"), seen(window, "w.lines"), show=("id", "x0"))
    assert rows == [("a", 4), ("b", None), ("c", 4), ("d", 4), ("e", 4)]


def test_keys_outside_of_aggregates_are_those_of_the_row(computed: Computed) -> None:
    window = (
        "by: [account], selector: \"id = 'a'\","
        ' values: {total: "IF(account = 1, SUM(amount), account)"}'
    )
    rows = computed.rows(ROWS, seen(window, "w.total"), show=("id", "x0"))
    expected = {"a": "10.00", "b": "10.00", "c": "2.00", "e": "10.00"}
    assert rows == [(row["id"], _number(expected.get(str(row["id"])))) for row in ROWS]


def _number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def test_running_values_grow_with_each_row(computed: Computed) -> None:
    window = (
        'order_by: [-amount], values: {running: "SUM(amount)", n: "COUNT(*)",'
        ' kinds: "COUNT_DISTINCT(account)", last: "MIN_BY(id, amount)"}'
    )
    rows = computed.rows(
        ROWS,
        seen(window, "w.running", "w.n", "w.kinds", "w.last"),
        show=("id", "x0", "x1", "x2", "x3"),
    )
    assert rows == [
        ("a", Decimal("40.00"), 2, 1, "a"),
        ("b", Decimal("30.00"), 1, 1, "b"),
        ("c", Decimal("52.00"), 4, 2, "c"),
        ("d", Decimal("47.00"), 3, 1, "d"),
        ("e", Decimal("52.00"), 5, 2, "c"),
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ROW_NUMBER()", [None, 2, 3, 1, None]),
        ("RANK()", [None, 1, 3, 1, None]),
        ("LAG(id)", [None, "d", "b", None, None]),
        ("LEAD(id)", [None, "c", None, "b", None]),
        ("LAG(id, 2)", [None, None, "d", None, None]),
        ("ROW_NUMBER() + COUNT(*)", [None, 4, 6, 2, None]),
    ],
)
def test_rows_that_do_not_count_have_no_place(
    value: str, expected: list[object], computed: Computed
) -> None:
    rows = [
        {**entry("a", 1, "3.00"), "_row_id": "1"},
        {**entry("b", 1, "3.00"), "_row_id": "3"},
        {**entry("c", 1, "4.00"), "_row_id": "4"},
        {**entry("d", 1, "3.00"), "_row_id": "2"},
        {**entry("e", 1, None), "_row_id": "5"},
    ]
    window = f"order_by: [amount], selector: \"id IN ('b', 'c', 'd')\", values: {{v: '{value}'}}"
    found = computed.rows(rows, seen(window, "w.v"), show=("x0",))
    assert [each for (each,) in found] == expected


def test_windows_see_what_lookups_found(computed: Computed) -> None:
    window = 'values: {named: "COUNT(names.name)", last: "MAX_AGG(names.name)"}'
    found = computed.rows(
        ROWS,
        seen(window, "w.named", "w.last"),
        show=("x0", "x1"),
        names=[{"account": 1, "name": "one"}],
    )
    assert found == [(3, "one")] * 5


def test_a_value_that_does_not_fit_is_an_error_where_a_row_reads_it(computed: Computed) -> None:
    window = 'by: [account], values: {much: "MAX_AGG(account * 9223372036854775807)"}'
    message = "RUN_001  operation 1 'op 1': a value of 'w.much' does not fit integer"
    assert computed.errors(ROWS, seen(window, "w.much")) == [message]
    unread = seen(window, "IF(account = 1, w.much, 0)")
    assert computed.rows(ROWS[:3], unread, show=("x0",)) == [(2**63 - 1,), (2**63 - 1,), (0,)]


def test_a_selector_that_does_not_fit_is_the_windows_own_error(computed: Computed) -> None:
    window = (
        'selector: "account * 9223372036854775807 > 1", values: {n: "COUNT(*)", m: "COUNT(id)"}'
    )
    message = "RUN_001  operation 1 'op 1': a value of 'w.n' does not fit integer"
    assert computed.errors(ROWS, seen(window, "w.n", "w.m")) == [message]
