"""What the shell offers after Tab: names from the workspace, and where anything is wrong no words
at all."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import typer

if TYPE_CHECKING:
    from rowbook.api import WordKind

_Offer: TypeAlias = tuple[str, str]
"""A word and what is said beside it, in shells that show it."""
_VARIABLE = "_ROWBOOK_COMPLETE"


def words_typed() -> list[str] | None:
    """The whole words after `rowbook` while a shell asks for completions; None when it does not."""
    if _VARIABLE not in os.environ:
        return None
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    try:
        words = shlex.split(line)
    except ValueError:  # a quote that is still open
        words = line.split()
    return words[1:] if line.endswith(" ") else words[1:-1]


def projects(context: typer.Context, incomplete: str) -> list[_Offer]:
    return _offers(context, incomplete, "project")


def datasets(context: typer.Context, incomplete: str) -> list[_Offer]:
    return _offers(context, incomplete, "dataset")


def periods(context: typer.Context, incomplete: str) -> list[_Offer]:
    return _offers(context, incomplete, "period")


def runs(context: typer.Context, incomplete: str) -> list[_Offer]:
    return _offers(context, incomplete, "run")


def _offers(context: typer.Context, incomplete: str, kind: WordKind) -> list[_Offer]:
    from rowbook.api import completion_words

    try:
        found = completion_words(kind, Path(context.params.get("folder") or "."))
    except Exception:  # whatever it is, a shell that waits for words is no place to say it
        return []
    return [
        (word, " ".join(said.split()))
        for word, said in found.items()
        if word.startswith(incomplete)
    ]
