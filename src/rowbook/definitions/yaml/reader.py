"""Reading definition files: bytes to text, text to YAML documents with positions.

Whatever a file holds, the outcome is documents and findings: never another exception, never more
time or memory than the limits allow.
"""

from __future__ import annotations

import io
import os
import re
import stat
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import yaml

from rowbook.definitions.yaml.builder import Builder
from rowbook.definitions.yaml.nodes import Document, SourceText
from rowbook.definitions.yaml.syntax_errors import explain
from rowbook.errors import Diagnostic, Position, RowbookError, in_order

MAX_BYTES = 16 * 1024 * 1024

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Only its event stream is used; libyaml's is many times faster than PyYAML's own."""

_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]"
)
"""What YAML does not allow unescaped, and a byte order mark anywhere but at the start."""

_BREAKS_OF_YAML_1_1 = "\x85\u2028\u2029"
_CODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\U0000([0-9a-fA-F]{4})")

_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")
_SAVE_AS_UTF8 = "save the file as UTF-8"


def read_file(path: Path, shown_as: str) -> SourceText:
    """The text of a file (YAML_001 if it has none; YAML_007 if it is larger than MAX_BYTES)."""
    data = _read_bytes(path, shown_as)
    if data.startswith(_BYTE_ORDER_MARKS):
        raise _unreadable(shown_as, "the file is UTF-16 or UTF-32 text, not UTF-8", _SAVE_AS_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RowbookError(_not_utf8(shown_as, data, error.start)) from None
    source = SourceText(shown_as, text.removeprefix("\ufeff"))
    fault = _forbidden_character(source)
    if fault:
        raise RowbookError(fault)
    return source


def parse(source: SourceText) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """The documents of a file that are complete, and what is wrong with it, in file order.

    Empty documents are left out. A syntax error or a passed limit ends the reading; documents
    before it are returned."""
    fault = _forbidden_character(source)
    if fault:
        return (), (fault,)
    stand_ins = _stand_ins(source.text)
    builder = Builder(source, {stand_in: char for char, stand_in in stand_ins.items()})
    text = source.text.translate(stand_ins) if stand_ins else source.text
    findings = builder.findings
    try:
        with closing(_events(text)) as events:
            for event in events:
                builder.take(event)
    except RowbookError as limit:
        findings = [*findings, *limit.diagnostics]
    except yaml.YAMLError as error:
        findings = _with_error(findings, explain(source, error, builder.read_to))
    return tuple(builder.documents), in_order(findings)


def _with_error(findings: list[Diagnostic], error: Diagnostic) -> list[Diagnostic]:
    """Both, unless a finding on the error's line says already why that line does not parse."""
    line = error.position.line if error.position else 0
    known = any(found.position and found.position.line == line for found in findings)
    return findings if known else [*findings, error]


def _events(text: str) -> Generator[yaml.Event]:
    """The parser's events; an escape that is no character is an error."""
    events: Generator[yaml.Event] = yaml.parse(text, Loader=_LOADER)
    return _escapes_checked(events) if _LOADER is yaml.SafeLoader else events


def _escapes_checked(events: Generator[yaml.Event]) -> Generator[yaml.Event]:
    """libyaml refuses such an escape; PyYAML raises ValueError or makes a lone surrogate of it."""
    try:
        for event in events:
            if isinstance(event, yaml.ScalarEvent):
                event.value.encode()
            yield event
    except (ValueError, OverflowError) as error:
        raise yaml.YAMLError("an escape that is no character") from error


def _read_bytes(path: Path, shown_as: str) -> bytes:
    try:
        with io.BufferedReader(io.FileIO(path, opener=_open_at_once)) as file:
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode):
                raise _unreadable(shown_as, "not a regular file")
            data = b"" if facts.st_size > MAX_BYTES else file.read(MAX_BYTES + 1)
            too_large = facts.st_size > MAX_BYTES or len(data) > MAX_BYTES
    except FileNotFoundError:
        raise _unreadable(shown_as, "the file does not exist") from None
    except IsADirectoryError:
        raise _unreadable(shown_as, "a folder, not a file") from None
    except PermissionError:
        raise _unreadable(shown_as, "no permission to read the file") from None
    except OSError as error:
        raise _unreadable(shown_as, f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise _unreadable(shown_as, f"not a file name: {error}") from None
    if too_large:
        message = f"the file is larger than {MAX_BYTES // 1024 // 1024} MiB"
        raise RowbookError(Diagnostic("YAML_007", message, Position(shown_as, 1, 1)))
    return data


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting: a named pipe would otherwise block until somebody writes to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _unreadable(shown_as: str, message: str, hint: str | None = None) -> RowbookError:
    return RowbookError(Diagnostic("YAML_001", message, Position(shown_as, 1, 1), hint))


def _not_utf8(shown_as: str, data: bytes, offset: int) -> Diagnostic:
    before = SourceText(shown_as, data[:offset].decode("utf-8").removeprefix("\ufeff"))
    position = before.position(len(before.text))
    message = f"not UTF-8 text: byte 0x{data[offset]:02X} on line {position.line}"
    message += f", byte {offset + 1} of the file"
    return Diagnostic("YAML_001", message, position, _SAVE_AS_UTF8)


def _forbidden_character(source: SourceText) -> Diagnostic | None:
    found = _FORBIDDEN.search(source.text)
    if found is None:
        return None
    code = ord(found[0])
    message = f"the character U+{code:04X} is not allowed in a YAML file"
    hint = "remove it" if code else "remove it; is this a text file in UTF-8?"
    return Diagnostic("YAML_001", message, source.position(found.start()), hint)


def _stand_ins(text: str) -> dict[int, int]:
    """Characters of the private use area to put in place of NEL, LS and PS while parsing.

    libyaml breaks lines at these three, as YAML 1.1 did; in YAML 1.2 they are text like any other.
    A stand-in occurs nowhere else in the text, neither as such nor by its code in an escape."""
    if not any(char in text for char in _BREAKS_OF_YAML_1_1):
        return {}
    taken = {ord(char) for char in set(text)}
    taken.update(int(short or long, 16) for short, long in _CODE_ESCAPE.findall(text))
    free = (code for code in range(0xE000, 0xF900) if code not in taken)
    return dict(zip(map(ord, _BREAKS_OF_YAML_1_1), free, strict=False))
