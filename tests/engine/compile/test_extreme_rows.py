"""MIN_BY and MAX_BY on Spark: every type of order, ties, NULLs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from math import inf, nan
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.local_frames import frame_of
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.scope import Field, Scope, Table
from tests.support.small_plans import CONTEXT

ORDERS: dict[t.Type, tuple[Any, ...]] = {
    t.BOOLEAN: (False, True),
    t.INTEGER: (-(2**63), -1, 0, 2**63 - 1),
    t.decimal(38, 2): (Decimal("-1.50"), Decimal("0.00"), Decimal("9e35")),
    t.FLOAT: (-inf, -1.5, 0.0, 2.0, inf, nan),
    t.DATE: (date(1, 1, 1), date(2026, 1, 31), date(9999, 12, 31)),
    t.TIMESTAMP: (datetime(1960, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, 1, tzinfo=UTC)),
    t.STRING: ("", "A", "a", "aa", "ab", "b", "ß", "日", "👍"),
}
"""Ascending."""


@pytest.mark.spark
def test_orders_of_every_type_are_followed(spark: SparkSession) -> None:
    fields = [Field(f"o{i}", kind) for i, kind in enumerate(ORDERS)]
    number, word = Field("n", t.INTEGER), Field("w", t.STRING)
    longest = max(map(len, ORDERS.values()))
    rows: list[dict[str, Any]] = [
        {"n": i, "w": word_, **{f.name: _at(ORDERS[f.type], i) for f in fields}}
        for i in range(longest)
        for word_ in ("z", None, "m")
    ]
    rows.append({"n": 99, "w": "a", **{f.name: None for f in fields}})
    texts = [
        f"{function}({value}, {f.name})"
        for f in fields
        for function in ("MIN_BY", "MAX_BY")
        for value in ("n", "w")
    ]
    scope = replace(Scope(Table.of([number, word, *fields]), "t"), keys=frozenset())
    trees = [bind(text, scope).tree for text in texts]
    made = [Field(f"x{i}", tree.type) for i, tree in enumerate(trees)]
    frame = frame_of(spark, rows, [number, word, *fields]).repartition(3)
    columns = [Compiler(CONTEXT).compile(tree).alias(f"x{i}") for i, tree in enumerate(trees)]
    (row,) = collect(frame.agg(*columns), made)
    found = dict(zip(texts, (row[each.name] for each in made), strict=True))
    expected: dict[str, Any] = {}
    for f in fields:
        last = len(ORDERS[f.type]) - 1
        expected |= {f"MIN_BY(n, {f.name})": 0, f"MIN_BY(w, {f.name})": "m"}
        expected |= {f"MAX_BY(n, {f.name})": last, f"MAX_BY(w, {f.name})": "m"}
    assert found == expected


def _at(values: tuple[Any, ...], i: int) -> Any:
    return values[i] if i < len(values) else None
