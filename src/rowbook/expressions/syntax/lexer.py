"""Text to tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from rowbook.expressions.faults import ExpressionError
from rowbook.expressions.syntax.unbound import Span
from rowbook.expressions.types import MAX_PRECISION

MAX_LENGTH = 100_000
KEYWORDS = frozenset(
    {"AND", "OR", "NOT", "IS", "NULL", "IN", "BETWEEN", "LIKE"}
    | {"CASE", "WHEN", "THEN", "ELSE", "END", "TRUE", "FALSE"}
)
SELECTOR_NAME = r"[A-Za-z_][A-Za-z0-9_.\-]*"


class Token(NamedTuple):
    """`kind` is a keyword, an operator, or one of NUMBER, STRING, NAME, SELECTOR, END_OF_TEXT."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


END_OF_TEXT = "end of text"

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<NUMBER>[0-9]+(?:\.[0-9]+)?)
  | (?P<NAME>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<STRING>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")
  | (?P<SELECTOR>\{\{\s*"""
    + SELECTOR_NAME
    + r"""\s*\}\})
  | (?P<op><>|!=|<=|>=|[=<>+\-*/%(),.])
    """,
    re.VERBOSE | re.DOTALL,
)

_ODD_SIGNS = (
    ("{{", "a selector's name is missing or not closed: write {{name}}"),
    ("{}", "a selector is written with two braces on both sides: {{name}}"),
    ("'", "the text is not closed: add a ' at its end"),
    ('"', 'the text is not closed: add a " at its end'),
    ("‘’“”„«»", "use straight quotes: 'text'"),
    ("!", "write NOT"),
    ("&", "write AND"),
    ("|", "write OR, or CONCAT(…) to join texts"),
    ("`[]", "column names are written as they are, without quotes"),
    ("^", "write POWER(x, y)"),
    (":", "TO_INTEGER(x), TO_DECIMAL(x, p, s) and TO_STRING(x) convert"),
    ("$€£", "amounts are written as plain numbers"),
    ("−–", "use the plain minus sign: -"),
)


def tokenize(text: str) -> list[Token]:
    """The tokens of an expression, an END_OF_TEXT token last."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            "EXPR_008",
            f"the expression has {len(text):,} characters, more than {MAX_LENGTH:,}",
            Span(0, 1),
        )
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _odd_character(text, at)
        at = found.end()
        kind = found.lastgroup
        if kind == "space":
            continue
        word = found.group()
        if kind == "NAME":
            upper = word.upper()
            kind = upper if upper in KEYWORDS else "NAME"
            if tokens and tokens[-1].kind == "NUMBER" and tokens[-1].end == found.start():
                raise ExpressionError(
                    "EXPR_001",
                    f"'{tokens[-1].text}{word}' is neither a number nor a name",
                    Span(tokens[-1].start, at),
                    "names start with a letter or '_'",
                )
        elif kind == "NUMBER":
            _check_digits(word, found.start())
        elif kind == "SELECTOR":
            word = word[2:-2].strip()
        elif kind == "op":
            kind = word = "<>" if word == "!=" else word
        tokens.append(Token(str(kind), word, found.start(), at))
    tokens.append(Token(END_OF_TEXT, END_OF_TEXT, len(text), len(text)))
    return tokens


def unescape(raw: str, *kept: str) -> str:
    r"""The text a quoted token stands for: a doubled quote or a backslashed character is itself.
    Only characters that are `kept` keep their backslash. After LIKE these are `%` and `_`, so that
    `'100\%'` and `'100\\%'` both mean the percent sign itself."""
    quote, body = raw[0], raw[1:-1]
    if quote not in body and "\\" not in body:
        return body

    def plain(found: re.Match[str]) -> str:
        return found[0] if found[1] in kept else found[1] or quote

    return re.sub(rf"{quote}{quote}|\\(.)", plain, body, flags=re.DOTALL)


def _check_digits(number: str, start: int) -> None:
    digits = number.replace(".", "").lstrip("0")
    scale = len(number.partition(".")[2])
    if max(len(digits), scale) > MAX_PRECISION:
        raise ExpressionError(
            "EXPR_008",
            f"a number has more than {MAX_PRECISION} digits",
            Span(start, start + len(number)),
        )


def _odd_character(text: str, at: int) -> ExpressionError:
    hint = next((h for signs, h in _ODD_SIGNS if _starts_with_sign(text, at, signs)), None)
    shown = repr(text[at]) if not text[at].isprintable() else f"'{text[at]}'"
    return ExpressionError("EXPR_001", f"unexpected {shown}", Span(at, at + 1), hint)


def _starts_with_sign(text: str, at: int, signs: str) -> bool:
    return text.startswith(signs, at) if signs == "{{" else text[at] in signs
