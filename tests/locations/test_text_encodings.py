"""Encodings by any of their names."""

from __future__ import annotations

import pytest

from rowbook.locations.text_encodings import encoding_named


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("UTF-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("windows-1252", "cp1252"),
        ("Latin-1", "iso8859-1"),
        ("UTF-16LE", "utf-16-le"),
        ("cp037", None),
        ("shift_jis", None),
        ("rot13", None),
        ("", None),
    ],
)
def test_an_encoding_is_known_where_it_can_be_read(name: str, known: str | None) -> None:
    assert encoding_named(name) == known
