"""Definitions as text that is read as what was meant."""

from __future__ import annotations

import pytest

from rowbook.definitions.yaml.nodes import Mapping, Scalar, SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.inference.proposals.definition_text import YamlLine, definition_text, scalar

_TEXTS = [
    "a",
    "Betrag (EUR)",
    "0400",
    "NO",
    "1.5",
    "",
    ": x",
    "# no",
    'q"q',
    "\t",
    "a: b",
    "Ü",
    "\u202e",
]


@pytest.mark.parametrize("text", _TEXTS)
def test_a_text_is_read_as_it_was(text: str) -> None:
    (document,), faults = parse(SourceText("x.yaml", f"key: {scalar(text)}\n"))
    assert faults == ()
    assert isinstance(document.root, Mapping)
    value = document.root.entries[0][1]
    assert isinstance(value, Scalar)
    assert value.text == text


def test_comments_stand_beside_short_lines_and_above_long_ones() -> None:
    assert definition_text([YamlLine(1, "a: 1", "why")]) == "  a: 1  # why\n"
    long = "x" * 70
    assert definition_text([YamlLine(1, long, "why")]) == f"  # why\n  {long}\n"
    assert definition_text([YamlLine(0, "", "alone")]) == "# alone\n"


def test_a_value_cannot_end_its_comment() -> None:
    text = definition_text([YamlLine(0, "", "saw 'x\ndataset: 1'")])
    assert text.count("\n") == 1
