"""Unbound trees: what was written, in the order it was written, and where."""

from __future__ import annotations

import pytest

from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.parser import parse


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1", []),
        ("gl.a", ["gl.a"]),
        ("-a + b * c", ["a", "b", "c"]),
        ("NOT a OR b OR c", ["a", "b", "c"]),
        ("a IS NULL", ["a"]),
        ("a IN (b, 1, c)", ["a", "b", "c"]),
        ("a NOT BETWEEN b AND c", ["a", "b", "c"]),
        ("a LIKE b", ["a", "b"]),
        ("CASE WHEN a THEN b WHEN c THEN d ELSE e END", ["a", "b", "c", "d", "e"]),
        ("CASE WHEN a THEN b END", ["a", "b"]),
        ("IF(a, b, c)", ["a", "b", "c"]),
    ],
)
def test_a_tree_is_walked_in_the_order_it_is_written(text: str, names: list[str]) -> None:
    assert [node.text for node in n.walk(parse(text)) if isinstance(node, n.Name)] == names


def test_a_chain_is_one_node_however_long() -> None:
    assert len(n.children(parse(" AND ".join(["a"] * 500)))) == 500


def test_where_it_stands_makes_no_difference() -> None:
    assert parse("a+b") == parse("  a  +  b")
    assert parse("a+b") != parse("b+a")


def test_a_selector_has_nothing_below_it() -> None:
    assert n.children(n.Selector("active")) == ()


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("-a + b", "-z + z"),
        ("NOT a OR b AND c", "NOT z OR z AND z"),
        ("a IS NOT NULL", "z IS NOT NULL"),
        ("a IN (b, 1)", "z IN (z, 1)"),
        ("a BETWEEN b AND c", "z BETWEEN z AND z"),
        ("a LIKE b", "z LIKE z"),
        ("CASE WHEN a THEN b ELSE c END", "CASE WHEN z THEN z ELSE z END"),
        ("CASE WHEN a THEN b END", "CASE WHEN z THEN z END"),
        ("SUM(IF(a > b, c, {{d}}))", "SUM(IF(z > z, z, {{d}}))"),
    ],
)
def test_every_part_of_a_tree_can_be_changed(text: str, changed: str) -> None:
    def renamed(node: n.Node) -> n.Node:
        if isinstance(node, n.Name):
            return n.Name(None, "z")
        return n.with_children(node, renamed)

    assert renamed(parse(text)) == parse(changed)
