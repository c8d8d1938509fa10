"""A bound tree as text: the rule as it is written, or with values in place of columns.

Conversions are left out; named selectors are what they stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TypeAlias

from rowbook.expressions import bound
from rowbook.expressions.bound import Bound, Column
from rowbook.expressions.scope import LEVEL
from rowbook.expressions.syntax.printer import quoted
from rowbook.expressions.values import Value

_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(8)
_INFIX = {
    **dict.fromkeys(("+", "-"), _SUM),
    **dict.fromkeys(("*", "/", "%"), _PRODUCT),
    **dict.fromkeys(("=", "<>", "<", "<=", ">", ">=", "LIKE"), _COMPARISON),
}
_LOGICAL = {"OR": _OR, "AND": _AND}
_MOST_ITEMS = 12

_Text: TypeAlias = tuple[str, int]
"""A text, and how tightly it binds."""
Known: TypeAlias = Callable[[Bound], Value]
"""The value of a part on a row."""


def rule_text(tree: Bound) -> str:
    """As it is written: `ROUND(amount / rates.factor, 2)`."""
    return _Printer(_column_text).text(tree)


def formula_text(tree: Bound, value: Known) -> str:
    """With values in place of columns and aggregates, and of a CASE the branch that was taken:
    `ROUND(100.00 / 0.851500, 2)`."""

    def column(node: Column) -> str:
        return literal(value(node))

    return _Printer(column, value).text(tree)


def outcome_text(tree: Bound, value: Known) -> str:
    """Which parts of a condition held: `FALSE OR TRUE`."""
    return _outcome(tree, value)[0]


def literal(value: Value) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case str():
            return quoted(value)
        case Decimal():
            return f"{value:f}"
        case datetime():
            return quoted(value.isoformat(" ").removesuffix("+00:00"))
        case date():
            return quoted(value.isoformat())
    return str(value)


def _column_text(node: Column) -> str:
    if node.name == LEVEL:
        return "LEVEL()"
    return f"{node.source}.{node.name}" if node.source else node.name


def _outcome(tree: Bound, value: Known) -> _Text:
    match tree:
        case bound.Call("AND" | "OR" as function, operands):
            level = _LOGICAL[function]
            texts = (_outcome(each, value) for each in operands)
            joined = f" {function} ".join(t if b > level else f"({t})" for t, b in texts)
            return joined, level
        case bound.Call("NOT", (operand,)):
            text, binds = _outcome(operand, value)
            return f"NOT {text if binds >= _NOT else f'({text})'}", _NOT
    return literal(value(tree)), _PRIMARY


@dataclass(frozen=True, slots=True)
class _Printer:
    """`value` is None where a CASE is shown with all its branches."""

    column: Callable[[Column], str]
    value: Known | None = None

    def text(self, tree: Bound) -> str:
        return self._text(tree)[0]

    def _at(self, tree: Bound, level: int) -> str:
        text, binds = self._text(tree)
        return text if binds >= level else f"({text})"

    def _text(self, tree: Bound) -> _Text:
        match tree:
            case bound.Constant(value):
                return _constant(literal(value))
            case bound.Parameter(name, value):
                return _constant(name if self.value is None else literal(value))
            case Column():
                return _constant(self.column(tree))
            case bound.Convert(operand):
                return self._text(operand)
            case bound.OneOf(operand, items):
                return f"{self._at(operand, _SUM)} IN ({self._list(items)})", _COMPARISON
            case bound.Choice():
                return self._choice(tree)
            case bound.Aggregate() if self.value is not None:
                return _constant(literal(self.value(tree)))
            case bound.Aggregate(function, argument):
                inside = "*" if argument is None else self._list(bound.parts(tree))
                return f"{function}({inside})", _PRIMARY
            case bound.Position(function, argument, offset):
                inside = "" if argument is None else f"{self.text(argument)}, {offset}"
                return f"{function}({inside})", _PRIMARY
            case bound.Call():
                return self._call(tree)

    def _call(self, call: bound.Call) -> _Text:
        function, arguments = call.function, call.arguments
        if function in _LOGICAL:
            level = _LOGICAL[function]
            return f" {function} ".join(self._at(each, level + 1) for each in arguments), level
        if function in _INFIX and len(arguments) == 2:
            level = _INFIX[function]
            left, right = (_SUM, _SUM) if level == _COMPARISON else (level, level + 1)
            first, second = self._at(arguments[0], left), self._at(arguments[1], right)
            return f"{first} {function} {second}", level
        match function, arguments:
            case "NOT", (bound.Call("ISNULL", (operand,)),):
                return f"{self._at(operand, _SUM)} IS NOT NULL", _COMPARISON
            case "NOT", (operand,):
                return f"NOT {self._at(operand, _NOT)}", _NOT
            case "ISNULL", (operand,):
                return f"{self._at(operand, _SUM)} IS NULL", _COMPARISON
            case "NEGATE", (operand,):
                return f"-{self._at(operand, _PRIMARY)}", _UNARY
        return f"{function}({self._list(arguments)})", _PRIMARY

    def _choice(self, choice: bound.Choice) -> _Text:
        if self.value is not None:
            return self._text(branch_of(choice, self.value))
        match choice:
            case bound.Choice(((condition, value),), otherwise):
                return f"IF({self._list((condition, value, otherwise))})", _PRIMARY
        whens = " ".join(f"WHEN {self.text(c)} THEN {self.text(v)}" for c, v in choice.branches)
        return f"CASE {whens} ELSE {self.text(choice.otherwise)} END", _PRIMARY

    def _list(self, items: tuple[Bound, ...]) -> str:
        texts = [self.text(each) for each in items[:_MOST_ITEMS]]
        return ", ".join([*texts, "…"] if len(items) > _MOST_ITEMS else texts)


def branch_of(choice: bound.Choice, value: Known) -> Bound:
    """The branch of a CASE that is taken."""
    for condition, branch in choice.branches:
        if value(condition) is True:
            return branch
    return choice.otherwise


def _constant(text: str) -> _Text:
    return text, _UNARY if text.startswith("-") else _PRIMARY
