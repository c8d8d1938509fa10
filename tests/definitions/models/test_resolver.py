"""Resolvers: rules in order, each with a strategy of one of three types."""

from __future__ import annotations

from typing import Any

import pytest

from rowbook.definitions.models.resolver import (
    CatalogStrategy,
    PathStrategy,
    TableStrategy,
    tag_of,
)
from tests.definitions.models.samples import model_of


def strategy_of(text: str) -> Any:
    resolver = model_of(f"resolver: {{name: r, rules: [{{name: a, strategy: {text}}}]}}")
    return resolver.rules[0].strategy


def test_the_type_says_which_strategy_it_is() -> None:
    assert strategy_of("{type: path, path: a/b.csv}") == PathStrategy(type="path", path="a/b.csv")
    assert strategy_of("{type: table, datasource_id: s, table: t}") == TableStrategy(
        type="table", datasource_id="s", table="t"
    )
    assert strategy_of("{type: catalog, table: t}") == CatalogStrategy(type="catalog", table="t")


@pytest.mark.parametrize(
    ("data", "tag"),
    [
        ({"type": "path"}, "type path"),
        (CatalogStrategy(type="catalog", table="t"), "type catalog"),
        ({}, None),
        (["path"], None),
    ],
)
def test_a_tag_never_looks_like_a_key(data: object, tag: str | None) -> None:
    assert tag_of(data) == tag


def test_a_rule_holds_always_and_for_the_period_of_the_run() -> None:
    resolver = model_of(
        "resolver: {name: r, rules: [{name: a, strategy: {type: catalog, table: t}}]}"
    )
    assert (resolver.is_default, resolver.rules[0].when, resolver.rules[0].data_level) == (
        *(False, None, None),
    )
