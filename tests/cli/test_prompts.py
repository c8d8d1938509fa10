"""Nobody is asked twice, and nobody at all without a terminal."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from rowbook.api import Claim, TrustRequest
from rowbook.cli.prompts import ask_trust, consent
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


def request(*, first: bool) -> TrustRequest:
    jars = Claim("engine.conf spark.jars", "a.jar", "may load code")
    lake = Claim("allowed_locations", "/mnt/\x1b[2Jlake", "data is read and written there")
    gone = () if first else ("store.url",)
    return TrustRequest(Path("/w"), (jars, lake), (jars,), gone, first)


def test_a_workspace_is_trusted_after_it_was_shown_what_it_claims(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert ask_trust(request(first=True))
    assert capsys.readouterr().err.rstrip() == (
        "The workspace /w claims more than its own folder\n"
        "and what is harmless:\n"
        "  may load code:\n"
        "    engine.conf spark.jars: a.jar\n"
        "  data is read and written there:\n"
        "    allowed_locations: /mnt/·[2Jlake\n"
        "Whoever wrote this could run programs as you, read your files and learn these secrets.\n"
        "Do you trust this workspace? [y/N]:"
    )


def test_what_changed_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("\n"))
    assert not ask_trust(request(first=False))
    shown = capsys.readouterr().err.splitlines()
    assert shown[1] == "and has changed since you trusted it:"
    assert "    engine.conf spark.jars: a.jar  (new)" in shown
    assert "  no longer there: store.url" in shown


def test_without_a_terminal_nothing_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert not ask_trust(request(first=True))
