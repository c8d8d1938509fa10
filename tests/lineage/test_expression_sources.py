"""What the value of an expression depends on."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Aggregate, Bound, Column, Constant, Position
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.lineage.expression_sources import sources
from rowbook.lineage.influences import Influences, read_from

TABLE = Table.of([Field(name, t.INTEGER) for name in ("a", "b", "c")])
ROWS = Scope(TABLE, "rows", requires=())
GROUPS = Scope(TABLE, "rows", keys=frozenset())


def bound(text: str, scope: Scope = ROWS) -> Bound:
    found = bind(text, scope)
    assert not found.faults
    return found.tree


def read(column: Column) -> Influences:
    return read_from("main", column.name)


def texts(found: Influences) -> list[str]:
    return sorted(f"{source.column} {kind}" for source, kind in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", []),
        ("NULL", []),
        ("a", ["a identity"]),
        ("a + b", ["a transformation", "b transformation"]),
        ("a IN (1, b)", ["a transformation", "b transformation"]),
        ("IF(c > 0, a, 1)", ["a identity", "c conditional"]),
        ("IF(c > 0, c, NULL)", ["c conditional", "c identity"]),
        ("IF(c > 0, a + 1, a)", ["a identity", "a transformation", "c conditional"]),
        ("IF(a > 0, b, 0) + 1", ["a conditional", "b transformation"]),
    ],
)
def test_columns_are_named_in_the_way_they_count(text: str, expected: list[str]) -> None:
    assert texts(sources(bound(text), read)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SUM(a)", ["a aggregation"]),
        ("SUM(a + 1) / COUNT(*)", ["a aggregation"]),
        ("SUM(IF(c > 0, a, 0))", ["a aggregation", "c conditional"]),
        ("MAX_BY(a, b)", ["a aggregation", "b sort"]),
        ("COUNT(*)", []),
    ],
)
def test_aggregates_are_made_of_what_they_see(text: str, expected: list[str]) -> None:
    assert texts(sources(bound(text, GROUPS), read)) == expected


def test_what_is_required_is_the_value_itself() -> None:
    assert texts(sources(bound("REQUIRE(a)"), read)) == ["a identity"]
    assert texts(sources(bound("REQUIRE(a) + 1"), read)) == ["a transformation"]


def test_aggregates_may_see_other_rows_than_the_row_itself() -> None:
    def of_group(node: Aggregate | Position) -> Influences:
        assert isinstance(node, Aggregate)
        return read_from("others", node.function)

    found = sources(bound("SUM(a) + 1", GROUPS), read, of_group)
    assert [f"{source} {kind}" for source, kind in found] == ["others.SUM transformation"]


def test_a_place_in_an_order_is_made_of_what_it_looks_at() -> None:
    lag = Position("LAG", Column(None, "a", t.INTEGER, True), 1, t.INTEGER)
    assert texts(sources(lag, read)) == ["a transformation"]
    assert sources(Position("RANK", None, 0, t.INTEGER), read) == {}


def test_a_part_that_is_used_often_is_looked_at_once() -> None:
    asked: list[str] = []

    def noted(column: Column) -> Influences:
        asked.append(column.name)
        return read(column)

    tree: Bound = Column(None, "a", t.INTEGER, True)
    for _ in range(40):
        tree = Aggregate("MAX_BY", tree, t.INTEGER, True, by=tree)
    assert texts(sources(tree, noted)) == ["a aggregation", "a sort"]
    assert asked == ["a"]
    assert sources(Constant(None, t.INTEGER), noted) == {}
