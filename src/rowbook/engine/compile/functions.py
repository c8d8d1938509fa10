"""How Spark says each function and operator of the language: one row for each name.

A row takes the compiled arguments and the bound call (for types and literals). ANSI is on: what
overflows raises. Where the language says NULL, it is said here (division by zero, conversions).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile import conversions, pattern_texts, text_functions
from rowbook.engine.compile.extreme_rows import extreme_row
from rowbook.engine.compile.float_sums import Over, float_mean, float_sum, of_group
from rowbook.engine.compile.spark_types import sql_type
from rowbook.expressions.bound import Aggregate, Bound, Call, Constant, Convert
from rowbook.expressions.types import Kind
from rowbook.spark.markers import overflow

Compile = Callable[[Sequence[Column], Call], Column]

_LONG_LIMIT = 9.223372036854775807e18


def balanced(columns: Sequence[Column], join: Callable[[Column, Column], Column]) -> Column:
    """Many columns joined by an operator, as a shallow tree: 5,000 ANDs are 13 deep."""
    level = list(columns)
    while len(level) > 1:
        level = [
            join(level[i], level[i + 1]) if i + 1 < len(level) else level[i]
            for i in range(0, len(level), 2)
        ]
    return level[0]


def first_of(branches: Sequence[tuple[Column, Column]]) -> Column:
    """A CASE: the value of the first condition that holds; NULL, or what `otherwise` adds."""
    (condition, value), *rest = branches
    chain = F.when(condition, value)
    for condition, value in rest:
        chain = chain.when(condition, value)
    return chain


def _nonzero(divisor: Column) -> Column:
    return F.nullif(divisor, F.lit(0))


def _not_a_number_is_null(value: Column) -> Column:
    return F.when(~F.isnan(value), value)


def _whole(of_decimal: Callable[[Column], Column]) -> Callable[[Sequence[Column], Call], Column]:
    def compile_whole(a: Sequence[Column], node: Call) -> Column:
        if node.arguments[0].type.kind is Kind.FLOAT:
            too_large = (F.abs(a[0]) >= _LONG_LIMIT) | F.isnan(a[0])
            return F.when(too_large, overflow("bigint")).otherwise(of_decimal(a[0]))
        return of_decimal(a[0]).cast("bigint")

    return compile_whole


def _extreme(choose: Callable[..., Column]) -> Compile:
    """MIN and MAX give NULL where an argument is NULL; Spark's would skip it."""

    def compile_extreme(a: Sequence[Column], _: Call) -> Column:
        return F.when(reduce(Column.__and__, [x.isNotNull() for x in a]), choose(*a))

    return compile_extreme


def _sign(a: Sequence[Column], _: Call) -> Column:
    one = F.lit(1).cast("bigint")
    return F.when(a[0] > 0, one).when(a[0] < 0, -one).when(a[0] == 0, one - one)


def _round(a: Sequence[Column], node: Call) -> Column:
    digits = node.arguments[1] if len(node.arguments) > 1 else None
    places = digits.value if isinstance(digits, Constant) and isinstance(digits.value, int) else 0
    return F.round(a[0], max(min(places, 400), -400))


def _as_date(value: Column, node: Call, index: int) -> Column:
    return value.cast("date") if node.arguments[index].type.kind is Kind.TIMESTAMP else value


def _date_add(a: Sequence[Column], node: Call) -> Column:
    unit = node.arguments[2]
    return _moved(a[0], a[1], str(unit.value) if isinstance(unit, Constant) else "day")


def _moved(day: Column, n: Column, unit: str) -> Column:
    far = F.abs(n) > 4_000_000
    count = F.when(far, overflow("date")).otherwise(n).cast("int")
    moved = {
        "day": lambda: F.date_add(day, count),
        "month": lambda: F.add_months(day, count),
        "year": lambda: F.add_months(day, count * 12),
    }[unit]()
    outside = (moved > F.lit("9999-12-31").cast("date")) | (
        moved < F.lit("0001-01-01").cast("date")
    )
    return F.when(outside, overflow("date")).otherwise(moved)


def _months_between(end: Column, start: Column) -> Column:
    """Whole months, where the end is not before the start."""
    months = (F.year(end) - F.year(start)) * 12 + F.month(end) - F.month(start)
    incomplete = (F.dayofmonth(end) < F.dayofmonth(start)) & (end != F.last_day(end))
    return months - incomplete.cast("int")


def _date_diff(a: Sequence[Column], node: Call) -> Column:
    end, start = _as_date(a[0], node, 0), _as_date(a[1], node, 1)
    if len(a) == 2:
        return F.datediff(end, start).cast("bigint")
    unit = node.arguments[2]
    parts = 12 if isinstance(unit, Constant) and unit.value == "year" else 1
    forth, back = (F.floor(_months_between(*days) / parts) for days in ((end, start), (start, end)))
    return F.when(end >= start, forth).otherwise(-back)


def _end_of_month(a: Sequence[Column], node: Call) -> Column:
    day = _as_date(a[0], node, 0)
    return F.last_day(day if len(a) == 1 else _moved(day, a[1], "month"))


def _part(extract: Callable[[Column], Column]) -> Compile:
    return lambda a, _: extract(a[0]).cast("bigint")


FUNCTIONS: dict[str, Compile] = {
    "+": lambda a, _: a[0] + a[1],
    "-": lambda a, _: a[0] - a[1],
    "*": lambda a, _: a[0] * a[1],
    "/": lambda a, _: a[0] / _nonzero(a[1]),
    "%": lambda a, _: a[0] % _nonzero(a[1]),
    "NEGATE": lambda a, _: -a[0],
    "=": lambda a, _: a[0] == a[1],
    "<>": lambda a, _: a[0] != a[1],
    "<": lambda a, _: a[0] < a[1],
    "<=": lambda a, _: a[0] <= a[1],
    ">": lambda a, _: a[0] > a[1],
    ">=": lambda a, _: a[0] >= a[1],
    "AND": lambda a, _: balanced(a, Column.__and__),
    "OR": lambda a, _: balanced(a, Column.__or__),
    "NOT": lambda a, _: ~a[0],
    "LIKE": text_functions.like,
    "ISNULL": lambda a, _: a[0].isNull(),
    "COALESCE": lambda a, _: F.coalesce(*a),
    "NULLIF": lambda a, _: F.when((a[0] != a[1]) | a[1].isNull(), a[0]),
    "REQUIRE": lambda a, _: a[0],
    "ABS": lambda a, _: F.abs(a[0]),
    "ROUND": _round,
    "FLOOR": _whole(F.floor),
    "CEIL": _whole(F.ceil),
    "MIN": _extreme(F.least),
    "MAX": _extreme(F.greatest),
    "LEAST": lambda a, _: F.least(*a),
    "GREATEST": lambda a, _: F.greatest(*a),
    "SIGN": _sign,
    "POWER": lambda a, _: _not_a_number_is_null(F.pow(a[0], a[1])),
    "SQRT": lambda a, _: _not_a_number_is_null(F.sqrt(a[0])),
    "CONCAT": lambda a, _: F.concat(*a),
    "UPPER": lambda a, _: F.upper(a[0]),
    "LOWER": lambda a, _: F.lower(a[0]),
    "TRIM": lambda a, _: F.trim(a[0]),
    "LTRIM": lambda a, _: F.ltrim(a[0]),
    "RTRIM": lambda a, _: F.rtrim(a[0]),
    "LEFT": text_functions.left,
    "RIGHT": text_functions.right,
    "SUBSTRING": text_functions.substring,
    "LEN": lambda a, _: F.length(a[0]).cast("bigint"),
    "CONTAINS": lambda a, _: F.contains(a[0], a[1]),
    "STARTS_WITH": lambda a, _: F.startswith(a[0], a[1]),
    "ENDS_WITH": lambda a, _: F.endswith(a[0], a[1]),
    "POSITION": lambda a, _: F.position(a[0], a[1]).cast("bigint"),
    "REPLACE": lambda a, _: F.replace(a[0], a[1], a[2]),
    "LPAD": text_functions.pad(F.lpad),
    "RPAD": text_functions.pad(F.rpad),
    "SPLIT_PART": text_functions.split_part,
    "DATE": lambda a, _: (
        conversions.date_of(a[0]) if len(a) == 1 else pattern_texts.date_of_parts(*a)
    ),
    "TIMESTAMP": lambda a, _: conversions.timestamp_of(a[0]),
    "YEAR": _part(F.year),
    "QUARTER": _part(F.quarter),
    "MONTH": _part(F.month),
    "DAY": _part(F.dayofmonth),
    "WEEKDAY": _part(lambda d: F.weekday(d) + 1),
    "DATEDIFF": _date_diff,
    "DATEADD": _date_add,
    "EOMONTH": _end_of_month,
    "TO_STRING": conversions.to_string,
    "TO_INTEGER": conversions.to_integer,
    "TO_DECIMAL": conversions.to_decimal,
    "TO_DATE": pattern_texts.patterned_date,
}
"""IF, MOD and the clock's functions are other nodes, or values, by the time they get here."""

_ALIKE = frozenset({Kind.STRING, Kind.INTEGER, Kind.FLOAT})
_OF_OPERANDS_TYPE = frozenset(
    {"+", "-", "*", "%", "NEGATE", "ABS", "COALESCE", "NULLIF", "REQUIRE"}
    | {"MIN", "MAX", "LEAST", "GREATEST", "CONCAT", "UPPER", "LOWER", "TRIM", "LTRIM", "RTRIM"}
)
"""Of operands that are all alike, texts, integers or floats."""


AGGREGATES: dict[str, Callable[[Column], Column]] = {
    "SUM": F.sum,
    "COUNT": F.count,
    "COUNT_DISTINCT": F.countDistinct,
    "AVG": F.avg,
    "MIN_AGG": F.min,
    "MAX_AGG": F.max,
}
_OF_FLOATS = {"SUM": float_sum, "AVG": float_mean}
_LOWER_HALF = 2**32 - 1


def added_up(node: Aggregate) -> Bound | None:
    """What an aggregate is of; of a SUM of integers these, not the decimals that they become."""
    match node.function, node.argument:
        case "SUM", Convert(operand, kind) if _is_whole(operand) and kind.kind is Kind.DECIMAL:
            return operand
        case _, argument:
            return argument


def aggregate(node: Aggregate, value: Column, by: Column | None, over: Over = of_group) -> Column:
    """An aggregate of values (`added_up`) as a Column of exactly the type the binder inferred."""
    of = added_up(node)
    kind = None if of is None else of.type.kind
    if node.by is not None and by is not None:
        made = extreme_row(value, by, node.by.type.kind, over, greatest=node.function == "MAX_BY")
    elif kind is Kind.FLOAT and node.function in _OF_FLOATS:
        made = _OF_FLOATS[node.function](value, over)
    elif kind is Kind.INTEGER and node.function == "SUM":
        made = _whole_sum(value, over)
    elif node.function == "COUNT_DISTINCT" and over is not of_group:
        made = _different(value, kind, over)
    else:
        made = over(AGGREGATES[node.function](value))
    return made.cast(sql_type(node.type))


def _is_whole(node: Bound) -> bool:
    return node.type.kind is Kind.INTEGER


def _whole_sum(value: Column, over: Over) -> Column:
    """Both halves of integers are added up by themselves, in 64 bits: of two thousand million rows
    neither sum is too large, and decimals take Spark many times as long."""
    lower = value.bitwiseAND(F.lit(_LOWER_HALF))
    sums = [over(F.sum(half)).cast("decimal(20,0)") for half in (F.shiftright(value, 32), lower)]
    return sums[0] * F.lit(_LOWER_HALF + 1).cast("decimal(10,0)") + sums[1]


def _different(value: Column, kind: Kind | None, over: Over) -> Column:
    """Spark counts no different values over windows; and its sets tell 0.0 from -0.0."""
    told_apart = (value + F.lit(0.0)).cast("string") if kind is Kind.FLOAT else value
    return F.size(over(F.collect_set(told_apart)))


def call(node: Call, arguments: Sequence[Column]) -> Column:
    """A call as a Column of exactly the type the binder inferred."""
    made = FUNCTIONS[node.function](arguments, node)
    return made if _has_its_type(node) else made.cast(sql_type(node.type))


def _has_its_type(node: Call) -> bool:
    """Whether Spark takes it to be of that type as it is: a cast is a call into the JVM."""
    if node.type.kind is Kind.BOOLEAN:
        return True
    alike = node.type.kind in _ALIKE and all(each.type == node.type for each in node.arguments)
    return alike and node.function in _OF_OPERANDS_TYPE
