"""LIKE and the functions of texts, evaluated in Python."""

from __future__ import annotations

from rowbook.expressions.evaluate import Value
from tests.expressions.evaluating import LEAST, MOST, Given, cases, check, row, value_of


@cases(
    ("CONCAT(s, '-', u)", row(s="a", u="b"), "a-b"),
    ("CONCAT(s)", row(s="a"), "a"),
    ("CONCAT(s, u)", row(s="a"), None),
    ("UPPER(s)", row(s="straße ŉ ﬁ i"), "STRASSE ʼN FI I"),
    ("UPPER(s)", row(), None),
    ("LOWER(s)", row(s="ÄI ΑΣ ΑΣΑ Σ İ"), "äi ας ασα σ i̇"),
    ("LOWER(s)", row(), None),
    ("TRIM(s)", row(s="  a b \t "), "a b \t"),
    ("TRIM(s)", row(s="\u00a0a\n"), "\u00a0a\n"),
    ("TRIM(s)", row(s="   "), ""),
    ("LTRIM(s)", row(s="  a "), "a "),
    ("RTRIM(s)", row(s="  a "), "  a"),
    ("TRIM(s)", row(), None),
    ("LTRIM(s)", row(), None),
    ("RTRIM(s)", row(), None),
    ("LEN(s)", row(s="naïve 😀"), 7),
    ("LEN(s)", row(s="e\u0301"), 2),
    ("LEN(s)", row(s=""), 0),
    ("LEN(s)", row(), None),
    ("POSITION('b', s)", row(s="abcb"), 2),
    ("POSITION('B', s)", row(s="abc"), 0),
    ("POSITION('', s)", row(s="abc"), 1),
    ("POSITION(u, s)", row(s="日本語", u="語"), 3),
    ("POSITION(u, s)", row(s="👍🏽 ok", u="ok"), 4),
    ("POSITION(u, s)", row(s="a"), None),
    ("REPLACE(s, 'a', 'bb')", row(s="banana"), "bbbnbbnbb"),
    ("REPLACE(s, 'aa', 'b')", row(s="aaa"), "ba"),
    ("REPLACE(s, 'a', '')", row(s="banana"), "bnn"),
    ("REPLACE(s, '', 'x')", row(s="abc"), "abc"),
    ("REPLACE(s, '.', 'x')", row(s="a.b"), "axb"),
    ("REPLACE(s, u, 'x')", row(s="abc"), None),
)
def test_texts_are_changed(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("LEFT(s, 2)", row(s="äöü"), "äö"),
    ("LEFT(s, 9)", row(s="abc"), "abc"),
    ("LEFT(s, 0)", row(s="abc"), ""),
    ("LEFT(s, -1)", row(s="abc"), ""),
    ("LEFT(s, i)", row(s="abc"), None),
    ("RIGHT(s, 2)", row(s="a😀b"), "😀b"),
    ("RIGHT(s, 9)", row(s="abc"), "abc"),
    ("RIGHT(s, 0)", row(s="abc"), ""),
    ("RIGHT(s, -1)", row(s="abc"), ""),
    ("RIGHT(s, i)", row(s="abc", i=LEAST), ""),
    ("RIGHT(s, 1)", row(), None),
    ("SUBSTRING(s, 2, 3)", row(s="abcdef"), "bcd"),
    ("SUBSTRING(s, 2)", row(s="a😀c"), "😀c"),
    ("SUBSTRING(s, 0, 2)", row(s="abcdef"), "ab"),
    ("SUBSTRING(s, -2)", row(s="abcdef"), "ef"),
    ("SUBSTRING(s, -3, 2)", row(s="abcdef"), "de"),
    ("SUBSTRING(s, -8, 4)", row(s="abcdef"), "ab"),
    ("SUBSTRING(s, -8, 2)", row(s="abcdef"), ""),
    ("SUBSTRING(s, -8)", row(s="abcdef"), "abcdef"),
    ("SUBSTRING(s, 7)", row(s="abcdef"), ""),
    ("SUBSTRING(s, 2, 0)", row(s="abcdef"), ""),
    ("SUBSTRING(s, 2, -1)", row(s="abcdef"), ""),
    ("SUBSTRING(s, 2, i)", row(s="abcdef", i=MOST), "bcdef"),
    ("SUBSTRING(s, i, 3)", row(s="abcdef", i=LEAST), ""),
    ("SUBSTRING(s, i)", row(s="abcdef"), None),
    ("SPLIT_PART(s, '-', 1)", row(s="a-b-c"), "a"),
    ("SPLIT_PART(s, '-', 3)", row(s="a-b-c"), "c"),
    ("SPLIT_PART(s, '-', 4)", row(s="a-b-c"), ""),
    ("SPLIT_PART(s, '-', 2)", row(s="a--c"), ""),
    ("SPLIT_PART(s, '.', 2)", row(s="a.b"), "b"),
    ("SPLIT_PART(s, '--', 2)", row(s="a--c"), "c"),
    ("SPLIT_PART(s, '-', 0)", row(s="a-b"), ""),
    ("SPLIT_PART(s, '-', -1)", row(s="a-b"), ""),
    ("SPLIT_PART(s, '', 1)", row(s="a-b"), "a-b"),
    ("SPLIT_PART(s, '', 2)", row(s="a-b"), ""),
    ("SPLIT_PART(s, '-', 1)", row(s=""), ""),
    ("SPLIT_PART(s, u, 1)", row(s="a-b"), None),
)
def test_parts_of_texts(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("LPAD(s, 5)", row(s="ab"), "   ab"),
    ("LPAD(s, 5, '0')", row(s="42"), "00042"),
    ("LPAD(s, 6, 'xyz')", row(s="ab"), "xyzxab"),
    ("LPAD(s, 1, 'x')", row(s="ab"), "a"),
    ("LPAD(s, 2, 'x')", row(s="ab"), "ab"),
    ("LPAD(s, 0, 'x')", row(s="ab"), ""),
    ("LPAD(s, -1, 'x')", row(s="ab"), ""),
    ("LPAD(s, 5, '')", row(s="ab"), "ab"),
    ("LPAD(s, 1, '')", row(s="ab"), "a"),
    ("LPAD(s, 2, '😀')", row(s="a"), "😀a"),
    ("LPAD(s, 2, u)", row(s="a"), None),
    ("RPAD(s, 4)", row(s="ab"), "ab  "),
    ("RPAD(s, 6, 'xyz')", row(s="ab"), "abxyzx"),
    ("RPAD(s, 1, 'x')", row(s="ab"), "a"),
    ("RPAD(s, -1, 'x')", row(s="ab"), ""),
    ("RPAD(s, 5, '')", row(s="ab"), "ab"),
    ("RPAD(s, i)", row(s="ab"), None),
)
def test_padding(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("CONTAINS(s, 'an')", row(s="banana"), True),
    ("CONTAINS(s, 'AN')", row(s="banana"), False),
    ("CONTAINS(s, '')", row(s=""), True),
    ("CONTAINS(s, u)", row(s="a"), None),
    ("STARTS_WITH(s, 'ba')", row(s="banana"), True),
    ("STARTS_WITH(s, 'a')", row(s="banana"), False),
    ("STARTS_WITH(s, '')", row(s="a"), True),
    ("STARTS_WITH(s, 'a')", row(), None),
    ("ENDS_WITH(s, 'na')", row(s="banana"), True),
    ("ENDS_WITH(s, 'b')", row(s="banana"), False),
    ("ENDS_WITH(s, '')", row(s=""), True),
    ("ENDS_WITH(s, 'a')", row(), None),
    ("s LIKE 'a%'", row(s="abc"), True),
    ("s LIKE 'a%'", row(s="Abc"), False),
    ("s LIKE 'b%'", row(s="abc"), False),
    ("s LIKE '%c'", row(s="abc"), True),
    ("s LIKE '%b%'", row(s="abc"), True),
    ("s LIKE 'a%b%c%d'", row(s="a b c c d d"), True),
    ("s LIKE 'a%b%c%d'", row(s="a c b d"), False),
    ("s LIKE '%ab%ab'", row(s="ab"), False),
    ("s LIKE '%aab'", row(s="aaab"), True),
    ("s LIKE 'a_c'", row(s="a😀c"), True),
    ("s LIKE 'a_c'", row(s="ac"), False),
    ("s LIKE '_%_'", row(s="a"), False),
    ("s LIKE 'a_%'", row(s="a\n\n"), True),
    ("s LIKE ''", row(s=""), True),
    ("s LIKE '%'", row(s=""), True),
    ("s LIKE '%%'", row(s="a"), True),
    ("s LIKE 'a.c'", row(s="abc"), False),
    ("s LIKE 'a'", row(s="a\n"), False),
    (r"s LIKE '100\%'", row(s="100%"), True),
    (r"s LIKE '100\%'", row(s="1000"), False),
    (r"s LIKE 'a\_c'", row(s="abc"), False),
    ("s LIKE u", row(s=r"a\c", u=r"a\\c"), True),
    ("s LIKE u", row(s=r"a\c", u=r"a\\_"), True),
    ("s LIKE u", row(s=r"a\bc", u=r"a\b_"), True),
    ("s LIKE u", row(s="ab", u=r"a\b"), False),
    ("s LIKE u", row(s="a\\", u="a\\"), True),
    ("s LIKE u", row(s="a\\", u=r"%\\"), True),
    ("s LIKE u", row(s="a"), None),
    ("s NOT LIKE 'a%'", row(s="b"), True),
    ("s NOT LIKE 'a%'", row(), None),
)
def test_texts_are_searched(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


def test_no_pattern_takes_for_ever() -> None:
    given = row(s="a" * 2000, u="%a" * 500 + "%b")
    assert value_of("s LIKE u", given) is False
