"""Nobody is asked twice, and nobody at all without a terminal."""

from __future__ import annotations

import io
import sys

import pytest

from rowbook.cli.prompts import consent
from tests.support.refusal import refusal


class Terminal(io.StringIO):
    """Somebody who answers."""

    def isatty(self) -> bool:
        return True


def test_yes_is_an_answer_before_the_question() -> None:
    consent("Lock 2026-01?", yes=True)


def test_without_a_terminal_it_is_wrong_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    found = refusal(lambda: consent("Lock 2026-01?", yes=False), "USAGE_001")
    assert found.message == "there is no terminal to ask: Lock 2026-01?"
    assert found.hint == "nothing was changed; say --yes"


def test_on_a_terminal_no_is_an_answer_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    consent("Lock 2026-01?", yes=False)
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    found = refusal(lambda: consent("Lock 2026-01?", yes=False), "USAGE_001")
    assert found.message == "the answer was no"
    assert capsys.readouterr().out.strip() == ""
