# ruff: noqa: E501
"""The functions of the language: one row each (name, signature, result, what NULL does, a line of
documentation). The binder checks calls against this table, the engine has one row for each name to
say it to Spark, and the reference in docs/ is printed from it.

A signature reads `x: number, [digits: integer literal]`: brackets mean optional, `…` repeated,
`literal` that it must be written out, and `T` that all parameters of type T are brought to one
common type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from rowbook.expressions import types as t
from rowbook.expressions.types import Kind, Type
from rowbook.value_class import dataclass


class Nulls(Enum):
    PROPAGATE = "NULL if any argument is NULL"
    POSSIBLE = "NULL where there is no answer"
    IF_ALL = "NULL only if all arguments are NULL"
    NEVER = "never NULL"
    IGNORED = "NULLs are left out; NULL if nothing is left"


class Group(Enum):
    LOGIC = "Conditions and NULL"
    NUMBER = "Numbers"
    TEXT = "Text"
    TIME = "Dates and times"
    CONVERSION = "Conversion"
    AGGREGATE = "Aggregates"
    WINDOW = "Order in windows"
    SUMMARY = "Summary rows"
    OPERATOR = "Operators"


ACCEPTS: Mapping[str, frozenset[Kind]] = {
    "any": frozenset(Kind),
    "T": frozenset(Kind),
    "number": frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT}),
    "integer": frozenset({Kind.INTEGER}),
    "float": frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT}),
    "string": frozenset({Kind.STRING}),
    "boolean": frozenset({Kind.BOOLEAN}),
    "date": frozenset({Kind.DATE}),
    "day": frozenset({Kind.DATE, Kind.TIMESTAMP}),
    "text or number": frozenset({Kind.STRING, Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT}),
    "text or integer": frozenset({Kind.STRING, Kind.INTEGER}),
}

SHOWN_AS = {"day": "date or timestamp", "float": "number", "T": "value", "any": "value"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a signature; `accepts` is a key of ACCEPTS."""

    name: str
    accepts: str
    literal: bool = False
    optional: bool = False
    repeated: bool = False

    def __str__(self) -> str:
        kind = SHOWN_AS.get(self.accepts, self.accepts)
        text = f"{self.name}: {kind}{' literal' * self.literal}{'…' * self.repeated}"
        return f"[{text}]" if self.optional else text


Result: TypeAlias = Type | str | Callable[[Sequence[Type], Sequence[object]], Type]
"""A fixed type, `T`, or made from the arguments' types and literal values."""


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    signature: str
    parameters: tuple[Parameter, ...]
    result: Result
    nulls: Nulls
    doc: str
    group: Group

    @property
    def is_aggregate(self) -> bool:
        return self.group is Group.AGGREGATE

    @property
    def is_position(self) -> bool:
        return self.group is Group.WINDOW

    @property
    def usage(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parameters))})"

    @property
    def fewest(self) -> int:
        return sum(not p.optional for p in self.parameters)

    @property
    def most(self) -> int | None:
        """The greatest number of arguments; None for any."""
        return None if self.parameters and self.parameters[-1].repeated else len(self.parameters)

    def parameter(self, index: int) -> Parameter:
        return self.parameters[min(index, len(self.parameters) - 1)]


def _parameters(signature: str) -> tuple[Parameter, ...]:
    return tuple(_parameter(part.strip()) for part in signature.split(",") if part.strip())


def _parameter(text: str) -> Parameter:
    name, _, accepts = text.strip("[]…").partition(": ")
    literal = accepts.endswith(" literal")
    accepts = accepts.removesuffix(" literal")
    if accepts not in ACCEPTS:
        raise ValueError(f"unknown parameter type in a signature: {text}")
    return Parameter(name, accepts, literal, text.startswith("["), text.rstrip("]").endswith("…"))


def _same(types: Sequence[Type], _: Sequence[object]) -> Type:
    return types[0]


def _rounded(types: Sequence[Type], literals: Sequence[object]) -> Type:
    value = types[0]
    if value.kind is not Kind.DECIMAL:
        return value
    digits = literals[1] if len(literals) > 1 and isinstance(literals[1], int) else 0
    if digits < 0:
        return t.decimal(min(max(value.integer_digits, -digits) + 1, t.MAX_PRECISION), 0)
    scale = min(value.scale, digits)
    return t.decimal(min(value.integer_digits + 1 + scale, t.MAX_PRECISION), scale)


def _to_decimal(_: Sequence[Type], literals: Sequence[object]) -> Type:
    precision, scale = literals[1], literals[2]
    if isinstance(precision, int) and isinstance(scale, int):
        return t.decimal(precision, scale)
    return t.UNKNOWN


def _summed(types: Sequence[Type], _: Sequence[object]) -> Type:
    value = t.as_decimal(types[0])
    if value.kind is not Kind.DECIMAL:
        return value
    return t.decimal(min(value.precision + 10, t.MAX_PRECISION), value.scale)


def _averaged(types: Sequence[Type], _: Sequence[object]) -> Type:
    value = t.as_decimal(types[0])
    if value.kind is not Kind.DECIMAL:
        return value
    scale = min(value.scale + 4, t.MAX_PRECISION)
    return t.decimal(min(value.precision + 4, t.MAX_PRECISION), scale)


_P, _N, _I = Nulls.PROPAGATE, Nulls.POSSIBLE, Nulls.IGNORED

_ROWS: tuple[tuple[Group, tuple[tuple[str, str, Result, Nulls, str], ...]], ...] = (
    (
        Group.LOGIC,
        (
            ("IF", "condition: boolean, then: T, otherwise: T", "T", _N, "`then` where the condition is TRUE, else `otherwise`"),
            ("ISNULL", "x: any", t.BOOLEAN, Nulls.NEVER, "whether x is NULL; also written IS_NULL(x) or x IS NULL"),
            ("COALESCE", "x: T…", "T", Nulls.IF_ALL, "the first argument that is not NULL"),
            ("NULLIF", "a: T, b: T", "T", _N, "NULL where a equals b, else a"),
            ("REQUIRE", "x: any", _same, Nulls.NEVER, "x; the run fails where it is NULL on a row that the update picks (RUN_013)"),
        ),
    ),
    (
        Group.NUMBER,
        (
            ("ABS", "x: number", _same, _P, "x without its sign"),
            ("ROUND", "x: number, [digits: integer literal]", _rounded, _P, "half up, away from zero; negative digits round to tens, hundreds …"),
            ("FLOOR", "x: number", t.INTEGER, _P, "the greatest integer not above x"),
            ("CEIL", "x: number", t.INTEGER, _P, "the least integer not below x"),
            ("MOD", "x: number, y: number", _same, _N, "the remainder of x / y with the sign of x; NULL where y is 0"),
            ("MIN", "a: T, b: T…", "T", _P, "the least of its arguments; of the rows of a group: MIN_AGG"),
            ("MAX", "a: T, b: T…", "T", _P, "the greatest of its arguments; of the rows of a group: MAX_AGG"),
            ("LEAST", "a: T, b: T…", "T", Nulls.IF_ALL, "the least of those arguments that are not NULL"),
            ("GREATEST", "a: T, b: T…", "T", Nulls.IF_ALL, "the greatest of those arguments that are not NULL"),
            ("SIGN", "x: number", t.INTEGER, _P, "-1, 0 or 1"),
            ("POWER", "x: float, y: float", t.FLOAT, _N, "x to the power of y; NULL where that is not a number"),
            ("SQRT", "x: float", t.FLOAT, _N, "the square root; NULL for a negative x"),
        ),
    ),
    (
        Group.TEXT,
        (
            ("CONCAT", "s: string…", t.STRING, _P, "the texts one after the other"),
            ("UPPER", "s: string", t.STRING, _P, "in capital letters"),
            ("LOWER", "s: string", t.STRING, _P, "in small letters"),
            ("TRIM", "s: string", t.STRING, _P, "without spaces at both ends"),
            ("LTRIM", "s: string", t.STRING, _P, "without spaces at the start"),
            ("RTRIM", "s: string", t.STRING, _P, "without spaces at the end"),
            ("LEFT", "s: string, n: integer", t.STRING, _P, "the first n characters"),
            ("RIGHT", "s: string, n: integer", t.STRING, _P, "the last n characters"),
            ("SUBSTRING", "s: string, start: integer, [length: integer]", t.STRING, _P, "from character `start`, counted from 1"),
            ("LEN", "s: string", t.INTEGER, _P, "the number of characters (code points)"),
            ("CONTAINS", "s: string, part: string", t.BOOLEAN, _P, "whether part occurs in s"),
            ("STARTS_WITH", "s: string, part: string", t.BOOLEAN, _P, "whether s starts with part"),
            ("ENDS_WITH", "s: string, part: string", t.BOOLEAN, _P, "whether s ends with part"),
            ("POSITION", "part: string, s: string", t.INTEGER, _P, "where part first stands in s, counted from 1; 0 where it does not"),
            ("REPLACE", "s: string, old: string, new: string", t.STRING, _P, "every `old` in s replaced by `new`"),
            ("LPAD", "s: string, length: integer, [fill: string]", t.STRING, _P, "filled on the left, or cut, to a length; the filling is a space"),
            ("RPAD", "s: string, length: integer, [fill: string]", t.STRING, _P, "filled on the right, or cut, to a length; the filling is a space"),
            ("SPLIT_PART", "s: string, separator: string, n: integer", t.STRING, _P, "the n-th part, counted from 1; '' where there is none"),
        ),
    ),
    (
        Group.TIME,
        (
            ("DATE", "s: text or integer, [month: integer], [day: integer]", t.DATE, _N, "the date of an ISO text, or of a year, month and day; NULL where it is none"),
            ("TIMESTAMP", "s: string", t.TIMESTAMP, _N, "the instant of an ISO text, UTC where it names no zone; NULL where it is none"),
            ("TODAY", "", t.DATE, Nulls.NEVER, "the day the run started (UTC)"),
            ("NOW", "", t.TIMESTAMP, Nulls.NEVER, "the instant the run started"),
            ("PERIOD", "[n: integer literal]", t.STRING, _N, "the identifier of the run's period, or of the one n periods after it (-1: the one before); NULL where the calendar has none"),
            ("PERIOD_START", "[n: integer literal]", t.DATE, _N, "the first day of the run's period, or of the one n periods after it; NULL where the calendar has none"),
            ("PERIOD_END", "[n: integer literal]", t.DATE, _N, "the last day of the run's period, or of the one n periods after it; NULL where the calendar has none"),
            ("YEAR", "d: day", t.INTEGER, _P, "the year"),
            ("QUARTER", "d: day", t.INTEGER, _P, "1 to 4"),
            ("MONTH", "d: day", t.INTEGER, _P, "1 to 12"),
            ("DAY", "d: day", t.INTEGER, _P, "the day of the month"),
            ("WEEKDAY", "d: day", t.INTEGER, _P, "1 (Monday) to 7"),
            ("DATEDIFF", "end: day, start: day, [unit: string literal]", t.INTEGER, _P, "days from start to end, or with 'month' or 'year' the whole ones: as many as DATEADD can add to start without passing end; negative where end is before start"),
            ("DATEADD", "d: date, n: integer, [unit: string literal]", t.DATE, _P, "n days later, or 'month' or 'year'; the last day of a month stays within the month"),
            ("EOMONTH", "d: day, [n: integer]", t.DATE, _P, "the last day of the month, or of the n-th month after it"),
        ),
    ),
    (
        Group.CONVERSION,
        (
            ("TO_STRING", "x: any, [pattern: string literal]", t.STRING, _P, "`true`, ISO dates, decimals with their scale; or a date, timestamp or number by a pattern such as 'yyyy-MM' or '#,##0.00'"),
            ("TO_INTEGER", "x: text or number", t.INTEGER, _N, "without its fraction; NULL where it is no number or too large"),
            ("TO_DECIMAL", "x: text or number, precision: integer literal, scale: integer literal", _to_decimal, _N, "rounded half up; NULL where it is no number or too large"),
            ("TO_DATE", "s: string, format: string literal", t.DATE, _N, "the date of a text by a pattern such as 'dd.MM.yyyy' or 'd MMM yy'; NULL where it is none"),
        ),
    ),
    (
        Group.AGGREGATE,
        (
            ("SUM", "x: number", _summed, _I, "the sum, exact; of floats the float that is nearest to it"),
            ("COUNT", "x: any", t.INTEGER, Nulls.NEVER, "how many values are not NULL; COUNT(*), also COUNT_ALL(), how many rows"),
            ("COUNT_DISTINCT", "x: any", t.INTEGER, Nulls.NEVER, "how many different values that are not NULL"),
            ("AVG", "x: number", _averaged, _I, "the mean: SUM divided by the number of values"),
            ("MIN_AGG", "x: any", _same, _I, "the least value"),
            ("MAX_AGG", "x: any", _same, _I, "the greatest value"),
            ("MIN_BY", "x: any, order: any", _same, _I, "x of the row with the least order; of several such rows the least x"),
            ("MAX_BY", "x: any, order: any", _same, _I, "x of the row with the greatest order; of several such rows the least x"),
        ),
    ),
    (
        Group.WINDOW,
        (
            ("ROW_NUMBER", "", t.INTEGER, _N, "the number of the row in the window's order, from 1"),
            ("RANK", "", t.INTEGER, _N, "one more than the rows that come before it by `order_by`: equal rows have equal ranks"),
            ("LAG", "x: any, [n: integer literal]", _same, _N, "x of the row that is n rows before; n is 1 where it is left out"),
            ("LEAD", "x: any, [n: integer literal]", _same, _N, "x of the row that is n rows after; n is 1 where it is left out"),
        ),
    ),
    (
        Group.SUMMARY,
        (
            ("LEVEL", "", t.STRING, Nulls.NEVER, "the name of the level that the summary row is of"),
        ),
    ),
)  # fmt: skip

FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {
        name: Function(name, signature, _parameters(signature), result, nulls, doc, group)
        for group, rows in _ROWS
        for name, signature, result, nulls, doc in rows
    }
)

SPELLINGS: Mapping[str, str] = {"IS_NULL": "ISNULL", "IFNULL": "COALESCE"}

OPERATORS = frozenset(
    {"+", "-", "*", "/", "%", "NEGATE", "AND", "OR", "NOT", "LIKE"}
    | {"=", "<>", "<", "<=", ">", ">="}
)

DATE_UNITS = ("day", "month", "year")

OF_RUN = frozenset({"NOW", "TODAY", "PERIOD", "PERIOD_START", "PERIOD_END"})
"""What the run says, the same on every row of it."""
