from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.strategy.checks.absent_columns import (
    RowsBefore,
    asked_of_added,
    never_holds,
    never_null,
)
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.evaluate import Moment, evaluate
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.expressions.values import Value
from tests.support.small_plans import NOW, numbered, plan_of, total, update

SCOPE = Scope(
    Table.of((Field("s", t.STRING), Field("level", t.STRING), Field("total", t.decimal(18, 2))))
)
KNOWN = {"s"}


@pytest.mark.parametrize(
    "condition",
    [
        "level = 'a'",
        "level IS NOT NULL",
        "level IN ('a', 'b') AND s = 'x'",
        "ABS(total) < 5 OR level LIKE 'a%'",
        "NOT level = 'a'",
        "UPPER(level) = s",
        "s = NULL",
    ],
)
def test_what_asks_for_a_column_that_rows_lack_never_holds(condition: str) -> None:
    assert never_holds(bind(condition, SCOPE).tree, KNOWN)


@pytest.mark.parametrize(
    "condition",
    [
        "level IS NULL",
        "level = 'a' OR s = 'x'",
        "COALESCE(level, s) = 'x'",
        "level IS NULL OR level = 'a'",
        "NOT (level IS NOT NULL)",
        "NOT (level = 'a' AND s = 'x')",
        "s IN (level, 'x')",
        "IF(level = 'a', FALSE, TRUE)",
        "s IS NOT NULL",
    ],
)
def test_what_may_hold_without_it_may_hold(condition: str) -> None:
    assert not never_holds(bind(condition, SCOPE).tree, KNOWN)


def test_columns_that_rows_lack_are_null() -> None:
    tree = RowsBefore(frozenset(KNOWN)).told(bind("s = level", SCOPE).tree)
    assert isinstance(tree, bound.Call)
    own, lacked = tree.arguments
    assert bound.columns(own) == {(None, "s")}
    assert lacked == bound.Constant(None, t.STRING)


def test_a_column_that_rows_are_given_is_null_on_those_added_later_alone() -> None:
    rows = RowsBefore(frozenset({"s", "total"}), {"s": 20})
    tree = rows.told(bind("s IS NOT NULL OR total IS NULL", SCOPE).tree)
    assert bound.columns(tree) == {(None, "_operation_seq"), (None, "total")}
    values = [(None, False), (10, False), (20, False), (30, True)]
    for seq, expected in values:
        is_null = rows.told(bind("s IS NULL", SCOPE).tree)
        assert evaluate(is_null, {(None, "_operation_seq"): seq}, Moment(NOW, "")) is expected


@pytest.mark.parametrize(
    ("seq", "value", "holds"), [(None, "x", True), (20, None, False), (20, "x", True)]
)
def test_only_rows_that_were_added_are_asked_whether_a_column_is_null(
    seq: int | None, value: str | None, holds: bool
) -> None:
    tree = asked_of_added(bind("s IS NOT NULL", SCOPE).tree, {"s"})
    assert bound.columns(tree) == {(None, "s"), (None, "_operation_seq")}
    row: dict[tuple[str | None, str], Value] = {
        (None, "_operation_seq"): seq,
        (None, "s"): value,
    }
    assert evaluate(tree, row, Moment(NOW, "")) is holds


def test_columns_that_every_row_of_the_input_has_are_known(tmp_path: Path) -> None:
    text = (
        "dataset:\n  name: t\n  main_table:\n    name: t\n    columns:\n"
        "      - {name: a, type: string, nullable: false}\n"
        "      - {name: b, type: string, nullable: false}\n"
        "      - {name: c, type: string}\n"
        "---\nproject:\n  name: p\n  input_dataset_id: t\n  operations:\n"
    )
    where = "a IS NOT NULL AND b IS NOT NULL AND c IS NULL"
    steps = total("c", "n", selector=where), update("b", "NULL")
    assert never_null(plan_of(tmp_path, text + numbered(*steps))) == frozenset({"a"})


def test_columns_that_may_be_null_are_read() -> None:
    tree = bind("level IS NULL", SCOPE).tree
    assert asked_of_added(tree, {"s"}) == tree
