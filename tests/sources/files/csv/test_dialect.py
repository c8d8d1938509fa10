"""Options of csv files."""

from __future__ import annotations

import pytest

from rowbook.sources.files.csv.dialect import CsvDialect, dialect_of
from rowbook.sources.files.text.value_forms import TextForm
from tests.support.refusal import refusal


def test_without_options_files_are_as_rfc_4180_has_them() -> None:
    assert dialect_of({}, "data/gl.csv") == CsvDialect(
        delimiter=",", quote='"', escape='"', encoding="utf-8", header=True, null_text=None
    )


def test_options_are_taken() -> None:
    options = {
        "root": "data",
        "delimiter": ";",
        "quote": "'",
        "encoding": "Windows-1252",
        "header": "false",
        "null_text": "NA",
        "decimal_separator": ",",
        "date_format": "dd.MM.yyyy",
        "timestamp_format": "dd.MM.yyyy HH:mm",
        "compression": "gzip",
    }
    assert dialect_of(options, "data/gl.csv") == CsvDialect(
        delimiter=";",
        quote="'",
        escape="'",
        encoding="cp1252",
        header=False,
        null_text="NA",
        compression="gzip",
        form=TextForm(",", "dd.MM.yyyy", "dd.MM.yyyy HH:mm"),
    )


@pytest.mark.parametrize("written", ["\t", "\\t"])
def test_a_tab_may_be_written_as_backslash_t(written: str) -> None:
    assert dialect_of({"delimiter": written}, "x").delimiter == "\t"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("delimiter", ""),
        ("delimiter", "||"),
        ("delimiter", "\n"),
        ("delimiter", "§"),
        ("quote", "''"),
        ("escape", "ab"),
        ("encoding", "klingon"),
        ("encoding", "hex"),
        ("encoding", "shift_jis"),
        ("encoding", "cp037"),
        ("decimal_separator", ";"),
        ("date_format", "dd.MM.yy"),
        ("timestamp_format", "HH:mm"),
    ],
)
def test_a_value_that_cannot_be_is_refused(name: str, value: str) -> None:
    diagnostic = refusal(lambda: dialect_of({name: value}, "data/gl.csv"))
    assert diagnostic.code == "DATASOURCE_002"
    assert f"option '{name}' of data/gl.csv is '{value}', but must be " in diagnostic.message


@pytest.mark.parametrize(
    ("name", "charset"),
    [
        ("utf8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("latin1", "ISO-8859-1"),
        ("UTF-16", "UTF-16"),
        ("cp1252", "ISO-8859-1"),
    ],
)
def test_spark_reads_what_it_knows_and_latin_1_for_the_rest(name: str, charset: str) -> None:
    assert dialect_of({"encoding": name}, "x").spark_charset == charset


def test_a_single_byte_encoding_is_a_translation_of_latin_1() -> None:
    translation = dialect_of({"encoding": "cp1252"}, "x").translation
    assert translation is not None
    table = dict(zip(*translation, strict=True))
    assert (table["\x80"], table["\x99"], table["\x81"]) == ("€", "™", "\ufffd")
    assert "ü" not in table
