"""Diagnostics: what is wrong, where, and what to do. The codes themselves are in `codes`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from rowbook.errors.redaction import redact
from rowbook.value_class import dataclass

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a definition file. Line and column count from 1, in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Snippet:
    """The text a diagnostic is about, on one line, with the faulty part as [start, end)."""

    text: str
    start: int
    end: int
    label: str = "expression"


@dataclass(frozen=True, slots=True)
class OperationRef:
    seq: int
    name: str

    def __str__(self) -> str:
        return f"operation {self.seq} '{self.name}'"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `hint` says what to do; a finding without one shows its code's remedy.
    `operation` is the one that failed."""

    code: str
    message: str
    position: Position | None = None
    hint: str | None = None
    snippet: Snippet | None = None
    severity: Severity = "error"
    operation: OperationRef | None = None

    @property
    def text(self) -> str:
        return f"{self.operation}: {self.message}" if self.operation else self.message

    def at(self, position: Position) -> Diagnostic:
        return replace(self, position=position)

    def __str__(self) -> str:
        where = f"{self.position}  " if self.position else ""
        return f"{where}{self.code}  {self.text}"


class RowbookError(Exception):
    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(map(_redacted, diagnostics))
        super().__init__("\n".join(str(d) for d in self.diagnostics))

    def has(self, code: str) -> bool:
        return any(diagnostic.code == code for diagnostic in self.diagnostics)

    @classmethod
    def of(cls, code: str, message: str, *, hint: str | None = None) -> RowbookError:
        return cls(Diagnostic(code, message, hint=hint))


def _redacted(diagnostic: Diagnostic) -> Diagnostic:
    message, hint = redact(diagnostic.message), diagnostic.hint
    return replace(diagnostic, message=message, hint=redact(hint) if hint else hint)


def reason(error: BaseException) -> str:
    """What the operating system said, without the path that it adds; else the error's own words."""
    said = error.strerror if isinstance(error, OSError) else None
    return said or str(error)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by file, line and column, each finding once."""

    def key(d: Diagnostic) -> tuple[str, int, int, str, str]:
        p = d.position
        return (p.file, p.line, p.column, d.code, d.message) if p else ("", 0, 0, d.code, d.message)

    return tuple(sorted(dict.fromkeys(diagnostics), key=key))


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, if one is near enough to be a likely typo."""
    by_lower = {k.lower(): k for k in known}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[near[0]] if near else None


def listing(words: Sequence[str], most: int = 12) -> str:
    """`a, b, c …` for hints: never longer than a reader takes in."""
    shown = ", ".join(words[:most])
    return f"{shown} …" if len(words) > most else shown


def suggestion(word: str, known: Sequence[str], what: str) -> str | None:
    """`did you mean 'x'?  columns: a, b …`, or only the list when nothing is near."""
    near = did_you_mean(word, known)
    parts = [f"did you mean '{near}'?"] if near else []
    if known:
        parts.append(f"{what}: {listing(known)}")
    return "  ".join(parts) or None
