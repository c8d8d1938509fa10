"""Random expressions of the language, by the type they shall have; text that always parses."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from rowbook.expressions import types as t
from rowbook.expressions.evaluate import Value
from rowbook.expressions.scope import Field, Table

FIELDS = (
    Field("s", t.STRING),
    Field("w", t.STRING),
    Field("i", t.INTEGER),
    Field("k", t.INTEGER),
    Field("m", t.decimal(18, 2)),
    Field("r", t.decimal(24, 6)),
    Field("f", t.FLOAT),
    Field("b", t.BOOLEAN),
    Field("d", t.DATE),
    Field("e", t.DATE),
    Field("z", t.TIMESTAMP),
)
TABLE = Table.of(FIELDS)

_TEXTS = (
    *("", " ", "a", "EMEA", "emea", "Ünïcödé ß", "日本語", "👍🏽 ok", "10.50", "-7", "1e3"),
    *("2026-01-31", "2026-02-30", "31.01.2026", "a,b,,c", "100%", "x_y", "back\\slash", "it's"),
)
_INTEGERS = (0, 1, -1, 2, 3, 7, 12, 31, 100, 365, -40, 10**6, 2**31, 2**53, -(2**53))
_DECIMALS = (
    "0.00",
    "0.01",
    "-0.01",
    "1.00",
    "10.50",
    "-99.99",
    "0.05",
    "123456.78",
    "9999999999.99",
)
_RATES = ("0.000001", "1.000000", "0.917500", "146.294300", "-2.500000", "0.000000", "33.333333")
_FLOATS = (0.0, 1.0, -1.5, 0.1, 2.25, 1e10, -3.75e-3, 12345.678)


def random_row(pick: random.Random) -> dict[str, Value]:
    """A row of TABLE with NULLs, edges, unicode."""

    def maybe(value: Value) -> Value:
        return None if pick.random() < 0.15 else value

    day = date(2026, 1, 31) + timedelta(days=pick.choice((0, 1, -1, 28, 29, 365, -700, 1000, -30)))
    return {
        "s": maybe(pick.choice(_TEXTS)),
        "w": maybe(pick.choice(_TEXTS)),
        "i": maybe(pick.choice(_INTEGERS)),
        "k": maybe(pick.randint(-5, 12)),
        "m": maybe(Decimal(pick.choice(_DECIMALS))),
        "r": maybe(Decimal(pick.choice(_RATES))),
        "f": maybe(pick.choice(_FLOATS)),
        "b": maybe(pick.random() < 0.5),
        "d": maybe(day),
        "e": maybe(day + timedelta(days=pick.randint(-40, 40))),
        "z": maybe(
            datetime(day.year, day.month, day.day, pick.randint(0, 23), 30, 15, 120000, tzinfo=UTC)
        ),
    }


class Maker:
    """Makes expressions; `depth` bounds how far they nest."""

    def __init__(self, pick: random.Random) -> None:
        self.pick = pick

    def make(self, kind: str, depth: int) -> str:
        """An expression of a kind: text, int, dec, flo, bool, date, time."""
        if depth <= 0 or self.pick.random() < 0.15:
            return self.pick.choice(_LEAVES[kind])(self.pick)
        form = self.pick.choice(_FORMS[kind])
        return form(lambda k: self.make(k, depth - 1), self.pick)


Make = Callable[[str], str]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


_LEAVES: dict[str, tuple[Callable[[random.Random], str], ...]] = {
    "text": (
        lambda p: "s",
        lambda p: "w",
        lambda p: _quoted(p.choice(_TEXTS)),
        lambda p: p.choice(("PERIOD()", "PERIOD(-1)", "PERIOD(-20000)")),
    ),
    "int": (lambda p: "i", lambda p: "k", lambda p: "k", lambda p: str(p.randint(0, 40))),
    "dec": (
        lambda p: "m",
        lambda p: "r",
        lambda p: p.choice(("0.9", "1.25", "0.005", "100.00", "3.0")),
    ),
    "flo": (lambda p: "f", lambda p: "SQRT(k)", lambda p: "SQRT(ABS(f))"),
    "bool": (lambda p: "b", lambda p: p.choice(("TRUE", "FALSE")), lambda p: "i > 3"),
    "date": (
        lambda p: "d",
        lambda p: "e",
        lambda p: "DATE('2026-02-28')",
        lambda p: p.choice(("TODAY()", "PERIOD_START(-12)", "PERIOD_END()")),
    ),
    "time": (lambda p: "z", lambda p: "TIMESTAMP('2026-01-31T10:00:00Z')", lambda p: "NOW()"),
}


def _forms(*templates: str) -> tuple[Callable[[Make, random.Random], str], ...]:
    """Templates in which [kind] stands for an expression of that kind."""

    def form(template: str) -> Callable[[Make, random.Random], str]:
        parts = template.replace("]", "[").split("[")

        def build(make: Make, _: random.Random) -> str:
            return "".join(make(p) if i % 2 else p for i, p in enumerate(parts))

        return build

    return tuple(form(template) for template in templates)


def _of_any(kind: str) -> tuple[str, ...]:
    return (
        f"IF([bool], [{kind}], [{kind}])",
        f"COALESCE([{kind}], [{kind}])",
        f"NULLIF([{kind}], [{kind}])",
        f"CASE WHEN [bool] THEN [{kind}] WHEN [bool] THEN [{kind}] END",
        f"MIN([{kind}], [{kind}])",
        f"MAX([{kind}], [{kind}], [{kind}])",
        f"LEAST([{kind}], [{kind}], [{kind}])",
        f"GREATEST([{kind}], [{kind}])",
    )


def _patterned(kind: str, *patterns: str) -> tuple[str, ...]:
    return tuple(f"TO_STRING([{kind}], '{pattern}')" for pattern in patterns)


_COMPARED = tuple(
    f"[{kind}] {op} [{kind}]"
    for kind in ("text", "int", "dec", "flo", "date", "time")
    for op in ("=", "<>", "<", "<=", ">", ">=")
)

_FORMS: dict[str, tuple[Callable[[Make, random.Random], str], ...]] = {
    "text": _forms(
        *_of_any("text"),
        *("CONCAT([text], [text])", "UPPER([text])", "LOWER([text])", "TRIM([text])"),
        *("LTRIM([text])", "RTRIM([text])", "LEFT([text], [int])", "RIGHT([text], [int])"),
        *("SUBSTRING([text], [int], [int])", "SUBSTRING([text], [int])"),
        *("REPLACE([text], [text], [text])", "LPAD([text], k, [text])", "RPAD([text], k)"),
        *("SPLIT_PART([text], ',', [int])", "SPLIT_PART([text], [text], k)"),
        *("TO_STRING([int])", "TO_STRING([dec])", "TO_STRING([bool])", "TO_STRING([date])"),
        *("TO_STRING([time])",),
        *_patterned("date", "yyyy-MM", "d.M.yy", "d MMM yyyy", "Q/MMMM"),
        *_patterned("time", "yyyyMMdd HH:mm:ss", "d MMM yy HH:mm:ss.SSS", "SSSSSS S"),
        *_patterned("dec", "#,##0.00", "0.0%", "#,##0.0#;(#,##0.0#)", "€ 000.###", "#.0"),
        *_patterned("int", "#,##0", "0.00", "0%", "0,000;-0"),
        *_patterned("flo", "#,##0.00", "0.0###;(0)", "0.#%"),
    ),
    "int": _forms(
        *_of_any("int"),
        *("[int] + [int]", "[int] - [int]", "k * [int]", "[int] % [int]", "MOD([int], [int])"),
        *("-([int])", "ABS([int])", "FLOOR([dec])", "CEIL([dec])", "FLOOR([flo])", "SIGN([dec])"),
        *("LEN([text])", "YEAR([date])", "QUARTER([date])", "MONTH([time])", "DAY([date])"),
        *("WEEKDAY([date])", "DATEDIFF([date], [date])", "TO_INTEGER([text])"),
        *("TO_INTEGER([dec])", "TO_INTEGER([flo])", "ROUND([int], -1)"),
        *("POSITION([text], [text])", "DATEDIFF([date], [time], 'month')"),
        *("DATEDIFF([date], [date], 'month')", "DATEDIFF([time], [date], 'year')"),
    ),
    "dec": _forms(
        *_of_any("dec"),
        *("[dec] + [dec]", "[dec] - [int]", "m * r", "m * [int]", "[int] / [int]", "m / r"),
        *("[dec] % [dec]", "ROUND([dec], 2)", "ROUND([dec])", "ROUND([dec], -1)", "ABS([dec])"),
        *("-([dec])", "TO_DECIMAL([text], 18, 2)", "TO_DECIMAL([dec], 12, 1)"),
        *("TO_DECIMAL([int], 20, 3)",),
    ),
    "flo": _forms(
        *_of_any("flo"),
        *("[flo] + [flo]", "[flo] - [dec]", "[flo] * [flo]", "[flo] / [flo]", "[flo] % [flo]"),
        *("-([flo])", "ABS([flo])", "SQRT([flo])", "ROUND([flo], 2)"),
    ),
    "bool": _forms(
        *_of_any("bool"),
        *_COMPARED,
        *("[bool] AND [bool]", "[bool] OR [bool]", "NOT [bool]", "AND([bool], [bool], [bool])"),
        *("[text] IS NULL", "[dec] IS NOT NULL", "ISNULL([int])", "[text] IN ('a', [text], NULL)"),
        *("[int] IN (1, 2, [int])", "[dec] NOT IN (1, 2.5)", "[int] BETWEEN [int] AND [int]"),
        *("[date] NOT BETWEEN [date] AND [date]", "[text] LIKE '%a%'", "[text] LIKE '_%'"),
        *("[text] LIKE '100\\\\%'", "[text] NOT LIKE [text]", "CONTAINS([text], [text])"),
        *("STARTS_WITH([text], [text])", "ENDS_WITH([text], [text])", "[time] >= [date]"),
    ),
    "date": _forms(
        *_of_any("date"),
        *(
            "[date] + k",
            "[date] - [int] % 100",
            "DATEADD([date], k)",
            "DATEADD([date], k, 'month')",
        ),
        *("DATEADD([date], k, 'year')", "EOMONTH([date])", "DATE([text])"),
        *("TO_DATE([text], 'dd.MM.yyyy')", "TO_DATE([text], 'yyyy-MM-dd')", "EOMONTH([time])"),
        *("TO_DATE([text], 'd.M.yyyy')", "TO_DATE([text], 'yyyy-MM')", "EOMONTH([date], k)"),
        *("EOMONTH([time], k)", "DATE(2026, k, [int])", "DATE([int], k, 28)"),
        "TO_DATE(TO_STRING([date], 'd MMM yy'), 'd MMM yy')",
        "TO_DATE(TO_STRING([date], 'MMMM d, yyyy'), 'MMMM d, yyyy')",
    ),
    "time": _forms(*_of_any("time"), "TIMESTAMP([text])"),
}

KINDS = tuple(_FORMS)
