"""Aggregates over the rows of one group, evaluated in Python."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from rowbook.expressions.bound import Aggregate, walk
from rowbook.expressions.evaluate import EvaluationError, Value, evaluate, evaluate_aggregate
from rowbook.expressions.functions import FUNCTIONS
from tests.expressions.evaluating import (
    INF,
    MOMENT,
    MOST,
    NAN,
    SCOPE,
    Given,
    check_type,
    dec,
    row,
    told_apart,
    tree_of,
    utc,
)

GROUPED = replace(SCOPE, keys=frozenset({"s", "day"}))

CASES: list[tuple[str, list[Given], Value]] = [
    ("SUM(i)", [row(i=1), row(), row(i=-3)], dec(-2)),
    ("SUM(i)", [row(i=MOST), row(i=MOST)], dec(2 * MOST)),
    ("SUM(i)", [row(), row()], None),
    ("SUM(d)", [row(d=dec("0.10")), row(d=dec("0.20"))], dec("0.30")),
    ("SUM(d)", [row(d=dec("0.10")), row(d=dec("-0.10"))], dec("0.00")),
    ("SUM(d * d)", [row(d=dec("0.10")), row(d=dec("0.20"))], dec("0.0500")),
    ("SUM(n)", [row(n=dec(9 * 10**37)), row(n=dec(9 * 10**37)), row(n=dec(-9 * 10**37))],
     dec(9 * 10**37)),
    ("SUM(f)", [row(f=0.1)] * 10, 1.0),
    ("SUM(f)", [row(f=-0.0)], 0.0),
    ("SUM(f)", [row(f=INF), row(f=-INF)], NAN),
    ("SUM(f)", [row()], None),
    ("SUM(NULL)", [row()], None),
    ("SUM(IF(b, i, 0))", [row(b=True, i=5), row(b=False, i=7), row(i=9)], dec(5)),
    ("COUNT(*)", [row(), row(i=1)], 2),
    ("COUNT_ALL()", [row()], 1),
    ("COUNT(*)", [], 0),
    ("COUNT(i)", [row(), row(i=1), row(i=1)], 2),
    ("COUNT(i)", [row()], 0),
    ("COUNT(NULL)", [row()], 0),
    ("COUNT_DISTINCT(i)", [row(i=1), row(), row(i=2), row(i=1)], 2),
    ("COUNT_DISTINCT(i)", [row()], 0),
    ("COUNT_DISTINCT(s)", [row(s="a"), row(s="A"), row(s="a ")], 3),
    ("COUNT_DISTINCT(d)", [row(d=dec("1.0")), row(d=dec("1.00"))], 1),
    ("COUNT_DISTINCT(f)", [row(f=NAN), row(f=float("nan")), row(f=0.0), row(f=-0.0)], 2),
    ("COUNT_DISTINCT(b)", [row(b=True), row(b=False), row()], 2),
    ("AVG(i)", [row(i=1), row(i=2), row()], dec("1.5000")),
    ("AVG(i)", [row(i=1), row(i=1), row(i=0)], dec("0.6667")),
    ("AVG(i)", [row(i=-1), row(i=-1), row(i=0)], dec("-0.6667")),
    ("AVG(i)", [row(i=1), *[row(i=0)] * 31], dec("0.0313")),
    ("AVG(d)", [row(d=dec("0.01")), row(d=dec("0.02"))], dec("0.015000")),
    ("AVG(d)", [row()], None),
    ("AVG(f)", [row(f=1.0), row(f=2.0), row()], 1.5),
    ("AVG(f)", [row()], None),
    ("MIN_AGG(i)", [row(i=2), row(), row(i=1)], 1),
    ("MAX_AGG(i)", [row(i=2), row(), row(i=1)], 2),
    ("MIN_AGG(s)", [row(s="b"), row(s="B")], "B"),
    ("MAX_AGG(day)", [row(day=date(2026, 1, 1)), row(day=date(2026, 1, 2))], date(2026, 1, 2)),
    ("MIN_AGG(at)", [row(at=utc(2026, 1, 1, 1)), row(at=utc(2026, 1, 1))], utc(2026, 1, 1)),
    ("MAX_AGG(b)", [row(b=False), row(b=True)], True),
    ("MAX_AGG(f)", [row(f=NAN), row(f=INF)], NAN),
    ("MIN_AGG(f)", [row(f=NAN), row(f=INF)], INF),
    ("MIN_AGG(d)", [row()], None),
    ("MAX_AGG(NULL)", [row()], None),
    ("MAX_BY(s, i)", [row(s="a", i=1), row(s="b", i=2), row(s="c")], "b"),
    ("MIN_BY(s, i)", [row(s="a", i=1), row(s="b", i=2), row(s="c")], "a"),
    ("MAX_BY(s, i)", [row(s="b", i=2), row(i=2), row(s="a", i=2), row(s="0", i=1)], "a"),
    ("MIN_BY(s, d)", [row(s="b", d=dec("1.0")), row(s="a", d=dec("1.00"))], "a"),
    ("MAX_BY(i, f)", [row(i=1, f=INF), row(i=3, f=NAN), row(i=2, f=NAN)], 2),
    ("MAX_BY(s, i)", [row(s="a", i=1), row(i=2)], None),
    ("MAX_BY(s, i)", [row(s="a")], None),
    ("MAX_BY(s, NULL)", [row(s="a")], None),
    ("SUM(d) / COUNT(*)", [row(d=dec("10")), row(), row()], dec("3.333333333333")),
    ("SUM(d) / COUNT(d)", [row()], None),
    ("COALESCE(SUM(d), 0)", [row()], dec("0.00")),
    ("IF(COUNT(*) > 1, 'many', s)", [row(s="one")], "one"),
    ("CONCAT(s, '-', TO_STRING(COUNT(i)))", [row(s="k", i=1), row(s="k")], "k-1"),
    ("DATEDIFF(MAX_AGG(day), day)", [row(day=date(2026, 1, 1))] * 2, 0),
    ("CONCAT(PERIOD(), MAX_AGG(u))", [row(u="x")], "2026-01x"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rows", "value"), CASES)
def test_aggregates(text: str, rows: list[Given], value: Value) -> None:
    tree = tree_of(text, GROUPED)
    result = evaluate_aggregate(tree, rows, MOMENT)
    assert told_apart(result) == told_apart(value)
    check_type(tree, value)


def test_every_aggregate_function_has_a_case() -> None:
    trees = [tree_of(text, GROUPED) for text, _, _ in CASES]
    called = {p.function for tree in trees for p in walk(tree) if isinstance(p, Aggregate)}
    assert called == {name for name, function in FUNCTIONS.items() if function.is_aggregate}


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SUM(n)", [row(n=dec(9 * 10**37)), row(n=dec(9 * 10**37))]),
        ("AVG(n)", [row(n=dec(9 * 10**37)), row(n=dec(9 * 10**37))]),
        ("AVG(n)", [row(n=dec(9 * 10**37))]),
        ("SUM(i + 1)", [row(i=MOST)]),
        ("COUNT(*) + 9223372036854775807", [row()]),
        ("IF(COUNT(*) > 5, SUM(n), 0)", [row(n=dec(9 * 10**37)), row(n=dec(9 * 10**37))]),
    ],
)
def test_an_aggregate_without_room_is_an_overflow(text: str, rows: list[Given]) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate_aggregate(tree_of(text, GROUPED), rows, MOMENT)
    assert caught.value.code == "RUN_001"


def test_an_aggregate_has_no_value_on_one_row() -> None:
    with pytest.raises(TypeError, match="SUM is evaluated over rows"):
        evaluate(tree_of("SUM(i)", GROUPED), row(i=1), MOMENT)
