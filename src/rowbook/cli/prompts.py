"""Asking before something happens that cannot be taken back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import typer

from rowbook.errors import RowbookError
from rowbook.text.visible import visible

if TYPE_CHECKING:
    from rowbook.api import TrustRequest


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


def ask_trust(request: TrustRequest) -> bool:
    """Shows what a workspace claims and asks; without a terminal the answer is no."""
    if not sys.stdin.isatty():
        return False
    sys.stderr.writelines(f"{line}\n" for line in _claims(request))
    return typer.confirm("Do you trust this workspace?", err=True)


def _claims(request: TrustRequest) -> Iterator[str]:
    yield f"The workspace {visible(str(request.root))} claims more than its own folder"
    yield "and what is harmless:" if request.first else "and has changed since you trusted it:"
    for meaning, claims in groupby(request.claims, lambda each: each.meaning):
        yield f"  {meaning}:"
        for each in claims:
            mark = "" if request.first or each not in request.new else "  (new)"
            yield f"    {each.label}{mark}"
    for setting in request.gone:
        yield f"  no longer there: {visible(setting)}"
    yield "Whoever wrote this could run programs as you, read your files and learn these secrets."
