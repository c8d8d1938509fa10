"""Trees as functions of rows: made once, called often, and no part called in vain."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.bound import Call, Column, Constant
from rowbook.expressions.evaluate import EvaluationError, Evaluators, Value
from tests.expressions.evaluating import MOMENT, dec, tree_of

Cells = dict[str, Value]


def reading(calls: list[str]) -> Evaluators[Cells]:
    """Functions of rows that are plain dicts, which tell what is read."""

    def read(column: Column) -> Callable[[Cells], Value]:
        def cell(row: Cells) -> Value:
            calls.append(column.name)
            return row[column.name]

        return cell

    return Evaluators(read, MOMENT)


def test_one_function_serves_all_rows() -> None:
    double = reading([]).scalar(tree_of("i * 2"))
    assert [double({"i": n}) for n in (1, None, 3)] == [2, None, 6]


def test_a_part_that_stands_twice_is_evaluated_once_a_row() -> None:
    calls: list[str] = []
    between = reading(calls).scalar(tree_of("i + 1 BETWEEN 2 AND 4"))
    assert [between({"i": n}) for n in (1, 5)] == [True, False]
    assert calls == ["i", "i"]


def test_what_is_not_needed_is_not_read() -> None:
    calls: list[str] = []
    either = reading(calls).scalar(tree_of("b OR i > 1"))
    assert either({"b": True}) is True
    assert calls == ["b"]


def test_a_literal_without_room_fails_where_it_is_evaluated() -> None:
    wide = Constant(dec(1000), t.decimal(3, 0))
    column = Column(None, "n", t.decimal(3, 0), True)
    function = reading([]).scalar(Call("+", (column, wide), t.decimal(4, 0), True))
    assert function({"n": None}) is None
    with pytest.raises(EvaluationError, match="1000 does not fit"):
        function({"n": dec(1)})


def test_a_selector_picks_what_is_true_and_none_picks_all() -> None:
    evaluators = reading([])
    positive = evaluators.condition(tree_of("i > 0"))
    assert [positive({"i": n}) for n in (1, 0, None)] == [True, False, False]
    assert evaluators.condition(None)({})
