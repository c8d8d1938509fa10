"""Diagnostics on the terminal: what is wrong, where, the text underlined, and what to do."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO
from unicodedata import combining, east_asian_width

from rowbook.catalogue import CODES
from rowbook.errors import Diagnostic

_RED, _YELLOW, _BOLD, _DIM, _PLAIN = "\033[31m", "\033[33m", "\033[1m", "\033[2m", "\033[0m"


def coloured(stream: TextIO) -> bool:
    """Colour only on a terminal, and never against NO_COLOR."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def print_findings(diagnostics: Iterable[Diagnostic], folder: str, stream: TextIO) -> None:
    """All findings, files shown relative to where the user is."""
    paint = coloured(stream)
    for diagnostic in diagnostics:
        stream.writelines(line + "\n" for line in lines(diagnostic, folder, paint=paint))


def print_error(diagnostic: Diagnostic) -> None:
    """A finding that ends a command, on stderr."""
    print_findings([diagnostic], "", sys.stderr)


def lines(diagnostic: Diagnostic, folder: str = "", *, paint: bool = False) -> Iterator[str]:
    """A finding as lines of text."""
    bold, dim, plain = (_BOLD, _DIM, _PLAIN) if paint else ("", "", "")
    warning = diagnostic.severity == "warning"
    tone = (_YELLOW if warning else _RED) if paint else ""
    where = ""
    if diagnostic.position is not None:
        p = diagnostic.position
        where = f"{bold}{os.path.join(folder, p.file)}:{p.line}:{p.column}{plain}  "  # noqa: PTH118
    code = f"{tone}{diagnostic.code}{plain}"
    kind = " (warning)" if warning else ""
    yield f"{where}{code}{kind}  {visible(diagnostic.message)}"
    if diagnostic.snippet is not None:
        s = diagnostic.snippet
        lead, text = f'{s.label}: "', visible(s.text)
        yield f'    {dim}{lead}{plain}{text}{dim}"{plain}'
        indent = " " * (len(lead) + _width(text[: s.start]))
        yield f"    {indent}{tone}{'^' * (_width(text[s.start : s.end]) or 1)}{plain}"
    if remedy := hint_of(diagnostic):
        yield f"    {visible(remedy)}"


def visible(text: str) -> str:
    """The text on one line, and without what a terminal would take as a command."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "·" for c in text)


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def hint_of(diagnostic: Diagnostic) -> str | None:
    """The finding's own hint, else what its code says to do."""
    code = CODES.get(diagnostic.code)
    return diagnostic.hint or (code.remedy if code else None)


def as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """A finding for programs."""
    p = diagnostic.position
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": p.file if p else None,
        "line": p.line if p else None,
        "column": p.column if p else None,
        "hint": hint_of(diagnostic),
    }
