"""Diagnostics on the terminal: what is wrong, where, the text underlined, and what to do."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from rowbook.errors import Diagnostic, Snippet
from rowbook.errors.codes import CODES
from rowbook.text.visible import visible, width

_RED, _YELLOW, _BOLD, _DIM, _PLAIN = "\033[31m", "\033[33m", "\033[1m", "\033[2m", "\033[0m"
_INDENT = "    "
_NARROWEST = 40


def coloured(stream: TextIO) -> bool:
    """Colour only on a terminal, and never against NO_COLOR."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def columns_of(stream: TextIO) -> int | None:
    """None where lines may have any length."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def print_findings(diagnostics: Iterable[Diagnostic], folder: str, stream: TextIO) -> None:
    """All findings, files shown relative to where the user is."""
    paint, columns = coloured(stream), columns_of(stream)
    for diagnostic in diagnostics:
        found = lines(diagnostic, folder, paint=paint, columns=columns)
        stream.writelines(line + "\n" for line in found)


def lines(
    diagnostic: Diagnostic, folder: str = "", *, paint: bool = False, columns: int | None = None
) -> Iterator[str]:
    """Wrapped where there are so many columns."""
    columns = max(columns, _NARROWEST) if columns else None
    bold, dim, plain = (_BOLD, _DIM, _PLAIN) if paint else ("", "", "")
    warning = diagnostic.severity == "warning"
    tone = (_YELLOW if warning else _RED) if paint else ""
    where = ""
    if diagnostic.position is not None:
        p = diagnostic.position
        file = visible(os.path.join(folder, p.file))  # noqa: PTH118
        where = f"{file}:{p.line}:{p.column}"
    kind = " (warning)" if warning else ""
    before = f"{where}  {diagnostic.code}{kind}  " if where else f"{diagnostic.code}{kind}  "
    first, *rest = _wrapped(visible(diagnostic.text), columns, width(before))
    painted = f"{bold}{where}{plain}  " if where else ""
    yield f"{painted}{tone}{diagnostic.code}{plain}{kind}  {first}"
    yield from rest
    if diagnostic.snippet is not None:
        yield from _underlined(diagnostic.snippet, columns, (dim, tone, plain))
    if remedy := hint_of(diagnostic):
        yield from _wrapped(visible(remedy), columns, 0)


def _underlined(
    snippet: Snippet, columns: int | None, styles: tuple[str, str, str]
) -> Iterator[str]:
    """The text and, below it, what is wrong in it; where it is too long, the part around that."""
    dim, tone, plain = styles
    lead, text, start, end = (
        f'{snippet.label}: "',
        visible(snippet.text),
        snippet.start,
        snippet.end,
    )
    room = columns - len(_INDENT) - len(lead) - 1 if columns else None
    if room is not None and width(text) > room:
        text, start, end = _window(text, start, end, room)
    yield f'{_INDENT}{dim}{lead}{plain}{text}{dim}"{plain}'
    before = " " * (len(lead) + width(text[:start]))
    yield f"{_INDENT}{before}{tone}{'^' * (width(text[start:end]) or 1)}{plain}"


def _window(text: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    end = min(end, start + room - 2)
    first = max(0, min(start - (room - (end - start)) // 2, len(text) - room + 1))
    before = "…" if first else ""
    part = text[first : first + room - 2 * len("…")]
    after = "…" if first + len(part) < len(text) else ""
    shift = len(before) - first
    return f"{before}{part}{after}", start + shift, end + shift


def _wrapped(text: str, columns: int | None, before: int) -> list[str]:
    """The text in lines, indented but for the first where something stands before it."""
    if columns is None:
        return [text if before else f"{_INDENT}{text}"]
    found = textwrap.wrap(
        text,
        columns,
        initial_indent=" " * before or _INDENT,
        subsequent_indent=_INDENT,
        break_on_hyphens=False,
    ) or [""]
    return [found[0][before:], *found[1:]]


def hint_of(diagnostic: Diagnostic) -> str | None:
    code = CODES.get(diagnostic.code)
    return diagnostic.hint or (code.remedy if code else None)


def as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    p, operation = diagnostic.position, diagnostic.operation
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": p.file if p else None,
        "line": p.line if p else None,
        "column": p.column if p else None,
        "hint": hint_of(diagnostic),
        "operation": {"seq": operation.seq, "name": operation.name} if operation else None,
    }
