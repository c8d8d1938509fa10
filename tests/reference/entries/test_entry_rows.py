"""Rows made from rows, without Spark."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.expressions.values import Value
from tests.reference.small_projects import Computed, entry

WORKING = "type: append, arguments: {source: working%s}"
REVERSED = WORKING % ', assignments: [{column: amount, expression: "-amount"}]'
BUDGET: list[dict[str, Value]] = [
    {"id": "x", "account": 1, "amount": Decimal("1.00")},
    {"id": "y", "account": 1, "amount": Decimal("2.00")},
    {"id": "z", "account": 3, "amount": Decimal("4.00")},
]
ROWS = [entry("a", 1, "9.00"), entry("b", 2, "8.00")]


def matching(more: str, *, source: str = "working", table: str = "e") -> str:
    return (
        f"type: append, arguments: {{source: {source}, joins: [{{alias: m, dataset_id: budget,"
        f' on: "{table}.account = m.account"{more}}}],'
        ' assignments: [{column: id, expression: "CONCAT(id, m.id)"}]}'
    )


def test_a_deleted_row_is_no_origin(computed: Computed) -> None:
    delete = "type: delete, selector: \"id = 'a'\""
    found = computed.all(ROWS, delete, REVERSED)
    assert [row["amount"] for row in found.rows] == [
        Decimal("9.00"),
        Decimal("8.00"),
        Decimal("-8.00"),
    ]
    assert found.counts[2] == (1, 1)


def test_an_added_row_may_be_an_origin(computed: Computed) -> None:
    found = computed.all(ROWS[:1], REVERSED, REVERSED)
    assert [row["amount"] for row in found.rows] == list(
        map(Decimal, ("9.00", "-9.00", "-9.00", "9.00"))
    )
    assert found.counts == {1: (1, 1), 2: (2, 2)}
    assert len({row["_row_id"] for row in found.rows}) == 4


def test_where_a_row_came_from_is_handed_on(computed: Computed) -> None:
    plain = "type: append, arguments: {source: {dataset_id: budget}}"
    shown = ("_source_table", "_operation_seq", "_period", "_labels")
    rows = computed.rows(ROWS[:1], plain, REVERSED, budget=BUDGET[:1], show=shown)
    assert rows == [
        ("e", None, "2026-01", ""),
        ("b", 1, "2026-01", ""),
        ("e", 2, "2026-01", ""),
        ("b", 2, "2026-01", ""),
    ]


@pytest.mark.parametrize(
    ("more", "ids", "count"),
    [
        (", many: true, unmatched: drop", ["ax", "ay"], (2, 2)),
        (", many: true, unmatched: keep", ["ax", "ay", None], (2, 3)),
    ],
)
def test_each_match_makes_a_row(
    computed: Computed, more: str, ids: list[str | None], count: tuple[int, int]
) -> None:
    found = computed.all(ROWS, matching(more), budget=BUDGET)
    assert [row["id"] for row in found.rows[2:]] == ids
    assert found.counts == {1: count}


def test_a_second_match_is_an_error_without_many(computed: Computed) -> None:
    assert computed.errors(ROWS, matching(""), budget=BUDGET) == [
        "JOIN_005  operation 1 'op 1': join 'm' to dataset 'budget': key 1 matches 2 rows"
    ]


@pytest.mark.parametrize("more", [", many: true", ", unmatched: error"])
def test_rows_without_a_match_are_told_by_their_keys(computed: Computed, more: str) -> None:
    rows = [*ROWS, entry("c", 2, "1.00"), entry("d", None, "1.00")]
    assert computed.errors(rows, matching(more), budget=BUDGET[1:]) == [
        "JOIN_007  operation 1 'op 1': join 'm' to dataset 'budget': 3 rows without a match: key 2"
        " (2 rows), key NULL (1 row)"
    ]


def test_of_many_keys_without_a_match_five_are_named(computed: Computed) -> None:
    rows = [entry(f"e{i}", i) for i in range(10, 18)]
    (found,) = computed.errors(rows, matching(", unmatched: error"))
    assert found.endswith(
        "8 rows without a match: key 10 (1 row), key 11 (1 row), key 12 (1 row), key 13 (1 row),"
        " key 14 (1 row) and 3 more keys"
    )


def test_rows_that_the_selector_does_not_pick_need_no_match(computed: Computed) -> None:
    picked = matching(", many: true").replace(
        "source: working", 'source: working, source_selector: "account = 1"'
    )
    found = computed.all(ROWS, picked, budget=BUDGET)
    assert [row["id"] for row in found.rows[2:]] == ["ax", "ay"]


def test_a_dataset_may_be_joined_with_another(computed: Computed) -> None:
    names: list[dict[str, Value]] = [{"account": 1, "name": "one"}, {"account": 1, "name": "eins"}]
    operation = (
        "type: append, arguments: {source: {dataset_id: budget}, joins: [{alias: m,"
        ' dataset_id: names, on: "b.account = m.account", many: true, unmatched: drop}],'
        ' assignments: [{column: id, expression: "m.name"}]}'
    )
    found = computed.all([], operation, names=names, budget=BUDGET)
    assert [(row["id"], row["amount"]) for row in found.rows] == [
        ("one", Decimal("1.00")),
        ("eins", Decimal("1.00")),
        ("one", Decimal("2.00")),
        ("eins", Decimal("2.00")),
    ]
    assert found.counts == {1: (3, 4)}


def test_a_row_has_the_id_of_a_plain_append_where_it_has_one_match(computed: Computed) -> None:
    """So that joining one more column does not change what is recorded of rows."""
    plain = "type: append, arguments: {source: {dataset_id: budget}}"
    joined = (
        matching("", source="{dataset_id: budget}", table="b")
        .replace("dataset_id: budget, on", "dataset_id: names, on")
        .replace("CONCAT(id, m.id)", "CONCAT(id, m.name)")
    )
    ids = [computed.rows([], each, budget=BUDGET, show=("_row_id",)) for each in (plain, joined)]
    assert ids[0] == ids[1]


def test_ids_do_not_depend_on_the_order_of_matches(computed: Computed) -> None:
    many = matching(", many: true, unmatched: drop")
    ids = [
        sorted(map(str, computed.rows(ROWS, many, budget=rows, show=("id", "_row_id"))))
        for rows in (BUDGET, BUDGET[::-1])
    ]
    assert ids[0] == ids[1]


def test_equal_matches_make_rows_of_their_own(computed: Computed) -> None:
    many = matching(", many: true, unmatched: drop")
    ids = computed.rows(ROWS, many, budget=[BUDGET[0], BUDGET[0]], show=("_row_id",))
    assert len(set(ids)) == 4


def test_an_aggregation_counts_the_rows_taken_once(computed: Computed) -> None:
    summed = (
        "type: append, arguments: {source: working, joins: [{alias: m, dataset_id: budget,"
        ' on: "e.account = m.account", many: true, unmatched: drop}], aggregation: {group_by: [id],'
        ' aggregations: [{column: amount, expression: "SUM(m.amount)"}]}}'
    )
    found = computed.all(ROWS, summed, budget=BUDGET)
    assert [(row["id"], row["amount"]) for row in found.rows[2:]] == [("a", Decimal("3.00"))]
    assert found.counts == {1: (2, 1)}
