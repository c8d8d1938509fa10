"""Expressions in plain English: a table of what people read."""

from __future__ import annotations

import pytest

from rowbook.expressions.english.sentences import condition_in_words, listed, value_in_words
from tests.expressions.samples import BY_CODE, bound, with_selectors

CONDITION_WORDS = [
    ("code = '6000'", "code is '6000'"),
    ("code <> '6000'", "code is not '6000'"),
    ("NOT (code = '6000')", "code is not '6000'"),
    ("NOT (code <> '6000')", "code is '6000'"),
    ("gl.code = accounts.code", "code is accounts.code"),
    ("amount > 0", "amount is more than 0"),
    ("amount >= 0.5", "amount is at least 0.5"),
    ("amount < 0", "amount is less than 0"),
    ("amount <= -1", "amount is at most −1"),
    ("NOT (amount < 0)", "amount is at least 0"),
    ("NOT (amount >= 0)", "amount is less than 0"),
    ("booked < DATE('2026-01-31')", "booked is before 2026-01-31"),
    ("booked <= due", "booked is on or before due"),
    ("booked > due", "booked is after due"),
    ("booked >= TODAY()", "booked is on or after the day of the run"),
    (
        "made > TIMESTAMP('2026-01-31T10:00:00Z')",
        "made is after 2026-01-31T10:00:00Z",
    ),
    ("code < 'b'", "code sorts before 'b'"),
    ("code >= 'b'", "code sorts after or is 'b'"),
    ("lines BETWEEN 6000 AND 6099", "lines is between 6000 and 6099"),
    ("lines NOT BETWEEN 1 AND 5", "lines is not between 1 and 5"),
    ("amount >= 1 AND amount <= 5", "amount is between 1 and 5"),
    ("amount >= 1 AND rate <= 5", "amount is at least 1 and rate is at most 5"),
    (
        "lines BETWEEN 6000 AND 6099 AND code = 'CH01'",
        "lines is between 6000 and 6099 and code is 'CH01'",
    ),
    ("note IS NULL", "note has no value"),
    ("note IS NOT NULL", "note has a value"),
    ("ISNULL(note)", "note has no value"),
    ("code IN ('a', 'b')", "code is one of 'a', 'b'"),
    ("code NOT IN ('a', 'b')", "code is none of 'a', 'b'"),
    ("code IN ('a')", "code is 'a'"),
    ("code NOT IN ('a')", "code is not 'a'"),
    ("code LIKE '60%'", "code starts with '60'"),
    ("code LIKE '%60'", "code ends with '60'"),
    ("code LIKE '%60%'", "code contains '60'"),
    ("code LIKE '6000'", "code is '6000'"),
    ("code NOT LIKE '60%'", "code does not start with '60'"),
    ("code LIKE '6_00%'", "code looks like '6_00%'"),
    ("code LIKE '6%0%'", "code looks like '6%0%'"),
    ("code LIKE '%'", "code looks like '%'"),
    ("code NOT LIKE note", "code does not look like note"),
    ("CONTAINS(note, 'x')", "note contains 'x'"),
    ("NOT STARTS_WITH(note, 'x')", "note does not start with 'x'"),
    ("ENDS_WITH(note, code)", "note ends with code"),
    ("posted", "posted is true"),
    ("NOT posted", "posted is false"),
    ("paid = TRUE", "paid is true"),
    ("COALESCE(paid, FALSE)", "(paid, or false where it has no value) is true"),
    ("TRUE", "always"),
    ("FALSE", "never"),
    ("posted OR paid OR lines = 1", "posted is true or paid is true or lines is 1"),
    (
        "(code = 'a' OR note IS NULL) AND posted",
        "(code is 'a' or note has no value) and posted is true",
    ),
    (
        "code = 'a' AND posted OR lines = 1",
        "(code is 'a' and posted is true) or lines is 1",
    ),
    (
        "NOT (code = 'a' AND posted)",
        "it is not so that (code is 'a' and posted is true)",
    ),
    ("NOT (NOT (code = 'a'))", "code is 'a'"),
    ("_period = PERIOD()", "_period is the run's period"),
    ("_period = PERIOD(-1)", "_period is the run's period, 1 period earlier"),
    (
        "booked >= PERIOD_START(-2)",
        "booked is on or after the first day of the run's period, 2 periods earlier",
    ),
    (
        "booked <= PERIOD_END(1)",
        "booked is on or before the last day of the run's period, 1 period later",
    ),
    ("(amount > 0) = posted", "(whether amount is more than 0) is posted"),
    ("amount % 2 = 0", "the remainder of amount ÷ 2 is 0"),
]

VALUE_WORDS = [
    ("'Swiss payroll'", "'Swiss payroll'"),
    ("42", "42"),
    ("10.50", "10.50"),
    ("-5", "−5"),
    ("-amount", "−amount"),
    ("amount * rate", "amount × rate"),
    ("amount / rates.factor", "amount ÷ rates.factor"),
    ("amount - (rate - 1)", "amount − (rate − 1)"),
    ("amount - rate - 1", "amount − rate − 1"),
    ("(amount + 1) * rate", "(amount + 1) × rate"),
    ("amount + 1 * rate", "amount + 1 × rate"),
    ("-(amount + 1)", "−(amount + 1)"),
    (
        "ROUND(amount / COALESCE(rates.factor, 1), 2)",
        "(amount ÷ (rates.factor, or 1 where it has no value)) rounded to 2 decimals",
    ),
    ("ROUND(amount)", "amount rounded to a whole number"),
    ("ROUND(amount, 1)", "amount rounded to 1 decimal"),
    ("ROUND(amount, -3)", "amount rounded to thousands"),
    ("ROUND(amount, -5)", "amount rounded to 5 zeros"),
    ("COALESCE(note, code, 'x')", "the first of note, code and 'x' that has a value"),
    ("NULLIF(note, '')", "note, or no value where it is ''"),
    (
        "CASE WHEN amount > 0 THEN 'in' WHEN amount < 0 THEN 'out' ELSE 'none' END",
        "'in' where amount is more than 0, 'out' where amount is less than 0, otherwise 'none'",
    ),
    ("CASE WHEN posted THEN 1 END", "1 where posted is true, otherwise no value"),
    ("IF(posted, 1, 0) * 2", "(1 where posted is true, otherwise 0) × 2"),
    ("amount > 0", "whether amount is more than 0"),
    ("code IN ('a', 'b')", "whether code is one of 'a', 'b'"),
    ("posted", "posted"),
    ("ABS(amount)", "amount without its sign"),
    ("ABS(amount) + 1", "(amount without its sign) + 1"),
    ("FLOOR(amount)", "amount rounded down"),
    ("CEIL(amount)", "amount rounded up"),
    ("MIN(amount, rate, 1)", "the smallest of amount, rate and 1"),
    ("MAX(lines, days)", "the largest of lines and days"),
    ("POWER(weight, 2)", "weight to the power of 2"),
    ("CONCAT(code, '-', note)", "code, '-' and note put together"),
    ("UPPER(TRIM(note))", "(note without spaces around it) in capital letters"),
    ("LEFT(code, 1)", "the first 1 character of code"),
    ("RIGHT(code, 2)", "the last 2 characters of code"),
    ("SUBSTRING(code, 2)", "code from character 2 on"),
    ("SUBSTRING(code, 2, 3)", "3 characters of code from character 2 on"),
    ("LEN(code)", "the length of code"),
    ("REPLACE(code, 'a', 'b')", "code with 'a' replaced by 'b'"),
    ("LPAD(code, 6, '0')", "code filled on the left with '0' to 6 characters"),
    ("SPLIT_PART(code, '-', 2)", "part 2 of code split at '-'"),
    ("YEAR(booked)", "the year of booked"),
    ("WEEKDAY(booked)", "the weekday of booked (1 is Monday)"),
    ("booked + 30", "30 days after booked"),
    ("booked - 1", "1 day before booked"),
    ("booked - lines", "lines days before booked"),
    ("DATEADD(booked, -2, 'month')", "2 months before booked"),
    ("DATEDIFF(due, booked)", "the days from booked to due"),
    ("EOMONTH(booked)", "the last day of the month of booked"),
    ("TO_STRING(amount)", "amount as text"),
    ("TO_DECIMAL(note, 18, 2)", "note as a number with 2 decimals"),
    ("TO_DATE(note, 'dd.MM.yyyy')", "the date in note, written as 'dd.MM.yyyy'"),
    ("NOW()", "the start of the run"),
]

AGGREGATE_WORDS = [
    ("SUM(amount)", "the sum of amount"),
    ("SUM(amount * rate)", "the sum of (amount × rate)"),
    ("SUM(amount) / COUNT(*)", "(the sum of amount) ÷ (the number of rows)"),
    ("COUNT(note)", "the number of rows in which note has a value"),
    ("COUNT_DISTINCT(note)", "the number of different values of note"),
    ("AVG(rate)", "the average of rate"),
    ("MIN_AGG(due)", "the smallest due"),
    ("MIN_BY(note, amount)", "note of the row with the smallest amount"),
    ("MAX_BY(note, amount * rate)", "note of the row with the largest (amount × rate)"),
    ("MAX_AGG('budget')", "'budget'"),
    ("SUM(IF(posted, amount, 0))", "the sum of (amount where posted is true, otherwise 0)"),
]


@pytest.mark.parametrize(("text", "words"), CONDITION_WORDS)
def test_a_condition_in_words(text: str, words: str) -> None:
    assert condition_in_words(bound(text).tree) == words


@pytest.mark.parametrize(("text", "words"), VALUE_WORDS)
def test_a_value_in_words(text: str, words: str) -> None:
    assert value_in_words(bound(text).tree) == words


@pytest.mark.parametrize(("text", "words"), AGGREGATE_WORDS)
def test_an_aggregate_in_words(text: str, words: str) -> None:
    assert value_in_words(bound(text, BY_CODE).tree) == words


def test_a_named_selector_is_what_it_stands_for() -> None:
    scope = with_selectors(big="amount > 100 OR lines > 5")
    tree = bound("{{big}} AND posted", scope).tree
    words = "(amount is more than 100 or lines is more than 5) and posted is true"
    assert condition_in_words(tree) == words


def test_a_long_list_says_how_many_more_there_are() -> None:
    items = ", ".join(f"'{i}'" for i in range(1000))
    words = condition_in_words(bound(f"code IN ({items})").tree)
    assert words.endswith("'10', '11', 988 more")


def test_many_conditions_say_how_many_more_there_are() -> None:
    words = condition_in_words(bound(" OR ".join(f"lines = {i}" for i in range(50))).tree)
    assert words.endswith("lines is 11 or 38 more conditions")


def test_a_huge_expression_is_not_spelled_out() -> None:
    group = " AND ".join(f"lines <> {i}" for i in range(20))
    huge = " OR ".join(f"({group})" for _ in range(40))
    words = condition_in_words(bound(huge).tree)
    assert words == "an expression of more than 1,500 parts"


@pytest.mark.parametrize(
    ("words", "said"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists_end_with_and(words: list[str], said: str) -> None:
    assert listed(words) == said
