"""A worked example for each function, and words for what its table row cannot say."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "IF": ("IF(amount < 0, 'credit', 'debit')", "IF(NULL, 'yes', 'no')"),
    "ISNULL": ("ISNULL(cost_center_code)",),
    "COALESCE": ("COALESCE(cost_center_code, 'none')",),
    "NULLIF": ("NULLIF(account_code, '4000')", "NULLIF(quantity, 0)"),
    "REQUIRE": ("REQUIRE(account_code)", "REQUIRE(TO_DECIMAL(account_code, 18, 2))"),
    "ABS": ("ABS(amount)",),
    "ROUND": ("ROUND(2.345, 2)", "ROUND(-2.5)", "ROUND(amount, -2)"),
    "FLOOR": ("FLOOR(amount)",),
    "CEIL": ("CEIL(amount)",),
    "MOD": ("MOD(-7, 3)", "MOD(quantity, 0)"),
    "MIN": ("MIN(amount, 0)",),
    "MAX": ("MAX(posting_date, DATE('2026-01-15'))",),
    "LEAST": ("LEAST(quantity, NULL, 9)",),
    "GREATEST": ("GREATEST(amount, 0)", "GREATEST(cost_center_code, account_code)"),
    "SIGN": ("SIGN(amount)",),
    "POWER": ("POWER(1.05, 2)",),
    "SQRT": ("SQRT(2.25)", "SQRT(-1)"),
    "CONCAT": ("CONCAT(account_code, '-', journal_id)", "CONCAT(account_code, cost_center_code)"),
    "UPPER": ("UPPER('Revenue')",),
    "LOWER": ("LOWER('Revenue')",),
    "TRIM": ("TRIM(description)",),
    "LTRIM": ("LTRIM(description)",),
    "RTRIM": ("RTRIM(description)",),
    "LEFT": ("LEFT(account_code, 1)",),
    "RIGHT": ("RIGHT(journal_id, 3)",),
    "SUBSTRING": ("SUBSTRING(journal_id, 4, 4)", "SUBSTRING(journal_id, 9)"),
    "LEN": ("LEN(account_code)",),
    "CONTAINS": ("CONTAINS(description, 'Sales')",),
    "STARTS_WITH": ("STARTS_WITH(account_code, '4')",),
    "ENDS_WITH": ("ENDS_WITH(account_code, '99')",),
    "POSITION": ("POSITION('-', journal_id)", "POSITION('x', journal_id)"),
    "REPLACE": ("REPLACE(journal_id, '-', '/')",),
    "LPAD": ("LPAD('17', 6, '0')", "LPAD(journal_id, 2)"),
    "RPAD": ("RPAD(account_code, 6, '0')",),
    "SPLIT_PART": ("SPLIT_PART(journal_id, '-', 2)", "SPLIT_PART(journal_id, '-', 9)"),
    "DATE": ("DATE('2026-01-31')", "DATE(account_code)", "DATE(2026, 1, 31)", "DATE(2026, 2, 31)"),
    "TIMESTAMP": ("TIMESTAMP('2026-01-31T10:00:00+01:00')", "TIMESTAMP('2026-01-31')"),
    "TODAY": ("TODAY()",),
    "NOW": ("NOW()",),
    "PERIOD": ("PERIOD()", "PERIOD(-1)"),
    "PERIOD_START": ("PERIOD_START()", "PERIOD_START(-12)"),
    "PERIOD_END": ("PERIOD_END()", "PERIOD_END(1)"),
    "YEAR": ("YEAR(posting_date)",),
    "QUARTER": ("QUARTER(posting_date)",),
    "MONTH": ("MONTH(posting_date)",),
    "DAY": ("DAY(posted_at)",),
    "WEEKDAY": ("WEEKDAY(posting_date)",),
    "DATEDIFF": (
        "DATEDIFF(TODAY(), posting_date)",
        "DATEDIFF(DATE('2026-02-28'), posting_date, 'month')",
        "DATEDIFF(DATE('2026-02-27'), posting_date, 'month')",
        "DATEDIFF(posting_date, DATE('2028-01-31'), 'year')",
    ),
    "DATEADD": ("DATEADD(posting_date, 30)", "DATEADD(posting_date, 1, 'month')"),
    "EOMONTH": (
        "EOMONTH(DATE('2026-02-03'))",
        "EOMONTH(posting_date, -1)",
        "EOMONTH(posting_date, 1)",
    ),
    "TO_STRING": (
        *("TO_STRING(amount)", "TO_STRING(is_manual)", "TO_STRING(posted_at)"),
        *("TO_STRING(posting_date, 'yyyy-MM')", "TO_STRING(posting_date, 'd MMM yy')"),
        *("TO_STRING(posted_at, 'dd.MM.yyyy HH:mm')", "TO_STRING(amount, '#,##0.00')"),
        *("TO_STRING(amount, '#,##0;(#,##0)')", "TO_STRING(rate, '0.0%')"),
    ),
    "TO_INTEGER": ("TO_INTEGER(amount)", "TO_INTEGER('12 pieces')"),
    "TO_DECIMAL": ("TO_DECIMAL('10.555', 18, 2)", "TO_DECIMAL(account_code, 3, 0)"),
    "TO_DATE": (
        *("TO_DATE('31.01.2026', 'dd.MM.yyyy')", "TO_DATE('5 Jan 26', 'd MMM yy')"),
        *("TO_DATE('2026-01', 'yyyy-MM')", "TO_DATE('soon', 'yyyy-MM-dd')"),
    ),
    "SUM": ("SUM(amount)", "SUM(quantity)"),
    "COUNT": ("COUNT(quantity)", "COUNT(*)"),
    "COUNT_DISTINCT": ("COUNT_DISTINCT(journal_id)",),
    "AVG": ("AVG(amount)", "SUM(amount) / COUNT(*)"),
    "MIN_AGG": ("MIN_AGG(amount)",),
    "MAX_AGG": ("MAX_AGG(posting_date)",),
    "MIN_BY": ("MIN_BY(journal_id, amount)",),
    "MAX_BY": ("MAX_BY(journal_id, amount)", "MAX_BY(amount, quantity)"),
    "ROW_NUMBER": ("ROW_NUMBER()",),
    "RANK": ("RANK()",),
    "LAG": ("LAG(amount)", "LAG(journal_id, 2)"),
    "LEAD": ("LEAD(amount)",),
    "LEVEL": ("LEVEL()", "CONCAT('total of ', LEVEL())"),
}
"""By the name of the function: expressions whose values are computed for the page."""

RESULTS: Mapping[str, str] = {
    "REQUIRE": "the type of x",
    "ABS": "the type of x",
    "ROUND": "the type of x; a decimal keeps at most `digits` decimals",
    "MOD": "the type of `x % y`",
    "TO_DECIMAL": "decimal(precision,scale)",
    "SUM": "a decimal with ten digits more than x; float for a float",
    "AVG": "a decimal with four decimals more than x; float for a float",
    "MIN_AGG": "the type of x",
    "MAX_AGG": "the type of x",
    "MIN_BY": "the type of x",
    "MAX_BY": "the type of x",
    "LAG": "the type of x",
    "LEAD": "the type of x",
}
"""The result of a function whose type depends on its arguments."""

NULLS: Mapping[str, str] = {
    "IF": "a condition that is NULL counts as not TRUE; the result is NULL if the chosen value is",
    "NULLIF": "NULL if a is NULL; a NULL in b changes nothing",
    **dict.fromkeys(
        ("MIN_BY", "MAX_BY"), "rows whose order is NULL are left out; NULL if nothing is left"
    ),
    **dict.fromkeys(
        ("ROW_NUMBER", "RANK"), "NULL on a row that the window's selector does not pick"
    ),
    **dict.fromkeys(
        ("LAG", "LEAD"),
        "NULL where no row is so far away, and on a row that the window's selector does not pick",
    ),
}
"""What NULL does, where the words of the table do not say it."""

NOTES: Mapping[str, str] = {
    "REQUIRE": """\
It stands in assignments of an update, and is checked on all rows that the update picks before any
of them gets a value, whether or not somebody reads the column. `REQUIRE(TO_DECIMAL(text, 18, 2))`
is the strict conversion: the run ends with [RUN_013](errors.md#run_013), which says how many rows
have no number, and shows them. What an expression does not evaluate, as the other branch of an IF,
asks for nothing. Elsewhere it is refused ([EXPR_007](errors.md#expr_007)).""",
    "TO_STRING": """\
In a pattern of a date, `yyyy` is the year and `yy` its last two digits, `MM` the month, `M` without
a zero before it, `MMM` and `MMMM` its English name, `dd` and `d` the day, `Q` the quarter. A
timestamp also has `HH`, `mm`, `ss` and `S` … `SSSSSS`, in UTC. In a pattern of a number, `0` is a
digit that is always there and `#` one that is left out where it is a zero at the edge; `,` before
three digits groups thousands, `%` is for hundred times the number, and what stands after `;` is for
negative numbers. It is rounded half up. Everything else stands for itself, letters in single quotes
(doubled inside a text: `'yyyy-''Q''Q'`). A float that has more than 38 digits is NULL. Patterns are
checked before anything runs.""",
    "TO_DATE": """\
The fields are those of TO_STRING: a year, a month, and a day, without which it is the first of the
month. `M` and `d` take one digit or two, the others just as many as they have letters, `yy` is a
year from 2000 to 2099, and names of months are English, in any case.""",
    "DATEDIFF": """\
A month is complete on the day that `DATEADD(start, 1, 'month')` gives: from January 31 it is
February 28. So it is for years: from February 29, 2024 it is February 28, 2025.""",
}
"""What a line cannot say."""
