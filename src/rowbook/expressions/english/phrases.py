"""What functions and conditions are in English. `{0}` is the first argument; `{1:day}` is a number
with its noun, `1 day` or `2 days`."""

from __future__ import annotations

from collections.abc import Mapping

from rowbook.expressions.types import Kind

MOMENTS: Mapping[str, str] = {
    "TODAY": "the day of the run",
    "NOW": "the start of the run",
    "PERIOD": "the run's period",
    "LEVEL": "the level's name",
    "PERIOD_START": "the first day of the run's period",
    "PERIOD_END": "the last day of the run's period",
}

VALUES: Mapping[tuple[str, int], str] = {
    ("COALESCE", 1): "{0}",
    ("COALESCE", 2): "{0}, or {1} where it has no value",
    ("NULLIF", 2): "{0}, or no value where it is {1}",
    ("ABS", 1): "{0} without its sign",
    ("FLOOR", 1): "{0} rounded down",
    ("CEIL", 1): "{0} rounded up",
    ("%", 2): "the remainder of {0} ÷ {1}",
    ("SIGN", 1): "the sign of {0}",
    ("POWER", 2): "{0} to the power of {1}",
    ("SQRT", 1): "the square root of {0}",
    ("CONCAT", 1): "{0}",
    ("UPPER", 1): "{0} in capital letters",
    ("LOWER", 1): "{0} in small letters",
    ("TRIM", 1): "{0} without spaces around it",
    ("LTRIM", 1): "{0} without spaces before it",
    ("RTRIM", 1): "{0} without spaces after it",
    ("LEFT", 2): "the first {1:character} of {0}",
    ("RIGHT", 2): "the last {1:character} of {0}",
    ("SUBSTRING", 2): "{0} from character {1} on",
    ("SUBSTRING", 3): "{2:character} of {0} from character {1} on",
    ("LEN", 1): "the length of {0}",
    ("REPLACE", 3): "{0} with {1} replaced by {2}",
    ("LPAD", 2): "{0} filled on the left to {1:character}",
    ("LPAD", 3): "{0} filled on the left with {2} to {1:character}",
    ("RPAD", 2): "{0} filled on the right to {1:character}",
    ("RPAD", 3): "{0} filled on the right with {2} to {1:character}",
    ("SPLIT_PART", 3): "part {2} of {0} split at {1}",
    ("DATE", 1): "the date in {0}",
    ("TIMESTAMP", 1): "the time in {0}",
    ("YEAR", 1): "the year of {0}",
    ("QUARTER", 1): "the quarter of {0}",
    ("MONTH", 1): "the month of {0}",
    ("DAY", 1): "the day of the month of {0}",
    ("WEEKDAY", 1): "the weekday of {0} (1 is Monday)",
    ("DATE", 3): "the date of year {0}, month {1} and day {2}",
    ("DATEDIFF", 2): "the days from {1} to {0}",
    ("DATEDIFF", 3): "the whole {2:plural} from {1} to {0}",
    ("EOMONTH", 1): "the last day of the month of {0}",
    ("EOMONTH", 2): "the last day of the month {1:month} after {0}",
    ("POSITION", 2): "the place of {0} in {1}",
    ("TO_STRING", 1): "{0} as text",
    ("TO_STRING", 2): "{0} as text, written as {1}",
    ("TO_INTEGER", 1): "{0} as a whole number",
    ("TO_DECIMAL", 3): "{0} as a number with {2:decimal}",
    ("TO_DATE", 2): "the date in {0}, written as {1}",
}
"""Functions by name and number of arguments; those of any number are in LISTS."""

LISTS: Mapping[str, str] = {
    "COALESCE": "the first of {} that has a value",
    "MIN": "the smallest of {}",
    "MAX": "the largest of {}",
    "LEAST": "the smallest of {} that has a value",
    "GREATEST": "the largest of {} that has a value",
    "CONCAT": "{} put together",
}

AGGREGATES: Mapping[str, str] = {
    "SUM": "the sum of {0}",
    "COUNT": "the number of rows in which {0} has a value",
    "COUNT_DISTINCT": "the number of different values of {0}",
    "AVG": "the average of {0}",
    "MIN_AGG": "the smallest {0}",
    "MAX_AGG": "the largest {0}",
    "MIN_BY": "{0} of the row with the smallest {1}",
    "MAX_BY": "{0} of the row with the largest {1}",
}

POSITIONS: Mapping[str, str] = {
    "ROW_NUMBER": "the number of the row",
    "RANK": "the rank of the row",
    "LAG": "{0} {1:row} before",
    "LEAD": "{0} {1:row} after",
}
"""Functions of a row's place in an order, with how many rows they go."""

CONDITIONS: Mapping[str, tuple[str, str]] = {
    "=": ("{0} is {1}", "{0} is not {1}"),
    "<>": ("{0} is not {1}", "{0} is {1}"),
    "ISNULL": ("{0} has no value", "{0} has a value"),
    "CONTAINS": ("{0} contains {1}", "{0} does not contain {1}"),
    "STARTS_WITH": ("{0} starts with {1}", "{0} does not start with {1}"),
    "ENDS_WITH": ("{0} ends with {1}", "{0} does not end with {1}"),
    "LIKE": ("{0} looks like {1}", "{0} does not look like {1}"),
}
"""What a condition is, and what its opposite is."""

_ORDERS: Mapping[str, tuple[str, str, str, str]] = {
    "amount": ("is less than", "is at most", "is more than", "is at least"),
    "day": ("is before", "is on or before", "is after", "is on or after"),
    "text": ("sorts before", "sorts before or is", "sorts after", "sorts after or is"),
}
_COMPARISONS = ("<", "<=", ">", ">=")
_OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_SORTS = {Kind.DATE: "day", Kind.TIMESTAMP: "day", Kind.STRING: "text"}


def comparison(operator: str, kind: Kind) -> tuple[str, str] | None:
    """A comparison of values of a kind, and its opposite; None for what is no order."""
    if operator not in _OPPOSITES:
        return None
    words = dict(zip(_COMPARISONS, _ORDERS[_SORTS.get(kind, "amount")], strict=True))
    return f"{{0}} {words[operator]} {{1}}", f"{{0}} {words[_OPPOSITES[operator]]} {{1}}"
