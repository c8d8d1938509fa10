"""Words that people bring along from SQL, spreadsheets and pandas, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rowbook.errors import suggestion

_COALESCE = "COALESCE(x, y), also IFNULL, is the first that is not NULL"
_NULLS = "write x IS NULL or x IS NOT NULL; COALESCE(x, y) is the first that is not NULL"
_JOIN = "columns of another dataset come in by `joins` of an update, or by a lookup of the dataset"
_IF_TOTAL = "aggregate the rows that a selector picks, or write SUM(IF(condition, x, 0))"
_IF_EXTREME = "aggregate the rows that a selector picks, or write MAX_AGG(IF(condition, x, NULL))"
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
_NUMBERS = "TO_DECIMAL(x, p, s) and TO_INTEGER(x) are NULL where it is no number"
_READ_DATES = "TO_DATE(x, 'dd.MM.yyyy') and TIMESTAMP(x) read texts, NULL where there is no date"
_FIND = (
    "POSITION(part, x) is where it stands; CONTAINS(x, y), STARTS_WITH(x, y), LIKE and"
    " SPLIT_PART(x, separator, n) look into texts"
)
_REGEX = "there are no regular expressions: LIKE, CONTAINS, REPLACE and SPLIT_PART look into texts"
_TEXT = "TO_STRING(x, 'yyyy-MM') or TO_STRING(x, '#,##0.00') writes a value by a pattern"
_TODAY = "TODAY() is the day, NOW() the moment at which the run started"
_PARTS = "YEAR(d), QUARTER(d), MONTH(d), DAY(d) and WEEKDAY(d) are the parts of a date"
_FIRST_DAY = "EOMONTH(d, -1) + 1 is the first day of the month, TO_STRING(d, 'yyyy-MM') its name"
_SHIFT = "DATEADD(d, n, 'day'|'month'|'year') moves a date"
_BETWEEN = "DATEDIFF(end, start, 'day'|'month'|'year') is what lies between two dates"
_GROUPS = "groups stand under `group_by` of an aggregate"
_ROWS = "which rows an operation is for stands under `selector`"
_DISTINCT = "COUNT_DISTINCT(x) counts different values; an aggregate has one row for each group"
_SORT = "rows have no order; `order_by` of an output writes them in one"
_UNION = "rows of another dataset are added by an append"
_WIDE = "columns become rows by `unpivot` of a dataset"
_IF = "IF(condition, x, y), or CASE WHEN … THEN … END"
_ONE_VALUE = "an expression is one value or condition: columns, operators and functions"

FUNCTION_HINTS: Mapping[str, str] = {
    **dict.fromkeys(("NVL", "IFNA", "ZN", "FILLNA", "COMBINE_FIRST"), _COALESCE),
    **dict.fromkeys(("IFERROR", "TRY", "DIV0", "SAFE_DIVIDE"), f"x / 0 is NULL; {_COALESCE}"),
    **dict.fromkeys(("ISNA", "ISBLANK", "NOTNA", "NOTNULL", "ISNOTNULL", "ISERROR", "NA"), _NULLS),
    **dict.fromkeys(("CAST", "CONVERT", "TRY_CAST", "SAFE_CAST", "ASTYPE"), _CONVERT),
    **dict.fromkeys(("TO_NUMBER", "VALUE", "NUMBERVALUE", "TO_NUMERIC", "TRY_TO_NUMBER"), _NUMBERS),
    **dict.fromkeys(("ISNUMBER", "ISNUMERIC", "IS_NUMERIC"), f"{_NUMBERS}: test that with IS NULL"),
    **dict.fromkeys(("TO_TIMESTAMP", "TO_DATETIME", "STR_TO_DATE", "STRPTIME"), _READ_DATES),
    **dict.fromkeys(("DATEVALUE", "PARSE_DATE", "ISDATE"), _READ_DATES),
    **dict.fromkeys(("IIF", "IFF", "NVL2", "WHEN", "WHERE", "NP_WHERE"), _IF),
    **dict.fromkeys(("DECODE", "SWITCH", "IFS", "CHOOSE"), "CASE WHEN … THEN … ELSE … END"),
    **dict.fromkeys(("VLOOKUP", "HLOOKUP", "XLOOKUP", "LOOKUP", "INDEX", "MATCH", "MERGE"), _JOIN),
    **dict.fromkeys(("SUMIF", "SUMIFS", "SUMPRODUCT", "SUM_IF"), _IF_TOTAL),
    **dict.fromkeys(("AVERAGEIF", "AVERAGEIFS"), _IF_TOTAL.replace("SUM(IF", "AVG(IF")),
    **dict.fromkeys(("MAXIFS", "MINIFS"), _IF_EXTREME),
    **dict.fromkeys(
        ("COUNTIF", "COUNTIFS", "COUNT_IF", "COUNTA", "COUNTBLANK"),
        "aggregate the rows that a selector picks, or write SUM(IF(condition, 1, 0))",
    ),
    **dict.fromkeys(("AVERAGE", "MEAN"), "AVG(x) is the mean of an aggregate"),
    **dict.fromkeys(("DISTINCT", "UNIQUE", "NUNIQUE", "DROP_DUPLICATES"), _DISTINCT),
    **dict.fromkeys(("GROUPBY", "GROUP_BY", "PIVOT", "PIVOT_TABLE"), _GROUPS),
    **dict.fromkeys(("FILTER", "QUERY", "DROPNA"), _ROWS),
    **dict.fromkeys(("SORT", "SORTBY", "SORT_VALUES"), _SORT),
    **dict.fromkeys(("UNION", "APPEND", "VSTACK"), _UNION),
    **dict.fromkeys(("MELT", "UNPIVOT", "STACK"), _WIDE),
    **dict.fromkeys(("ISIN",), "write x IN ('a', 'b')"),
    **dict.fromkeys(("LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH"), "LEN(x) counts characters"),
    **dict.fromkeys(("SUBSTR", "MID"), "SUBSTRING(x, start, length) counts from 1"),
    **dict.fromkeys(("INSTR", "CHARINDEX", "FIND", "SEARCH", "LOCATE", "STRPOS"), _FIND),
    **dict.fromkeys(("STARTSWITH", "ENDSWITH"), "STARTS_WITH(x, y), ENDS_WITH(x, y)"),
    **dict.fromkeys(("TEXTBEFORE", "TEXTAFTER", "TEXTSPLIT", "SPLIT"), _FIND),
    **dict.fromkeys(("REGEXP_LIKE", "REGEXP_REPLACE", "REGEXP_EXTRACT", "REGEXP_SUBSTR"), _REGEX),
    **dict.fromkeys(("TO_CHAR", "TEXT", "STR", "FORMAT", "STRFTIME", "DATE_FORMAT"), _TEXT),
    **dict.fromkeys(("CONCATENATE", "CONCAT_WS", "TEXTJOIN", "STRING_AGG"), "CONCAT(x, y, …)"),
    **dict.fromkeys(("CURRENT_DATE", "GETDATE", "SYSDATE", "CURRENT_TIMESTAMP"), _TODAY),
    **dict.fromkeys(("EXTRACT", "DATE_PART", "DATEPART"), _PARTS),
    **dict.fromkeys(("DATE_TRUNC", "TRUNC_DATE"), _FIRST_DAY),
    **dict.fromkeys(("DATE_ADD", "ADD_MONTHS", "EDATE", "DATE_SUB", "DATEOFFSET"), _SHIFT),
    **dict.fromkeys(("LAST_DAY", "MONTHEND"), "EOMONTH(d) is the last day of the month"),
    **dict.fromkeys(("DAYS", "DATE_DIFF", "TIMESTAMPDIFF", "MONTHS_BETWEEN", "DATEDIF"), _BETWEEN),
    **dict.fromkeys(("MAKE_DATE", "DATEFROMPARTS"), "DATE(year, month, day)"),
    **dict.fromkeys(("INT", "TRUNC", "TRUNCATE"), "TO_INTEGER(x) cuts off, ROUND(x, n) rounds"),
    **dict.fromkeys(("CEILING", "ROUNDUP"), "CEIL(x) rounds up"),
    **dict.fromkeys(("ROUNDDOWN",), "FLOOR(x) rounds down"),
    **dict.fromkeys(("POW",), "POWER(x, y)"),
    **dict.fromkeys(("PROPER", "INITCAP", "SUBSTITUTE"), "UPPER(x), LOWER(x), REPLACE(x, y, z)"),
    **dict.fromkeys(("SUBTOTAL", "RATIO_TO_REPORT", "TRANSFORM"), WINDOWS_HINT),
    **dict.fromkeys(("DENSE_RANK", "NTILE", "CUMSUM", "SHIFT", "DIFF", "ROLLING"), ORDERED_HINT),
    **dict.fromkeys(
        ("FIRST_VALUE", "LAST_VALUE", "FIRST", "LAST", "ARG_MAX", "ARG_MIN", "ARGMAX", "ARGMIN"),
        "MIN_BY(x, order) and MAX_BY(x, order) are x of a group's first and last row",
    ),
    **dict.fromkeys(("ASSERT", "RAISE", "ERROR", "NOT_NULL"), "REQUIRE(x) fails the run for NULL"),
}
"""By the function's name in upper case."""

METHOD_HINTS: Mapping[str, str] = {
    "STR": "UPPER(x), CONTAINS(x, y), SUBSTRING(x, start, length): functions take the text",
    "DT": _PARTS,
    **{
        word: FUNCTION_HINTS[word]
        for word in (
            *(
                "FILLNA",
                "ISNA",
                "NOTNA",
                "ASTYPE",
                "ISIN",
                "GROUPBY",
                "MERGE",
                "DROPNA",
                "SORT_VALUES",
            ),
            *(
                "STRFTIME",
                "CUMSUM",
                "SHIFT",
                "NUNIQUE",
                "MEAN",
                "DROP_DUPLICATES",
                "MELT",
                "ROLLING",
            ),
        )
    },
}
"""By what pandas writes behind a point, in upper case."""

WORD_HINTS: Mapping[str, str] = {
    **dict.fromkeys(("LEFT", "RIGHT", "INNER", "OUTER", "FULL", "CROSS", "ON", "USING"), _JOIN),
    "OVER": WINDOWS_HINT,
    "PARTITION": WINDOWS_HINT,
    "AS": _CONVERT,
    "SELECT": _ONE_VALUE,
    "DISTINCT": _DISTINCT,
    "WHERE": _ROWS,
    "FROM": _JOIN,
    "JOIN": _JOIN,
    "UNION": _UNION,
    "GROUP": _GROUPS,
    "ORDER": _SORT,
    "HAVING": "which groups are wanted is for a later operation's `selector`",
    "ISNULL": "write x IS NULL, or ISNULL(x)",
    "NOTNULL": "write x IS NOT NULL",
    "ILIKE": "LIKE tells capitals apart: write LOWER(x) LIKE 'a%'",
    "RLIKE": _REGEX,
    "REGEXP": _REGEX,
}
"""By a word that stands where an expression has ended, in upper case."""

_NO_PERIODS = (
    "the dataset has no periods: say `temporal_mode: period` in its table, and `period_from:` with"
    " a date column where rows have no `_period`"
)


def column_hint(name: str, known: Sequence[str]) -> str | None:
    """For a column that is not there: one that was meant, or how a dataset gets its periods."""
    return _NO_PERIODS if name == "_period" else suggestion(name, known, "columns")
