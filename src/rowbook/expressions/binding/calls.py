"""Function calls: number, kinds and literals of arguments checked against the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.binding import arithmetic, pattern_calls
from rowbook.expressions.bound import Bound
from rowbook.expressions.convert import convert, unknown
from rowbook.expressions.functions import ACCEPTS, DATE_UNITS, SHOWN_AS, Function, Nulls, Parameter
from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.expressions.scope import LEVEL
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.types import Kind

if TYPE_CHECKING:
    from rowbook.expressions.binding.binder import Binder


def bind_call(binder: Binder, function: Function, node: n.Call) -> Bound:
    before = len(binder.faults)
    if not _right_number(binder, function, node):
        return unknown()
    if function.is_aggregate:
        return _aggregate(binder, function, node)
    if function.is_position:
        return _position(binder, function, node)
    arguments = _checked(binder, function, node, list(map(binder.bind, node.arguments)))
    if any(f.severity == "error" for f in binder.faults[before:]):
        return unknown()
    if any(p.literal and a.type.kind is Kind.UNKNOWN for a, p in _paired(function, arguments)):
        return unknown()
    if special := _SPECIAL.get(function.name):
        return special(binder, node, arguments)
    result = _result(function, arguments)
    return bound.Call(function.name, tuple(arguments), result, _nullable(function, arguments))


def _result(function: Function, arguments: Sequence[Bound]) -> t.Type:
    match function.result:
        case t.Type() as fixed:
            return fixed
        case str():
            return next(a.type for a, p in _paired(function, arguments) if p.accepts == "T")
        case rule:
            literals = [a.value if isinstance(a, bound.Constant) else None for a in arguments]
            return rule([a.type for a in arguments], literals)


def _nullable(function: Function, arguments: Sequence[Bound]) -> bool:
    match function.nulls:
        case Nulls.PROPAGATE:
            return any(a.nullable for a in arguments)
        case Nulls.IF_ALL:
            return all(a.nullable for a in arguments)
        case Nulls.NEVER:
            return False
        case Nulls.POSSIBLE | Nulls.IGNORED:
            return True


def _paired(function: Function, arguments: Sequence[Bound]) -> list[tuple[Bound, Parameter]]:
    return [(argument, function.parameter(i)) for i, argument in enumerate(arguments)]


def _right_number(binder: Binder, function: Function, node: n.Call) -> bool:
    given, most = len(node.arguments), function.most
    if node.star and function.name == "COUNT":
        return True
    if not node.star and given >= function.fewest and (most is None or given <= most):
        return True
    if node.star:
        message = f"{function.name}(*) is not a call: only COUNT counts rows"
    else:
        if most is None:
            takes = f"{function.fewest} or more arguments"
        elif most == function.fewest:
            takes = f"{most or 'no'} argument{'s' * (most != 1)}"
        else:
            takes = f"{function.fewest} to {most} arguments"
        message = f"{function.name} takes {takes}, not {given}"
    hint = function.usage
    if function.name in ("MIN", "MAX") and given == 1:
        hint += f"; over rows: {function.name}_AGG({function.parameters[0].name})"
    binder.fault("EXPR_006", message, node.name, hint)
    binder.examine(node.arguments)
    return False


def _aggregate(binder: Binder, function: Function, node: n.Call) -> Bound:
    arguments = binder.aggregate(function.name, node)
    if arguments is None:
        return unknown()
    if node.star:
        return bound.Aggregate("COUNT", None, t.INTEGER, False)
    before = len(binder.faults)
    argument, *order = _checked(binder, function, node, arguments)
    if _is_unknown(argument, *order) or len(binder.faults) > before:
        return unknown()
    if function.name in ("SUM", "AVG") and argument.type.kind in (Kind.INTEGER, Kind.NULL):
        argument = convert(argument, t.INTEGER_AS_DECIMAL)
    by = next((_typed(each) for each in order), None)
    argument = argument if by is None else _typed(argument)
    result = _result(function, [argument])
    return bound.Aggregate(function.name, argument, result, function.nulls is Nulls.IGNORED, by)


def _position(binder: Binder, function: Function, node: n.Call) -> Bound:
    arguments = binder.position(function.name, node)
    if arguments is None:
        return unknown()
    before = len(binder.faults)
    checked = _checked(binder, function, node, arguments)
    if len(binder.faults) > before or _is_unknown(*checked):
        return unknown()
    if not checked:
        return bound.Position(function.name, None, 0, _result(function, checked))
    rows = checked[1].value if len(checked) > 1 and isinstance(checked[1], bound.Constant) else 1
    if not isinstance(rows, int) or not 1 <= rows <= _FARTHEST_ROW:
        return binder.fault("EXPR_006", f"{rows} is not a number of rows", node.arguments[1])
    argument = _typed(checked[0])
    return bound.Position(function.name, argument, rows, _result(function, [argument]))


_FARTHEST_ROW = 2**31 - 1


def _is_unknown(*arguments: Bound) -> bool:
    return any(argument.type.kind is Kind.UNKNOWN for argument in arguments)


def _typed(argument: Bound) -> Bound:
    """With a type, also where it is a bare NULL."""
    return convert(argument, t.INTEGER) if argument.type.kind is Kind.NULL else argument


def _checked(
    binder: Binder, function: Function, node: n.Call, arguments: list[Bound]
) -> list[Bound]:
    """Kinds and literals checked, floats and common types converted."""
    for i, (argument, parameter) in enumerate(_paired(function, arguments)):
        written = node.arguments[i]
        if argument.type.kind is Kind.UNKNOWN:
            continue
        if not argument.type.is_open and argument.type.kind not in ACCEPTS[parameter.accepts]:
            needs = SHOWN_AS.get(parameter.accepts, parameter.accepts)
            binder.fault(
                "EXPR_004",
                f"{function.name} needs {_article(needs)} for '{parameter.name}',"
                f" not {argument.type}",
                written,
            )
        elif parameter.literal:
            literal = _literal(argument)
            if literal is None:
                what = SHOWN_AS.get(parameter.accepts, parameter.accepts)
                binder.fault(
                    "EXPR_006",
                    f"{function.name} needs '{parameter.name}' written out as {_article(what)}",
                    written,
                )
            else:
                arguments[i] = literal
        elif parameter.accepts == "float":
            arguments[i] = convert(argument, t.FLOAT)
        elif argument.type.kind is Kind.NULL and parameter.accepts not in ("any", "T"):
            arguments[i] = convert(argument, _null_type(parameter.accepts))
    return _unified(binder, function, node, arguments)


_NULL_TYPES = {
    "number": t.INTEGER,
    "day": t.DATE,
    "text or number": t.STRING,
    "text or integer": t.STRING,
}


def _null_type(accepts: str) -> t.Type:
    return _NULL_TYPES.get(accepts) or t.Type(Kind(accepts))


def _unified(
    binder: Binder, function: Function, node: n.Call, arguments: list[Bound]
) -> list[Bound]:
    places = [i for i, (_, p) in enumerate(_paired(function, arguments)) if p.accepts == "T"]
    if not places:
        return arguments
    unified = binder.unify([arguments[i] for i in places], node)
    if unified is None:
        kinds = " and ".join(dict.fromkeys(str(arguments[i].type) for i in places))
        binder.fault("EXPR_004", f"{function.name} takes values of one type, not {kinds}", node)
        return arguments
    for i, argument in zip(places, unified, strict=True):
        arguments[i] = argument
    return arguments


def _literal(argument: Bound) -> bound.Constant | None:
    if isinstance(argument, bound.Call) and argument.function == "NEGATE":
        inner = argument.arguments[0]
        if isinstance(inner, bound.Constant) and isinstance(inner.value, int):
            return bound.Constant(-inner.value, inner.type)
    if isinstance(argument, bound.Constant) and argument.value is not None:
        return argument
    return None


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _remainder(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    left, right = node.arguments
    return arithmetic.combine(binder, n.Binary("%", left, right, node.span), *arguments)


def _if(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    return binder.choice("IF", arguments[:1], arguments[1:], node)


def _instant(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    """DATE and TIMESTAMP of a literal are literals themselves."""
    is_date = node.function == "DATE"
    kind = t.DATE if is_date else t.TIMESTAMP
    text = arguments[0]
    if len(arguments) > 1 or text.type.kind is Kind.INTEGER:
        return _of_parts(binder, node, arguments)
    if not isinstance(text, bound.Constant):
        return bound.Call(node.function, (text,), kind, True)
    if text.value is None:
        return bound.Constant(None, kind)
    value = parse_date(str(text.value)) if is_date else parse_timestamp(str(text.value))
    if value is not None:
        return bound.Constant(value, kind)
    form = "2026-01-31" if is_date else "2026-01-31T10:00:00Z"
    return binder.fault(
        "EXPR_006",
        f"'{text.value}' is not a {kind}",
        node.arguments[0],
        f"write {node.function}('{form}')",
    )


def _of_parts(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    if len(arguments) != 3:
        message = f"DATE takes a text, or a year, month and day, not {len(arguments)} of them"
        return binder.fault("EXPR_006", message, node.name, "write DATE(2026, 1, 31)")
    year = arguments[0]
    is_null = isinstance(year, bound.Constant) and year.value is None
    if year.type.kind is Kind.STRING and not is_null:
        message = "DATE needs an integer for the year, not string"
        return binder.mismatch(message, node.arguments[0], "convert it with TO_INTEGER(…)")
    return bound.Call("DATE", (convert(year, t.INTEGER), *arguments[1:]), t.DATE, True)


def _date_add(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    unit = arguments[2] if len(arguments) > 2 else bound.Constant("day", t.STRING)
    if not isinstance(unit, bound.Constant) or unit.value not in DATE_UNITS:
        return binder.fault(
            "EXPR_006", "the unit of DATEADD is 'day', 'month' or 'year'", node.arguments[2]
        )
    nullable = any(a.nullable for a in arguments)
    return bound.Call("DATEADD", (*arguments[:2], unit), t.DATE, nullable)


def _to_decimal(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    precision, scale = (a.value if isinstance(a, bound.Constant) else None for a in arguments[1:])
    if not (
        isinstance(precision, int)
        and isinstance(scale, int)
        and 1 <= precision <= t.MAX_PRECISION
        and 0 <= scale <= precision
    ):
        return binder.fault(
            "EXPR_006",
            f"decimal({precision},{scale}) is not a type",
            node,
            "precision is 1 to 38, scale 0 to precision",
        )
    return bound.Call("TO_DECIMAL", tuple(arguments), t.decimal(precision, scale), True)


def _date_diff(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    nullable = any(a.nullable for a in arguments)
    unit = arguments[2] if len(arguments) > 2 else bound.Constant("day", t.STRING)
    if not isinstance(unit, bound.Constant) or unit.value not in DATE_UNITS:
        return binder.fault(
            "EXPR_006", "the unit of DATEDIFF is 'day', 'month' or 'year'", node.arguments[2]
        )
    parts = arguments[:2] if unit.value == "day" else (*arguments[:2], unit)
    return bound.Call("DATEDIFF", tuple(parts), t.INTEGER, nullable)


def _require(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    names = binder.scope.requires
    if names is None:
        message = "REQUIRE is checked on the rows that an update picks: it is not allowed here"
        hint = "put it into an assignment of an update before"
        return binder.fault("EXPR_007", message, node.name, hint)
    fields = (field for name in names if (field := binder.scope.main.find(name)) is not None)
    told_by = (bound.Column(None, each.name, each.type, each.nullable) for each in fields)
    return bound.Call("REQUIRE", (*arguments, *told_by), arguments[0].type, False)


def _level(binder: Binder, node: n.Call, _: list[Bound]) -> Bound:
    field = binder.scope.main.find(LEVEL)
    if field is None:
        return binder.fault(
            "AGGREGATE_011",
            "LEVEL() is the level of a summary row: not known here",
            node.name,
            "it may stand in the assignments of an aggregate that has levels",
        )
    return bound.Column(None, LEVEL, field.type, field.nullable)


def _period(binder: Binder, node: n.Call, arguments: list[Bound]) -> Bound:
    """The run has a period; whether there are others depends on the calendar."""
    is_own = all(isinstance(a, bound.Constant) and a.value == 0 for a in arguments)
    kind = t.STRING if node.function == "PERIOD" else t.DATE
    return bound.Call(node.function, () if is_own else tuple(arguments), kind, not is_own)


_SPECIAL: dict[str, Callable[[Binder, n.Call, list[Bound]], Bound]] = {
    "MOD": _remainder,
    "IF": _if,
    "DATE": _instant,
    "TIMESTAMP": _instant,
    "DATEADD": _date_add,
    "TO_DECIMAL": _to_decimal,
    "TO_DATE": pattern_calls.to_date,
    "TO_STRING": pattern_calls.to_string,
    "DATEDIFF": _date_diff,
    "REQUIRE": _require,
    "LEVEL": _level,
    **dict.fromkeys(("PERIOD", "PERIOD_START", "PERIOD_END"), _period),
}
