"""Text in files is read as Spark reads it, in any encoding, packed or not."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from rowbook.sources.files.text.encodings import LOST, from_latin_1, open_bytes, open_text

EVERY_BYTE = bytes(range(256))


@pytest.mark.parametrize("encoding", ["cp1252", "cp1250", "iso8859-15", "koi8-r", "mac-roman"])
def test_what_was_read_as_latin_1_is_translated_into_what_the_bytes_stand_for(
    encoding: str,
) -> None:
    read, meant = from_latin_1(encoding)
    as_spark = EVERY_BYTE.decode("iso8859-1").translate(str.maketrans(read, meant))
    assert as_spark == EVERY_BYTE.decode(encoding, "replace")


def test_latin_1_itself_needs_no_translation() -> None:
    assert from_latin_1("iso8859-1") == ("", "")


def test_a_mark_at_the_beginning_is_no_text_and_lost_bytes_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "gl.csv"
    path.write_bytes(b"\xef\xbb\xbfa,\xff\n")
    with open_text(path, "utf-8") as file:
        assert file.read() == f"a,{LOST}\n"


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_packed_files_are_read_unpacked(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"gl.csv{suffix}"
    path.write_bytes(pack(b"a,b\r\n"))
    with open_bytes(path) as file:
        assert file.read() == b"a,b\r\n"
