"""`append` on plain rows."""

from __future__ import annotations

from decimal import Decimal

from rowbook.expressions.values import Value
from tests.reference.small_projects import Computed, entry

APPEND = "type: append, arguments: {source: {dataset_id: budget}%s}"
PLAIN = APPEND % ""
SUMMED = APPEND % (
    ", aggregation: {group_by: [account],"
    ' aggregations: [{column: amount, expression: "SUM(amount)"}]}'
)
BUDGET: list[dict[str, Value]] = [
    {"id": "x", "account": 1, "amount": Decimal("1.00"), "_deleted": False},
    {"id": "y", "account": 1, "amount": Decimal("2.00"), "_deleted": False},
    {"id": "z", "account": 1, "amount": Decimal("4.00"), "_deleted": True},
]
SHOWN = ("id", "amount", "_source_table", "_operation_seq", "_period")


def test_rows_come_with_system_columns_of_their_own(computed: Computed) -> None:
    rows = computed.rows([entry("a", 1, "9.00")], PLAIN, budget=BUDGET, show=SHOWN)
    assert rows == [
        ("a", Decimal("9.00"), "e", None, "2026-01"),
        ("x", Decimal("1.00"), "b", 1, "2026-01"),
        ("y", Decimal("2.00"), "b", 1, "2026-01"),
    ]


def test_its_selector_is_of_the_source(computed: Computed) -> None:
    picked = APPEND % ", source_selector: \"b.id = 'y'\""
    found = computed.all([], picked, budget=BUDGET)
    assert [row["id"] for row in found.rows] == ["y"]
    assert found.counts == {1: (1, 1)}


def test_its_rows_may_be_summarised(computed: Computed) -> None:
    found = computed.all([], SUMMED, budget=BUDGET)
    assert [(row["account"], row["amount"]) for row in found.rows] == [(1, Decimal("3.00"))]
    assert found.counts == {1: (2, 1)}


def test_equal_rows_get_different_ids(computed: Computed) -> None:
    twice = [BUDGET[0], BUDGET[0]]
    ids = computed.rows([], PLAIN, budget=twice, show=("_row_id",))
    assert len(set(ids)) == 2


def test_a_source_that_cannot_be_loaded_is_the_appends_fault(computed: Computed) -> None:
    broken: list[dict[str, Value]] = [{"id": "x", "account": "many"}]
    assert computed.errors([], PLAIN, budget=broken) == [
        "APPEND_008  operation 1 'op 1': dataset 'budget': 1 value of column 'account' does not fit"
        " integer: 'many' at a list where id = 'x', amount = NULL (DATASET_011)"
    ]
