"""Secrets that were read are shown nowhere."""

from __future__ import annotations

import io
import json
import traceback
from pathlib import Path
from urllib.parse import quote

import pytest

from rowbook.cli.app import _print_trace
from rowbook.errors import Diagnostic, RowbookError, redaction
from rowbook.errors.redaction import redact, remember
from rowbook.sources.credentials import read_secret

SECRET = 'Kanarie "7/é& 9'


@pytest.fixture(autouse=True)
def _own_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "_forms", set())


@pytest.mark.parametrize(
    "text",
    [
        f"password={SECRET};",
        f"url?password={quote(SECRET, safe='')}",
        json.dumps({"password": SECRET}),
        repr([SECRET]),
    ],
)
def test_a_secret_is_hidden_however_it_is_written(text: str) -> None:
    remember(SECRET)
    hidden = redact(text)
    assert "***" in hidden
    assert "Kanarie" not in hidden


def test_what_hides_nothing_is_left() -> None:
    remember("ab")
    remember("")
    assert redact("about a cab") == "about a cab"


def test_of_two_secrets_the_longer_goes_first() -> None:
    remember("pass")
    remember("password")
    assert redact("my password") == "my ***"


def test_reading_a_secret_hides_it_in_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PW", "from-the-environment")
    (tmp_path / "pw").write_text("from-a-file\n")
    assert read_secret("env://PW", tmp_path) == "from-the-environment"
    assert read_secret("file://pw", tmp_path) == "from-a-file"
    error = RowbookError(
        Diagnostic("OUTPUT_006", "said from-a-file", hint="try from-the-environment")
    )
    assert str(error) == "OUTPUT_006  said ***"
    assert error.diagnostics[0].hint == "try ***"


def test_tracebacks_hide_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    remember("hunter2hunter2")
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    try:
        raise ValueError("FATAL: hunter2hunter2 is wrong")
    except ValueError as error:
        assert "hunter2hunter2" in traceback.format_exc()
        _print_trace(type(error), error, error.__traceback__)
    assert "FATAL: *** is wrong" in said.getvalue()
    assert "hunter2" not in said.getvalue().replace('remember("hunter2hunter2")', "")
