"""Text files read by Python alone. Where Spark might read one otherwise, it is left to Spark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice
from typing import IO

from rowbook.errors import reason
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import Value
from rowbook.reference.loading.text_values import value_of_text
from rowbook.sources.files.text.encodings import LOST, is_ascii_based, open_bytes, open_text
from rowbook.sources.files.text.value_forms import ISO, TextForm
from rowbook.sources.source_errors import NotPlainError
from rowbook.sources.stores.object_path import DataPath

MOST_BYTES = 32 << 20
"""Of one file, as it is when it is not packed: a text larger than that is not a small one."""
_CHUNK = 1 << 20


def count_lines(path: DataPath, most: int) -> int:
    """How many ends of lines there are, in whatever encoding: no fewer than rows, a header apart.
    Of a file above MOST_BYTES, more than `most`; none of one that cannot be read, which its reader
    will say."""
    ends, size = 0, 0
    try:
        with open_bytes(path) as file:
            while ends <= most and (chunk := file.read(_CHUNK)):
                size += len(chunk)
                ends += max(chunk.count(b"\n"), chunk.count(b"\r"))
                if size > MOST_BYTES:
                    return most + 1
    except (OSError, EOFError):
        return 0
    return ends


@dataclass(slots=True)
class LineBudget:
    """How many lines may be read, of all files together, and how many were; `cut` where a file has
    more than that, `lost` where one holds bytes that are no text. Without `most` all are read."""

    most: int | None = None
    read: int = 0
    cut: bool = False
    lost: bool = False

    def head(self, file: IO[str]) -> tuple[str, bool]:
        """The lines of a file that may be read, whole ones, and whether it has more."""
        if self.most is None:
            return file.read(), False
        text = file.read(_CHUNK)
        lines = list(islice(StringIO(text, newline=""), self.most - self.read))
        if len(text) == _CHUNK and lines and sum(map(len, lines)) == len(text):
            lines.pop()
        self.read += len(lines)
        head = "".join(lines)
        has_more = len(head) < len(text) or bool(file.read(1))
        self.cut = self.cut or has_more
        return head, has_more


def read_plain_text(
    path: DataPath, encoding: str, label: str, budget: LineBudget
) -> tuple[str, bool]:
    """The text of a file, and whether it goes on. NotPlainError for what Python and Spark may not
    take for the same text."""
    try:
        with open_text(path, encoding) as file:
            text, has_more = budget.head(file)
    except (UnicodeError, OSError, EOFError) as cause:
        raise NotPlainError(f"{label} cannot be read: {reason(cause)}") from cause
    budget.lost = budget.lost or LOST in text
    if LOST in text and not is_ascii_based(encoding):
        raise NotPlainError(f"{label} holds bytes that are no text in {encoding}")
    if "\0" in text:
        raise NotPlainError(f"{label} holds a character with the number 0")
    returns, ends = text.count("\r"), text.count("\n")
    if returns and not returns == ends == text.count("\r\n"):
        raise NotPlainError(f"{label} does not end all its lines alike")
    return text, has_more


def fit_text(form: TextForm) -> Callable[[Value, Type], Value]:
    """How a text that is written in a form becomes a value; ValueError where it is none."""
    exponents = form.exponents
    is_usual = form == replace(ISO, exponents=exponents)

    def fit(value: Value, to: Type) -> Value:
        assert isinstance(value, str)
        if to.kind is Kind.STRING:
            return str(value)
        usual = value if is_usual else form.usual(value, to)
        if usual is None:
            raise ValueError(f"'{value}' is not in the form of {to}")
        return value_of_text(usual, to, exponents=exponents)

    return fit


def fits(to: Type, form: TextForm) -> Callable[[str], bool]:
    """Whether a text is a value of a declared type."""
    fit = fit_text(form)

    def is_value(text: str) -> bool:
        try:
            return fit(text, to) is not None
        except ValueError:
            return False

    return is_value
