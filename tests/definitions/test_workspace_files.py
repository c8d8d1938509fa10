"""Files that cannot be definition files are refused with the reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rowbook.definitions.yaml import reader
from rowbook.definitions.yaml.nodes import SourceText
from rowbook.definitions.yaml.reader import MAX_BYTES, parse, read_file
from rowbook.errors import Diagnostic
from tests.definitions.yaml.samples import place_of
from tests.support.refusal import refusal


def refused(path: Path) -> Diagnostic:
    return refusal(lambda: read_file(path, "f.yaml"))


def test_a_file_is_read_and_a_byte_order_mark_taken_off(tmp_path: Path) -> None:
    path = tmp_path / "any.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: \xc3\xa9\r\n")
    assert read_file(path, "shown.yaml") == SourceText("shown.yaml", "a: é\r\n")


@pytest.mark.parametrize(
    ("content", "line", "column", "message"),
    [
        (b"a: 1\nb: \xe9\n", 2, 4, "not UTF-8 text: byte 0xE9 on line 2, byte 9 of the file"),
        ("é: 1\r\né: ".encode() + b"\xc3", 2, 4,
         "not UTF-8 text: byte 0xC3 on line 2, byte 12 of the file"),
        (b"\xef\xbb\xbfa\xed\xa0\x80", 1, 2,
         "not UTF-8 text: byte 0xED on line 1, byte 5 of the file"),
        ("a: 1".encode("utf-16"), 1, 1, "the file is UTF-16 or UTF-32 text, not UTF-8"),
        ("a: 1".encode("utf-32"), 1, 1, "the file is UTF-16 or UTF-32 text, not UTF-8"),
        (b"\xfe\xff\x00a", 1, 1, "the file is UTF-16 or UTF-32 text, not UTF-8"),
        (b"a: 1\nb: \x00\n", 2, 4, "the character U+0000 is not allowed in a YAML file"),
        (b"a: \x1b[0m\n", 1, 4, "the character U+001B is not allowed in a YAML file"),
        (b"a: \x7f\n", 1, 4, "the character U+007F is not allowed in a YAML file"),
        ("a: \ufffe\n".encode(), 1, 4, "the character U+FFFE is not allowed in a YAML file"),
        ("a: 1\n\ufeffb: 2\n".encode(), 2, 1,
         "the character U+FEFF is not allowed in a YAML file"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_yaml_text_is_refused_with_the_place(
    tmp_path: Path, content: bytes, line: int, column: int, message: str
) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(content)
    finding = refused(path)
    assert (finding.code, finding.message) == ("YAML_001", message)
    assert place_of(finding) == (line, column)


@pytest.mark.parametrize("text", ["a: \x00", "a: \ud800", "\ufeffa: 1"])
def test_text_that_did_not_come_from_a_file_is_checked_alike(text: str) -> None:
    documents, [finding] = parse(SourceText("f.yaml", text))
    assert documents == ()
    assert finding.code == "YAML_001"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    finding = refused(tmp_path / "none.yaml")
    assert (finding.code, finding.message) == ("YAML_001", "the file does not exist")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path).message == "a folder, not a file"


def test_a_dangling_or_circular_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gone.yaml").symlink_to("nowhere")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    assert refused(tmp_path / "gone.yaml").message == "the file does not exist"
    assert refused(tmp_path / "loop.yaml").message.startswith("cannot be read: ")


@pytest.mark.timeout(10)
def test_a_named_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert refused(tmp_path / "pipe.yaml").message == "not a regular file"


def test_a_device_is_refused() -> None:
    assert refused(Path(os.devnull)).message == "not a regular file"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(13, "Permission denied"), "no permission to read the file"),
        (OSError(5, "Input/output error"), "cannot be read: Input/output error"),
    ],
)
def test_a_file_that_the_system_does_not_hand_out_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, message: str
) -> None:
    path = tmp_path / "f.yaml"
    path.write_text("a: 1\n")

    def refuse(*_: object) -> int:
        raise error

    monkeypatch.setattr(os, "open", refuse)
    finding = refused(path)
    assert (finding.code, finding.message) == ("YAML_001", message)


@pytest.mark.parametrize("name", ["a\0b.yaml", "x" * 5_000, "\udcff\ud800.yaml"])
def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path / name).code == "YAML_001"


def test_a_file_above_the_size_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    with path.open("wb") as file:
        file.truncate(1024**4)
    finding = refused(path)
    assert (finding.code, finding.message) == ("YAML_007", "the file is larger than 16 MiB")


def test_a_file_that_grows_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(b"#" * 11)
    monkeypatch.setattr(reader, "MAX_BYTES", 10)
    stat_before = os.stat_result((0o100644, *([0] * 9)))
    monkeypatch.setattr(os, "fstat", lambda _: stat_before)
    assert refused(path).code == "YAML_007"


def test_a_file_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert len(read_file(path, "f.yaml").text) == MAX_BYTES
