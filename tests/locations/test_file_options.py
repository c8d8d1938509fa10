"""Files by their format: endings, compression, how many or large."""

from __future__ import annotations

import pytest

from rowbook.locations.file_options import file_option_fault, file_size, format_of, has_ending


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gl.csv", "csv"),
        ("GL.CSV.GZ", "csv"),
        ("gl.jsonl", "json"),
        ("gl.ndjson.bz2", "json"),
        ("gl.orc", "orc"),
        ("gl.parquet", "parquet"),
        ("gl.parquet.gz", None),
        ("gl.csv.zip", None),
        ("csv", None),
        ("", None),
    ],
)
def test_the_ending_of_a_name_tells_its_format(name: str, kind: str | None) -> None:
    assert format_of(name) == kind


def test_an_ending_belongs_to_one_format() -> None:
    assert (has_ending("a.json.gz", "json"), has_ending("a.json.gz", "csv")) == (True, False)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("64kb", 65536),
        ("128mb", 134217728),
        ("1 GB", 1073741824),
        ("63kb", None),
        ("0mb", None),
        ("1.5gb", None),
        ("128", None),
        ("", None),
        ("12345678kb", None),
    ],
)
def test_a_size_has_a_unit_and_is_not_too_small(text: str, size: int | None) -> None:
    assert file_size(text) == size


@pytest.mark.parametrize(
    ("kind", "name", "value", "fault"),
    [
        ("csv", "compression", "gzip", None),
        ("csv", "compression", "zstd", "'zstd' is no compression of csv: gzip, bzip2, none"),
        ("csv", "files", "99999", None),
        ("csv", "files", "0", "'files' must be a positive integer of at most five digits"),
        ("csv", "files", "100000", "'files' must be a positive integer of at most five digits"),
        ("csv", "file_size", "1kb", "'file_size' must be a size from 64kb up, such as 128mb"),
        ("csv", "delimiter", "anything", None),
    ],
)
def test_an_option_is_sound_or_says_why_not(
    kind: str, name: str, value: str, fault: str | None
) -> None:
    assert file_option_fault(kind, name, value, {name: value}) == fault


def test_number_and_size_of_files_exclude_each_other() -> None:
    fault = file_option_fault("csv", "file_size", "128mb", {"files": "2", "file_size": "128mb"})
    assert fault == "'files' and 'file_size' exclude each other"
