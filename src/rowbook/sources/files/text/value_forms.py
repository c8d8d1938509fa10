"""How numbers, dates and instants are written in text sources, where it is not as in ISO."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rowbook.expressions.scalars.date_layouts import layout_of
from rowbook.expressions.types import Kind, Type
from rowbook.sources.files.text.number_layouts import NumberLayout, number_layout

NUMBERS = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT})
NO_NUMBERS = ("NaN", "Infinity", "-Infinity")
"""Floats that are the same in every form."""


NUMBER_MARK = "\ufdd0"
"""Stands around numbers of json for Spark. It is no character, and never will be: no text holds
it."""


class NumberText(str):
    """A number of json as it is written, which no form changes; other texts are in quotes there."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TextForm:
    """None stands for ISO. `exponents` says that an integer may be written with one. `strip` are
    signs that may stand around numbers."""

    decimal_separator: str = "."
    date_format: str | None = None
    timestamp_format: str | None = None
    exponents: bool = False
    thousands_separator: str | None = None
    negative: str = "leading"
    strip: str = ""

    def with_options(self, options: Mapping[str, str]) -> TextForm:
        """As it is, but for what these options say; they are sound."""
        if not options:
            return self
        return TextForm(
            options.get("decimal_separator", self.decimal_separator),
            options.get("date_format", self.date_format),
            options.get("timestamp_format", self.timestamp_format),
            self.exponents,
            options.get("thousands_separator", self.thousands_separator),
            options.get("negative", self.negative),
            options.get("strip", self.strip),
        )

    @property
    def numbers(self) -> NumberLayout | None:
        """None where numbers are plain but for their decimal separator."""
        if self.thousands_separator is None and self.negative == "leading" and not self.strip:
            return None
        return number_layout(
            self.decimal_separator, self.thousands_separator, self.negative, self.strip
        )

    @property
    def has_numbers(self) -> bool:
        """Whether numbers are written in a way of their own."""
        return self.decimal_separator != "." or self.numbers is not None

    @property
    def is_plain(self) -> bool:
        """Whether values are written as by default."""
        dates = self.date_format or self.timestamp_format
        return dates is None and not self.has_numbers

    def usual(self, text: str, to: Type) -> str | None:
        """A text for a type as it would be written by default; None where it is not in this form.
        Where another decimal separator is said, a point itself does not fit."""
        match to.kind:
            case Kind.INTEGER | Kind.DECIMAL | Kind.FLOAT:
                return self._usual_number(text, to.kind)
            case Kind.DATE if self.date_format is not None:
                layout = layout_of(self.date_format, with_time=False)
                return layout.iso(text) if layout else text
            case Kind.TIMESTAMP if self.timestamp_format is not None:
                layout = layout_of(self.timestamp_format, with_time=True)
                return layout.iso(text) if layout else text
        return text

    def _usual_number(self, text: str, kind: Kind) -> str | None:
        numbers, comma = self.numbers, self.decimal_separator
        if isinstance(text, NumberText):
            return text
        if numbers is not None:
            is_word = kind is Kind.FLOAT and text in NO_NUMBERS
            return text if is_word else numbers.plain(text)
        if comma == "." or kind is Kind.INTEGER:
            return text
        return text.translate(str.maketrans(f"{comma}.", f".{comma}"))


ISO = TextForm()
