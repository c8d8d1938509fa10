"""Secrets are read where they are named, and never repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.sources.credentials import read_secret
from tests.support.refusal import refusal


def test_a_secret_is_read_from_the_environment_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAKE_KEY", "from the environment")
    (tmp_path / "a key.txt").write_text("from a file\r\n", encoding="utf-8")
    assert read_secret("env://LAKE_KEY", tmp_path) == "from the environment"
    assert read_secret("file://a%20key.txt", tmp_path) == "from a file"
    assert read_secret(f"file://{tmp_path}/a%20key.txt", Path("/")) == "from a file"


@pytest.mark.parametrize(
    ("reference", "named"),
    [
        ("env://NOT_SET", "NOT_SET"),
        ("env://EMPTY", "EMPTY"),
        ("file://nothing.txt", "nothing.txt"),
        ("file://empty.txt", "empty.txt"),
        ("file://bytes.txt", "bytes.txt"),
        ("file://.", "."),
        ("https://host/secret", "https"),
    ],
)
def test_a_secret_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str, named: str
) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    monkeypatch.setenv("EMPTY", "")
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "bytes.txt").write_bytes(b"hush \xff\xfe")
    diagnostic = refusal(lambda: read_secret(reference, tmp_path))
    assert diagnostic.code == "DATASOURCE_009"
    assert named in diagnostic.message
    assert "hush" not in diagnostic.message
