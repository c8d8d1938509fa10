"""The encoding of files, by their bytes."""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import pytest

from rowbook.inference.extracts.encoding_guess import guess_file_encoding

_TEXT = "Konto;Währung;Betrag\r\n0400;€;1.234,56-\r\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (_TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + _TEXT.encode(), "utf-8"),
        (_TEXT.encode("cp1252"), "cp1252"),
        (b"caf\xe9 \x81", "iso8859-1"),
        (_TEXT.encode("utf-16"), "utf-16"),
        (codecs.BOM_UTF16_BE + _TEXT.encode("utf-16-be"), "utf-16"),
        (_TEXT.encode("utf-16-le"), "utf-16-le"),
        (_TEXT.encode("utf-16-be"), "utf-16-be"),
        (_TEXT.encode("utf-32"), "utf-32"),
        (b"", "utf-8"),
    ],
)
def test_bytes_tell_their_encoding(data: bytes, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes(data)
    assert guess_file_encoding(path).encoding == encoding


def test_all_of_a_file_counts_not_only_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes(b"a;b\n" * 600_000 + b"\xfc;x\n")
    found = guess_file_encoding(path)
    assert (found.encoding, found.why) == ("cp1252", "not all of it is UTF-8")


def test_packed_files_are_looked_into(tmp_path: Path) -> None:
    path = tmp_path / "f.csv.gz"
    path.write_bytes(gzip.compress(_TEXT.encode("cp1252")))
    assert guess_file_encoding(path).encoding == "cp1252"
