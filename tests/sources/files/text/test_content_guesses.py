"""What a file is, by its bytes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rowbook.sources.files.text.content_guesses import encoding_hint, guess_encoding, refuse_no_text
from tests.support.refusal import refusal

TEXT = "Konto;Größe\n4000;ü €\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (TEXT.encode()[:11], "utf-8"),
        (TEXT.encode("utf-8-sig"), "utf-8"),
        (TEXT.encode("cp1252"), "cp1252"),
        ("Größe\x81".encode("latin-1"), "iso8859-1"),
        (TEXT.encode("utf-16"), "utf-16"),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.encode("utf-16-be"), "utf-16-be"),
        (TEXT.encode("utf-32"), "utf-32"),
        (b"a;b\n", "utf-8"),
        (b"", None),
    ],
)
def test_the_encoding_of_a_text(content: bytes, encoding: str | None) -> None:
    assert guess_encoding(content) == encoding


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04\x14\x00", "an Excel workbook or another archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook"),
        (b"PK,name\n", None),
        (b"", None),
    ],
)
def test_a_workbook_is_no_text(tmp_path: Path, content: bytes, said: str | None) -> None:
    path = tmp_path / "gl.csv"
    path.write_bytes(content)
    if said is None:
        refuse_no_text(path, "csv", "data/gl.csv")
        return
    found = refusal(lambda: refuse_no_text(path, "csv", "data/gl.csv"))
    assert (found.code, found.message) == ("DATASOURCE_007", f"data/gl.csv is {said}, not csv")


def test_a_hint_names_the_encoding_of_the_first_file_that_is_no_text(tmp_path: Path) -> None:
    sound, other = tmp_path / "a.csv", tmp_path / "b.csv.gz"
    sound.write_text("ü\n")
    other.write_bytes(gzip.compress(b"x\n" * 700_000 + "ü\n".encode("cp1252")))
    hint = "it looks like cp1252: set the option `encoding: cp1252`"
    assert encoding_hint([sound, other], "utf-8") == hint
    unknown = "set the option `encoding` of the data source to the files' encoding"
    assert encoding_hint([sound], "utf-8") == unknown
