"""Words that people bring along from SQL and from spreadsheets, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rowbook.errors import suggestion

_COALESCE = "COALESCE(x, y) is the first that is not NULL"
_JOIN = "columns of another dataset come in by `joins` of an update, or by a lookup of the dataset"
_IF_TOTAL = "aggregate the rows that a selector picks, or write SUM(IF(condition, x, 0))"
_CONVERT = "TO_INTEGER(x), TO_DECIMAL(x, p, s), TO_STRING(x) and TO_DATE(x, 'yyyy-MM-dd') convert"
WINDOWS_HINT = (
    "`windows` of an update give each row a value of its group:"
    ' windows: [{alias: g, by: [entity], values: {total: "SUM(amount)"}}], then g.total'
)
ORDERED_HINT = (
    "`windows` of an update number rows in an order:"
    " windows: [{alias: n, by: [entity], order_by: [-amount], values: {number:"
    ' "ROW_NUMBER()"}}], then n.number'
)
_FIND = "CONTAINS(x, y), STARTS_WITH(x, y), LIKE and SPLIT_PART(x, separator, n) look into texts"
_TODAY = "TODAY() is the day, NOW() the moment at which the run started"
_PARTS = "YEAR(d), QUARTER(d), MONTH(d), DAY(d) and WEEKDAY(d) are the parts of a date"
_SHIFT = "DATEADD(d, n, 'day'|'month'|'year') moves a date"

FUNCTION_HINTS: Mapping[str, str] = {
    **dict.fromkeys(("IFNULL", "NVL", "IFNA", "ZN"), _COALESCE),
    **dict.fromkeys(("IFERROR", "TRY", "DIV0", "SAFE_DIVIDE"), f"x / 0 is NULL; {_COALESCE}"),
    **dict.fromkeys(("CAST", "CONVERT", "TRY_CAST", "SAFE_CAST", "TO_NUMBER", "VALUE"), _CONVERT),
    **dict.fromkeys(("GREATEST",), "MAX(x, y) is the greater of values in a row"),
    **dict.fromkeys(("LEAST",), "MIN(x, y) is the lesser of values in a row"),
    **dict.fromkeys(("IIF", "NVL2", "WHEN"), "IF(condition, x, y), or CASE WHEN … THEN … END"),
    **dict.fromkeys(("DECODE", "SWITCH", "IFS", "CHOOSE"), "CASE WHEN … THEN … ELSE … END"),
    **dict.fromkeys(("VLOOKUP", "HLOOKUP", "XLOOKUP", "LOOKUP", "INDEX", "MATCH"), _JOIN),
    **dict.fromkeys(("SUMIF", "SUMIFS", "SUMPRODUCT", "SUM_IF"), _IF_TOTAL),
    **dict.fromkeys(
        ("COUNTIF", "COUNTIFS", "COUNT_IF", "COUNTA"),
        "aggregate the rows that a selector picks, or write SUM(IF(condition, 1, 0))",
    ),
    **dict.fromkeys(("AVERAGE", "MEAN"), "AVG(x) is the mean of an aggregate"),
    **dict.fromkeys(("LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH"), "LEN(x) counts characters"),
    **dict.fromkeys(("SUBSTR", "MID"), "SUBSTRING(x, start, length) counts from 1"),
    **dict.fromkeys(("INSTR", "POSITION", "CHARINDEX", "FIND", "SEARCH", "REGEXP_LIKE"), _FIND),
    **dict.fromkeys(("TO_CHAR", "TEXT", "STR", "FORMAT"), "TO_STRING(x) is the text of a value"),
    **dict.fromkeys(("CONCATENATE", "CONCAT_WS", "TEXTJOIN", "STRING_AGG"), "CONCAT(x, y, …)"),
    **dict.fromkeys(("CURRENT_DATE", "GETDATE", "SYSDATE", "CURRENT_TIMESTAMP"), _TODAY),
    **dict.fromkeys(("EXTRACT", "DATE_PART", "DATEPART", "DATE_TRUNC"), _PARTS),
    **dict.fromkeys(("DATE_ADD", "ADD_MONTHS", "EDATE", "DATE_SUB"), _SHIFT),
    **dict.fromkeys(("LAST_DAY",), "EOMONTH(d) is the last day of the month"),
    **dict.fromkeys(("DAYS", "DATE_DIFF"), "DATEDIFF(end, start) is the number of days"),
    **dict.fromkeys(("INT", "TRUNC", "TRUNCATE"), "TO_INTEGER(x) cuts off, ROUND(x, n) rounds"),
    **dict.fromkeys(("CEILING", "ROUNDUP"), "CEIL(x) rounds up"),
    **dict.fromkeys(("ROUNDDOWN",), "FLOOR(x) rounds down"),
    **dict.fromkeys(("POW",), "POWER(x, y)"),
    **dict.fromkeys(("PROPER", "INITCAP", "SUBSTITUTE"), "UPPER(x), LOWER(x), REPLACE(x, y, z)"),
    **dict.fromkeys(("SUBTOTAL", "RATIO_TO_REPORT", "TRANSFORM", "GROUPBY"), WINDOWS_HINT),
    **dict.fromkeys(("DENSE_RANK", "NTILE", "CUMSUM", "SHIFT", "DIFF"), ORDERED_HINT),
    **dict.fromkeys(
        ("FIRST_VALUE", "LAST_VALUE", "FIRST", "LAST", "ARG_MAX", "ARG_MIN", "ARGMAX", "ARGMIN"),
        "MIN_BY(x, order) and MAX_BY(x, order) are x of a group's first and last row",
    ),
}
"""By the function's name in upper case."""

WORD_HINTS: Mapping[str, str] = {
    "OVER": WINDOWS_HINT,
    "PARTITION": WINDOWS_HINT,
    "AS": _CONVERT,
    "SELECT": "an expression is one value or condition: columns, operators and functions",
    "WHERE": "which rows an operation is for stands under `selector`",
    "FROM": _JOIN,
    "JOIN": _JOIN,
    "GROUP": "groups stand under `group_by` of an aggregate",
    "HAVING": "which groups are wanted is for a later operation's `selector`",
    "ISNULL": "write x IS NULL, or ISNULL(x)",
    "NOTNULL": "write x IS NOT NULL",
    "ILIKE": "LIKE tells capitals apart: write LOWER(x) LIKE 'a%'",
    "RLIKE": _FIND,
}
"""By a word that stands where an expression has ended, in upper case."""

_NO_PERIODS = (
    "the dataset has no periods: say `temporal_mode: period` in its table, and `period_from:` with"
    " a date column where rows have no `_period`"
)


def column_hint(name: str, known: Sequence[str]) -> str | None:
    """For a column that is not there: one that was meant, or how a dataset gets its periods."""
    return _NO_PERIODS if name == "_period" else suggestion(name, known, "columns")
