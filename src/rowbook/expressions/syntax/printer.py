"""A tree as text that parses to the same tree."""

from __future__ import annotations

from decimal import Decimal

from rowbook.expressions.syntax import unbound as n

# How tightly each form binds; a part that binds less tightly than its place asks is parenthesised.
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(8)
_ARITHMETIC = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT}
_LOGICAL = {"OR": _OR, "AND": _AND}


def to_text(node: n.Node) -> str:
    return _print(node)[0]


def _print(node: n.Node) -> tuple[str, int]:
    match node:
        case n.Literal(value):
            return _literal(value), _PRIMARY
        case n.Name():
            return node.text, _PRIMARY
        case n.Selector(name):
            return f"{{{{{name}}}}}", _PRIMARY
        case n.Negate(operand):
            return f"-{_at(operand, _UNARY)}", _UNARY
        case n.Not(operand):
            return f"NOT {_at(operand, _NOT)}", _NOT
        case n.Logical(op, operands):
            level = _LOGICAL[op]
            return f" {op} ".join(_at(o, level + 1) for o in operands), level
        case n.Binary(op, left, right) if op in _ARITHMETIC:
            level = _ARITHMETIC[op]
            return f"{_at(left, level)} {op} {_at(right, level + 1)}", level
        case n.Binary(op, left, right):
            return f"{_at(left, _SUM)} {op} {_at(right, _SUM)}", _COMPARISON
        case n.IsNull(operand, negated):
            return f"{_at(operand, _SUM)} IS {'NOT ' * negated}NULL", _COMPARISON
        case n.In(operand, items, negated):
            return f"{_at(operand, _SUM)} {'NOT ' * negated}IN ({_list(items)})", _COMPARISON
        case n.Between(operand, low, high, negated):
            bounds = f"{_at(low, _SUM)} AND {_at(high, _SUM)}"
            return f"{_at(operand, _SUM)} {'NOT ' * negated}BETWEEN {bounds}", _COMPARISON
        case n.Like(operand, pattern, negated):
            return (
                f"{_at(operand, _SUM)} {'NOT ' * negated}LIKE {_at(pattern, _SUM)}",
                _COMPARISON,
            )
        case n.Case(branches, otherwise):
            whens = " ".join(f"WHEN {to_text(c)} THEN {to_text(v)}" for c, v in branches)
            tail = "" if otherwise is None else f" ELSE {to_text(otherwise)}"
            return f"CASE {whens}{tail} END", _PRIMARY
        case n.Call(function, arguments, star):
            return f"{function}({'*' if star else _list(arguments)})", _PRIMARY


def _at(node: n.Node, level: int) -> str:
    text, binds = _print(node)
    return text if binds >= level else f"({text})"


def _list(items: tuple[n.Node, ...]) -> str:
    return ", ".join(map(to_text, items))


def _literal(value: n.LiteralValue) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case int():
            return str(value)
        case Decimal():
            return format(value, "f")
        case str():
            return quoted(value)


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
