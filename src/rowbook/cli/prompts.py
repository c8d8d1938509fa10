"""Asking before something happens that cannot be taken back."""

from __future__ import annotations

import sys

import typer

from rowbook.errors import RowbookError


def consent(question: str, *, yes: bool) -> None:
    """Returns where the answer is yes, given by --yes or on the terminal. Without a terminal nobody
    is asked: that, and no for an answer, is wrong usage."""
    if yes:
        return
    if not sys.stdin.isatty():
        message = f"there is no terminal to ask: {question}"
        raise RowbookError.of("USAGE_001", message, hint="nothing was changed; say --yes")
    if not typer.confirm(question, err=True):
        raise RowbookError.of("USAGE_001", "the answer was no", hint="nothing was changed")
