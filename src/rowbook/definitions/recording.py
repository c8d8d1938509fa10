"""Definitions as the store keeps them: plain data for JSON, and back.

JSON is YAML, so what was recorded is read by the same code as a file, and a fault in it has a line
and a column.
"""

from __future__ import annotations

import json
from typing import Any

from rowbook.definitions.loading import Entry, load_document
from rowbook.definitions.place import Place
from rowbook.definitions.yaml.nodes import Document, Mapping, Node, Scalar, Sequence, SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.errors import RowbookError

_LONGEST_INTEGER = 15


def content_of(entry: Entry[Any]) -> dict[str, Any]:
    """`{kind: {…}}` as the file has it, comments and layout aside. A dataset's `version` is left
    out: the store numbers versions itself."""
    return content_at(entry.model.kind, entry.place)


def content_at(kind: str, place: Place) -> dict[str, Any]:
    plain = _plain(place.node)
    if kind == "dataset":
        plain.pop("version", None)
    return {kind: plain}


def entry_of(content: dict[str, Any], shown: str) -> Entry[Any]:
    """A recorded definition; `shown` is how messages name the place it was read from."""
    documents, faults = parse(SourceText(shown, json.dumps(content, indent=2, ensure_ascii=False)))
    document = Document(documents[0].source, _unquoted(documents[0].root)) if documents else None
    loaded = load_document(document) if document and not faults else None
    if loaded is None or loaded.entry is None or loaded.diagnostics:
        found = (*faults, *(loaded.diagnostics if loaded else ()))
        raise RowbookError(*found)
    return loaded.entry


def recorded_name(content: dict[str, Any], kind: str) -> str:
    """The name of a recorded definition: what JSON takes for a number or a truth may be one."""
    name = content[kind]["name"]
    return name if isinstance(name, str) else json.dumps(name)


def _unquoted(node: Node) -> Node:
    """Numbers and truths that stayed text, such as `007` and `TRUE`, without their quotes: a field
    that asks for a number or a truth reads them as it did in the file, and one that asks for text
    reads the same text."""
    match node:
        case Mapping(entries, start, end):
            return Mapping(tuple((key, _unquoted(each)) for key, each in entries), start, end)
        case Sequence(items, start, end):
            return Sequence(tuple(map(_unquoted, items)), start, end)
        case Scalar(text, start, end, "double"):
            plain = Scalar(text, start + 1, end - 1)
            is_special = plain.as_int() is not None or plain.as_bool() is not None
            return plain if is_special and _value(plain) == text else node
        case Scalar():
            return node


def _plain(node: Node) -> Any:
    match node:
        case Mapping():
            return {key.text: _plain(value) for key, value in node.entries}
        case Sequence():
            return [_plain(item) for item in node.items]
        case Scalar():
            return _value(node)


def _value(scalar: Scalar) -> str | int | bool | None:
    """What JSON might spell otherwise stays text."""
    if scalar.is_null:
        return None
    truth = scalar.as_bool()
    if truth is not None and scalar.text in ("true", "false"):
        return truth
    number = scalar.as_int()
    if number is not None and str(number) == scalar.text and len(scalar.text) <= _LONGEST_INTEGER:
        return number
    return scalar.text
