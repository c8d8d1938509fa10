"""Tokens: numbers, names, texts, selectors and signs, and what is not one of them."""

from __future__ import annotations

import pytest

from rowbook.expressions.faults import ExpressionError
from rowbook.expressions.syntax.lexer import MAX_LENGTH, tokenize, unescape
from tests.expressions.samples import fault_of, says


def kinds_and_texts(text: str) -> list[tuple[str, str]]:
    *tokens, end = tokenize(text)
    assert (end.kind, end.start, end.end) == ("end of text", len(text), len(text))
    return [(token.kind, token.text) for token in tokens]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \t\r\n\u00a0", []),
        ("42", [("NUMBER", "42")]),
        ("0.90", [("NUMBER", "0.90")]),
        ("1.5.2", [("NUMBER", "1.5"), (".", "."), ("NUMBER", "2")]),
        ("7.", [("NUMBER", "7"), (".", ".")]),
        ("amount", [("NAME", "amount")]),
        ("_labels2", [("NAME", "_labels2")]),
        ("gl.amount", [("NAME", "gl"), (".", "."), ("NAME", "amount")]),
        ("and And AND", [("AND", "and"), ("AND", "And"), ("AND", "AND")]),
        ("ending", [("NAME", "ending")]),
        ("a<>b", [("NAME", "a"), ("<>", "<>"), ("NAME", "b")]),
        ("a!=b", [("NAME", "a"), ("<>", "<>"), ("NAME", "b")]),
        ("a<=b", [("NAME", "a"), ("<=", "<="), ("NAME", "b")]),
        ("a< =b", [("NAME", "a"), ("<", "<"), ("=", "="), ("NAME", "b")]),
        ("--1", [("-", "-"), ("-", "-"), ("NUMBER", "1")]),
        ("{{active}}", [("SELECTOR", "active")]),
        ("{{ big.items-2 }}", [("SELECTOR", "big.items-2")]),
        ("'{{active}}'", [("STRING", "'{{active}}'")]),
        ("'a' \"b\"", [("STRING", "'a'"), ("STRING", '"b"')]),
        ("'a''b'", [("STRING", "'a''b'")]),
        ("'a' 'b'", [("STRING", "'a'"), ("STRING", "'b'")]),
        (r"'a\'b'", [("STRING", r"'a\'b'")]),
        ("'two\nlines'", [("STRING", "'two\nlines'")]),
    ],
)
def test_a_text_falls_into_tokens(text: str, tokens: list[tuple[str, str]]) -> None:
    assert kinds_and_texts(text) == tokens


@pytest.mark.parametrize(
    "words",
    [
        "AND OR NOT IS NULL IN BETWEEN LIKE CASE WHEN THEN ELSE END TRUE FALSE",
        "and or not is null in between like case when then else end true false",
        "And Or Not Is Null In Between Like Case When Then Else End True False",
    ],
)
def test_a_keyword_is_one_in_any_case(words: str) -> None:
    assert [kind for kind, _ in kinds_and_texts(words)] == words.upper().split()


def test_a_token_knows_its_place() -> None:
    assert [(t.text, t.start, t.end) for t in tokenize("a  >= {{ x }}")][:-1] == [
        ("a", 0, 1),
        (">=", 3, 5),
        ("x", 6, 13),
    ]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("''", ""),
        ("'plain'", "plain"),
        ("'it''s'", "it's"),
        ('"it\'s"', "it's"),
        ('"say ""yes"""', 'say "yes"'),
        ("'say \"yes\"'", 'say "yes"'),
        ("\"it''s\"", "it''s"),
        (r"'it\'s'", "it's"),
        (r'"say \"yes\""', 'say "yes"'),
        (r"'back\\slash'", "back\\slash"),
        (r"'C:\\new'", r"C:\new"),
        (r"'\n\t\%\_'", "nt%_"),
        (r"'\\''\\'", r"\'" + "\\"),
        ("'\\\n'", "\n"),
        ("''''", "'"),
        ("'{{NAME}}'", "{{NAME}}"),
    ],
)
def test_a_doubled_quote_or_a_backslash_stands_for_the_character(raw: str, text: str) -> None:
    assert unescape(raw) == text
    assert kinds_and_texts(raw) == [("STRING", raw)]


@pytest.mark.parametrize(
    ("raw", "pattern"),
    [
        ("'100%'", "100%"),
        (r"'100\%'", r"100\%"),
        (r"'100\\%'", r"100\%"),
        (r"'a\_b'", r"a\_b"),
        (r"'a\\_b'", r"a\_b"),
        (r"'\\\\%'", r"\\%"),
        (r"'it\'s'", "it's"),
        ("'it''s%'", "it's%"),
        ('"say ""%"""', 'say "%"'),
        (r"'\a'", "a"),
    ],
)
def test_a_pattern_keeps_the_escape_of_its_wildcards(raw: str, pattern: str) -> None:
    assert unescape(raw, "%", "_") == pattern


@pytest.mark.parametrize(
    ("text", "start", "message", "hint"),
    [
        ("a = 'open", 4, "unexpected '''", "the text is not closed: add a ' at its end"),
        ('a = "open', 4, "unexpected '\"'", 'the text is not closed: add a " at its end'),
        (r"a = 'open\'", 4, "unexpected '''", "the text is not closed"),
        ("a = 'it's'", 9, "unexpected '''", "the text is not closed"),
        ("a = ‘x’", 4, "unexpected '‘'", "use straight quotes: 'text'"),
        ("a = “x”", 4, "unexpected '“'", "use straight quotes: 'text'"),
        ("!a", 0, "unexpected '!'", "write NOT"),
        ("a && b", 2, "unexpected '&'", "write AND"),
        ("a || b", 2, "unexpected '|'", "write OR, or CONCAT(…) to join texts"),
        ("[amount] > 1", 0, "unexpected '['", "without quotes"),
        ("`amount` > 1", 0, "unexpected '`'", "without quotes"),
        ("a ^ 2", 2, "unexpected '^'", "POWER(x, y)"),
        ("$5", 0, "unexpected '$'", "plain numbers"),
        ("€5", 0, "unexpected '€'", "plain numbers"),
        ("a − 1", 2, "unexpected '−'", "the plain minus sign: -"),
        ("{{active", 0, "unexpected '{'", "write {{name}}"),
        ("{{}}", 0, "unexpected '{'", "write {{name}}"),
        ("{{two words}}", 0, "unexpected '{'", "write {{name}}"),
        ("{active}", 0, "unexpected '{'", "two braces on both sides: {{name}}"),
        ("a > 1 }}", 6, "unexpected '}'", "{{name}}"),
        ("a \x00 b", 2, r"unexpected '\x00'", None),
        ("a ; b", 2, "unexpected ';'", None),
        ("größe > 1", 2, "unexpected 'ö'", None),
        ("٣ > 1", 0, "unexpected '٣'", None),
        ("2nd = 1", 0, "'2nd' is neither a number nor a name", "names start with a letter or '_'"),
        ("a = 1e5", 4, "'1e5' is neither a number nor a name", "names start with a letter"),
        ("a = 5and b", 4, "'5and' is neither a number nor a name", "names start with a letter"),
    ],
)
def test_an_odd_sign_is_pointed_at_with_what_to_write(
    text: str, start: int, message: str, hint: str | None
) -> None:
    fault = fault_of(text)
    assert (fault.code, fault.span.start) == ("EXPR_001", start)
    assert says(fault.message, message)
    assert says(fault.hint, hint)


@pytest.mark.parametrize(
    "number",
    ["9" * 38, "0." + "9" * 38, "9" * 19 + "." + "9" * 19, "0" * 60 + "7", "000.5"],
)
def test_38_digits_are_a_number(number: str) -> None:
    assert kinds_and_texts(number) == [("NUMBER", number)]


@pytest.mark.parametrize("number", ["9" * 39, "1." + "0" * 38, "0." + "0" * 38 + "1"])
def test_39_digits_are_too_many(number: str) -> None:
    fault = fault_of(f"a + {number}")
    assert (fault.code, fault.message) == ("EXPR_008", "a number has more than 38 digits")
    assert fault.span == (4, 4 + len(number))


def test_100_000_characters_are_read_and_one_more_is_not() -> None:
    assert len(tokenize("a".ljust(MAX_LENGTH))) == 2
    with pytest.raises(ExpressionError) as caught:
        tokenize("a".ljust(100_001))
    (fault,) = caught.value.faults
    assert fault.code == "EXPR_008"
    assert fault.message == "the expression has 100,001 characters, more than 100,000"
