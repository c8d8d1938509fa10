"""Patterns of numbers, as TO_STRING writes them: `#,##0.00`, `0.0%`, `#,##0;(#,##0)`.

`0` is a digit that is always there, `#` one that is left out where it is a zero at the edge, a
comma before three digits groups thousands, and `%` is for hundred times the number. Before and
after the digits may stand anything else, letters in single quotes. A part after `;` is for negative
numbers, which are then written without a sign.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from rowbook.expressions.scalars.casts import to_decimal
from rowbook.expressions.scalars.date_patterns import PatternError
from rowbook.expressions.values import EXACT, rounded_to
from rowbook.value_class import dataclass

MOST_DECIMALS = 18
GROUPS = "(?<=[0-9])(?=(?:[0-9]{3})+$)"
"""Where a comma comes into digits."""
_AROUND = r"(?:'(?:[^']|'')+'|[^A-Za-z0-9#,.;'])*"
_SECTION = re.compile(rf"({_AROUND})([#0,]+)(?:\.(0*)(#*))?({_AROUND})", re.DOTALL)
_WHOLE = re.compile(r"#*0*")
_GROUPED = re.compile(r"[#0]{1,3}(?:,[#0]{3})+")
_QUOTED = re.compile(r"'((?:[^']|'')+)'")


@dataclass(frozen=True, slots=True)
class NumberForm:
    """How a number without its sign is written: at least so many digits before the point, between
    `least` and `most` after it."""

    before: str
    digits: int
    least: int
    most: int
    grouped: bool
    percent: bool
    after: str

    @property
    def scale(self) -> int:
        """The digits after the number's own point that count."""
        return self.most + 2 * self.percent


@lru_cache(maxsize=256)
def parse_number_pattern(pattern: str) -> tuple[NumberForm, NumberForm | None]:
    """The form of numbers, and that of negative ones where it is another; else PatternError."""
    first, *others = _sections(pattern)
    if len(others) > 1:
        raise PatternError("it has more than two parts")
    return _form(first), _form(others[0]) if others else None


def format_number_by(x: int | Decimal | float, pattern: str) -> str | None:
    """Rounded half up; what becomes zero has no sign. A float by its shortest decimal, NULL where
    that is none or has more than 38 digits."""
    forms = parse_number_pattern(pattern)
    number = to_decimal(x, 38, scale_of(forms)) if isinstance(x, float) else Decimal(x)
    if number is None:
        return None
    form, negative = forms
    if number < 0 and (digits := _digits(number, negative or form)).strip("0."):
        return _written(digits, negative) if negative else f"-{_written(digits, form)}"
    return _written(_digits(number, form), form)


def scale_of(forms: tuple[NumberForm, NumberForm | None]) -> int:
    """The digits after the point that count."""
    return max(form.scale for form in forms if form is not None)


def _sections(pattern: str) -> list[str]:
    """The parts between semicolons that are not quoted."""
    found = [""]
    for piece in re.split(r"('(?:[^']|'')+')", pattern):
        if piece.startswith("'"):
            found[-1] += piece
        else:
            first, *rest = piece.split(";")
            found[-1] += first
            found += rest
    return found


def _form(section: str) -> NumberForm:
    found = _SECTION.fullmatch(section)
    if found is None:
        raise PatternError("it is not made of # and 0, with letters in single quotes")
    before, whole, zeros, marks, after = found.groups("")
    plain = whole.replace(",", "")
    if not _WHOLE.fullmatch(plain) or ("," in whole and not _GROUPED.fullmatch(whole)):
        raise PatternError(
            "before the point stand first #, then 0, and a comma before three digits"
        )
    if len(zeros) + len(marks) > MOST_DECIMALS:
        raise PatternError(f"it has more than {MOST_DECIMALS} digits after the point")
    if not plain.count("0") and not zeros:
        raise PatternError("it has no 0: a zero would have no digit at all")
    signs = [_QUOTED.sub("", text).count("%") for text in (before, after)]
    return NumberForm(
        _unquoted(before),
        plain.count("0"),
        len(zeros),
        len(zeros) + len(marks),
        "," in whole,
        sum(signs) > 0,
        _unquoted(after),
    )


def _unquoted(text: str) -> str:
    return _QUOTED.sub(lambda found: found[1].replace("''", "'"), text)


def _digits(number: Decimal, form: NumberForm) -> str:
    """Of the number without its sign: all before the point, `most` after it."""
    size = rounded_to(number.copy_abs(), form.scale)
    if form.percent:
        size = EXACT.scaleb(size, Decimal(2))
    return format(size, "f")


def _written(digits: str, form: NumberForm) -> str:
    whole, _, fraction = digits.partition(".")
    whole = whole.lstrip("0").rjust(form.digits, "0")
    if form.grouped:
        whole = re.sub(GROUPS, ",", whole)
    fraction = fraction[: form.least] + fraction[form.least :].rstrip("0")
    return f"{form.before}{whole}{'.' * bool(fraction)}{fraction}{form.after}"
