"""A bound expression in plain English: what a rule does, for people who did not write it.

Conversions are left out, named selectors are what they stand for, and a part is in parentheses
where it could be read otherwise. What is very long is shortened, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypeAlias

from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.expressions.english.phrases import (
    AGGREGATES,
    CONDITIONS,
    LISTS,
    MOMENTS,
    POSITIONS,
    VALUES,
    comparison,
)
from rowbook.expressions.scope import LEVEL

# How tightly each form binds; a part that binds less tightly than its place asks is parenthesised.
_CHOICE, _OR, _AND, _COMPARISON, _PHRASE, _SUM, _PRODUCT, _WORD = range(8)
_ARITHMETIC = {"+": ("+", _SUM), "-": ("−", _SUM), "*": ("×", _PRODUCT), "/": ("÷", _PRODUCT)}
_TENS = {-1: "tens", -2: "hundreds", -3: "thousands", -4: "ten thousands", -6: "millions"}
_MOST_ITEMS, _MOST_PARTS = 12, 1_500

_Said: TypeAlias = tuple[str, int]
"""Words, and how tightly they bind."""


def value_in_words(tree: Bound) -> str:
    """A value: `amount ÷ rates.factor`."""
    return _short(tree, _value)


def condition_in_words(tree: Bound) -> str:
    """A condition: `amount is more than 0 and code starts with '6'`."""
    return _short(tree, _condition)


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _short(tree: Bound, said: Callable[[Bound], _Said]) -> str:
    parts = sum(1 for _ in zip(_all_parts(tree), range(_MOST_PARTS + 1), strict=False))
    if parts > _MOST_PARTS:
        return f"an expression of more than {_MOST_PARTS:,} parts"
    return said(tree)[0]


def _all_parts(tree: Bound) -> Iterator[Bound]:
    """Every part as often as it stands there; long lists count as far as they are shown."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(bound.parts(node)[: 2 * _MOST_ITEMS + 2])


class _Word(str):
    """An argument in a phrase; with a noun as its format it is a number of such things."""

    __slots__ = ()

    def __format__(self, noun: str) -> str:
        if noun == "plural":
            unit = self.strip("'")
            return f"{unit}s"
        return f"{self!s} {noun}{'' if self == '1' else 's'}" if noun else str(self)


def _plain(node: Bound) -> Bound:
    while isinstance(node, bound.Convert):
        node = node.operand
    return node


def _value(tree: Bound) -> _Said:
    node = _plain(tree)
    match node:
        case bound.Constant(value):
            return _constant(value), _WORD
        case bound.Column(None, name) if name == LEVEL:
            return MOMENTS["LEVEL"], _PHRASE
        case bound.Parameter(name, value):
            return _parameter(name, value), _WORD
        case bound.Column(source, name):
            return (f"{source}.{name}" if source else name), _WORD
        case bound.Choice():
            return _choice(node), _CHOICE
        case bound.Aggregate():
            return _aggregate(node), _PHRASE
        case bound.Position():
            return _position(node), _PHRASE
        case bound.OneOf():
            return f"whether {_condition(node)[0]}", _CHOICE
        case bound.Call():
            if _is_condition(node):
                return f"whether {_condition(node)[0]}", _CHOICE
            return _call(node)
        case bound.Convert():
            raise AssertionError("conversions are left out")


def _at(node: Bound, level: int) -> _Word:
    words, binds = _value(node)
    return _Word(words if binds >= level else f"({words})")


def _parameter(name: str, value: bound.Value | float) -> str:
    """With its value: `threshold (6,000.00)`."""
    if value is None:
        return name
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return f"{name} ({f'{value:,}' if is_number else _constant(value)})"


def _constant(value: bound.Value | float) -> str:
    match value:
        case None:
            return "no value"
        case bool():
            return "true" if value else "false"
        case str():
            return f"'{value}'"
        case Decimal():
            return f"{value:f}"
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
    return str(value)


def _call(node: bound.Call) -> _Said:
    function, arguments = node.function, node.arguments
    if function in MOMENTS:
        return f"{MOMENTS[function]}{_periods_away(arguments)}", _PHRASE
    if function in _ARITHMETIC:
        sign, level = _ARITHMETIC[function]
        return f"{_at(arguments[0], level)} {sign} {_at(arguments[1], level + 1)}", level
    if function == "NEGATE":
        return f"−{_at(arguments[0], _WORD)}", _WORD
    if function == "ROUND":
        return _rounded(arguments), _PHRASE
    if function == "DATEADD":
        return _days_later(arguments), _PHRASE
    if function == "REQUIRE":
        return f"{_at(arguments[0], _WORD)}, which must have a value", _CHOICE
    phrase = VALUES.get((function, len(arguments)))
    if phrase is None:
        return LISTS[function].format(listed(_items(arguments, _WORD))), _PHRASE
    words = phrase.format(*(_at(argument, _WORD) for argument in arguments))
    return words, _CHOICE if ", or " in phrase else _PHRASE


def _periods_away(arguments: Sequence[Bound]) -> str:
    match arguments:
        case (bound.Constant(int(n)),):
            label = f"{abs(n):,} period{'s' * (abs(n) != 1)}"
            return f", {label} {'earlier' if n < 0 else 'later'}"
    return ""


def _rounded(arguments: Sequence[Bound]) -> str:
    number = _at(arguments[0], _WORD)
    digits = arguments[1] if len(arguments) > 1 else None
    places = digits.value if isinstance(digits, bound.Constant) else 0
    if not isinstance(places, int) or places == 0:
        return f"{number} rounded to a whole number"
    if places > 0:
        return f"{number} rounded to {_Word(places):decimal}"
    return f"{number} rounded to {_TENS.get(places, f'{-places} zeros')}"


def _days_later(arguments: Sequence[Bound]) -> str:
    day, number, unit = (_plain(each) for each in arguments)
    noun = str(unit.value) if isinstance(unit, bound.Constant) else "day"
    where = "after"
    if isinstance(number, bound.Call) and number.function == "NEGATE":
        number, where = number.arguments[0], "before"
    elif isinstance(number, bound.Constant) and isinstance(number.value, int) and number.value < 0:
        number, where = bound.Constant(-number.value, number.type), "before"
    return f"{_at(number, _WORD):{noun}} {where} {_at(day, _WORD)}"


def _choice(node: bound.Choice) -> str:
    cases = [f"{_at(v, _PHRASE)} where {_condition(c)[0]}" for c, v in node.branches[:_MOST_ITEMS]]
    left = len(node.branches) - len(cases)
    cases += [f"{left:,} more cases"] if left else []
    return f"{', '.join(cases)}, otherwise {_at(node.otherwise, _PHRASE)}"


def _aggregate(node: bound.Aggregate) -> str:
    if node.argument is None:
        return "the number of rows"
    if node.function in ("MIN_AGG", "MAX_AGG") and isinstance(node.argument, bound.Constant):
        return _constant(node.argument.value)
    return AGGREGATES[node.function].format(*(_at(part, _WORD) for part in bound.parts(node)))


def _position(node: bound.Position) -> str:
    arguments = [_at(part, _WORD) for part in bound.parts(node)]
    return POSITIONS[node.function].format(*arguments, _Word(node.offset))


def _is_condition(node: bound.Call) -> bool:
    function = node.function
    return function in CONDITIONS or function in ("AND", "OR", "NOT") or _order(node) is not None


def _order(node: bound.Call) -> tuple[str, str] | None:
    return comparison(node.function, node.arguments[0].type.kind) if node.arguments else None


def _condition(tree: Bound, *, opposite: bool = False) -> _Said:
    """What holds where a condition does, or where its opposite does."""
    node = _plain(tree)
    match node:
        case bound.Call("NOT", (operand,)):
            return _condition(operand, opposite=not opposite)
        case bound.Call("AND" | "OR"):
            return _several(node, opposite=opposite)
        case bound.Call("LIKE", (text, pattern)):
            return _like(text, pattern, opposite=opposite), _COMPARISON
        case bound.Call() if _is_condition(node):
            phrases = CONDITIONS.get(node.function) or _order(node) or ("", "")
            operands = [_at(operand, _PHRASE) for operand in node.arguments]
            return phrases[opposite].format(*operands), _COMPARISON
        case bound.OneOf(operand, (item,)):
            how = "is not" if opposite else "is"
            return f"{_at(operand, _PHRASE)} {how} {_at(item, _PHRASE)}", _COMPARISON
        case bound.OneOf(operand, items):
            how = "is none of" if opposite else "is one of"
            return f"{_at(operand, _PHRASE)} {how} {', '.join(_items(items, _PHRASE))}", _COMPARISON
        case bound.Constant(bool() as value):
            return ("always" if value is not opposite else "never"), _COMPARISON
    return f"{_at(node, _PHRASE)} is {'false' if opposite else 'true'}", _COMPARISON


def _several(node: bound.Call, *, opposite: bool) -> _Said:
    """Conditions that all hold, or of which one does. Two bounds of one value are a range."""
    spans = _spans(node) if node.function == "AND" else [(part,) for part in node.arguments]
    if len(spans) == 1 and len(spans[0]) > 1:
        return _range(spans[0], opposite=opposite), _COMPARISON
    if opposite:
        return f"it is not so that ({_several(node, opposite=False)[0]})", _COMPARISON
    level, word = (_AND, "and") if node.function == "AND" else (_OR, "or")
    said = []
    for span in spans[:_MOST_ITEMS]:
        words, binds = (
            _condition(span[0]) if len(span) == 1 else (_range(span, opposite=False), _COMPARISON)
        )
        said.append(words if binds in (level, _COMPARISON) else f"({words})")
    left = len(spans) - len(said)
    said += [f"{left:,} more conditions"] if left else []
    return f" {word} ".join(said), level


def _spans(node: bound.Call) -> list[tuple[Bound, ...]]:
    """The conditions of an AND, in which `x >= a` and then `x <= b` stand together."""
    found: list[tuple[Bound, ...]] = []
    for part in bound.conjuncts(node):
        before = found[-1] if found else ()
        if len(before) == 1 and _are_bounds(before[0], part):
            found[-1] = (before[0], part)
        else:
            found.append((part,))
    return found


def _are_bounds(low: Bound, high: Bound) -> bool:
    return (
        isinstance(low, bound.Call)
        and isinstance(high, bound.Call)
        and (low.function, high.function) == (">=", "<=")
        and _plain(low.arguments[0]) == _plain(high.arguments[0])
    )


def _range(span: Sequence[Bound], *, opposite: bool) -> str:
    low, high = (bound.parts(each) for each in span)
    of, least, most = _at(low[0], _PHRASE), _at(low[1], _PHRASE), _at(high[1], _PHRASE)
    return f"{of} is {'not ' * opposite}between {least} and {most}"


def _like(text: Bound, pattern: Bound, *, opposite: bool) -> str:
    of, given = _at(text, _PHRASE), _plain(pattern)
    how, words = "LIKE", str(_at(pattern, _PHRASE))
    if isinstance(given, bound.Constant) and isinstance(given.value, str):
        sought = given.value.strip("%")
        ends = given.value.startswith("%"), given.value.endswith("%")
        plain = sought and not set(sought) & set("%_\\") and given.value.count("%") == sum(ends)
        if plain:
            how = {
                (False, False): "=",
                (False, True): "STARTS_WITH",
                (True, False): "ENDS_WITH",
                (True, True): "CONTAINS",
            }[ends]
            words = f"'{sought}'"
    return CONDITIONS[how][opposite].format(of, words)


def _items(nodes: Sequence[Bound], level: int) -> list[str]:
    words: list[str] = [_at(node, level) for node in nodes[:_MOST_ITEMS]]
    left = len(nodes) - len(words)
    return [*words, f"{left:,} more"] if left else words
