"""Every key and value knows its place; plain scalars mean what YAML 1.2's core schema says."""

from __future__ import annotations

import pytest

from rowbook.definitions.yaml.nodes import Mapping, Node, Scalar, Sequence, SourceText
from rowbook.errors import Position
from tests.definitions.yaml.samples import document_of

PLACES = """\
project:
  name: close   # the name
  operations:
    - seq: 10
      selector: "{{active}}"
    - {seq: 20, on: [a, 'b c']}
  empty:
"""


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("project",), (2, 3), (1, 1)),
        (("project", "name"), (2, 9), (2, 3)),
        (("project", "operations"), (4, 5), (3, 3)),
        (("project", "operations", 0), (4, 7), (4, 7)),
        (("project", "operations", 0, "seq"), (4, 12), (4, 7)),
        (("project", "operations", 0, "selector"), (5, 17), (5, 7)),
        (("project", "operations", 1), (6, 7), (6, 7)),
        (("project", "operations", 1, "on"), (6, 21), (6, 17)),
        (("project", "operations", 1, "on", 1), (6, 25), (6, 25)),
        (("project", "empty"), (7, 9), (7, 3)),
    ],
)
def test_each_key_and_value_knows_its_place(
    line_break: str, path: tuple[str | int, ...], value: tuple[int, int], key: tuple[int, int]
) -> None:
    document = document_of(PLACES.replace("\n", line_break))
    source = document.source
    assert source.position(document.find(path).start) == Position("f.yaml", *value)
    assert source.position(document.find_key(path).start) == Position("f.yaml", *key)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (("project", "operations", 0, "update", "seq"), ("project", "operations", 0, "seq")),
        (("project", "operations", 0, "missing"), ("project", "operations", 0)),
        (("project", "operations", 7), ("project", "operations")),
        (("project", "operations", -1), ("project", "operations")),
        (("project", "operations", "seq"), ("project", "operations")),
        (("project", "name", "deeper", 0), ("project", "name")),
        (("nowhere",), ()),
    ],
)
def test_elements_of_a_path_that_are_not_there_are_skipped(
    path: tuple[str | int, ...], found: tuple[str | int, ...]
) -> None:
    document = document_of(PLACES)
    assert document.find(path) is document.find(found)
    assert document.existing((), path) == found
    assert document.existing(path[:1], path[1:]) == (path[:1] + found[1:])
    assert not document.has(path)
    assert document.has(found)


def test_a_missing_key_is_placed_at_the_mapping_that_lacks_it() -> None:
    document = document_of(PLACES)
    path = ("project", "operations", 1)
    assert document.find_key((*path, "missing")) is document.find(path)


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("😀é: 'x😀'\n", ["😀é", "'x😀'"]),
        ("a: x\u2028y\nb: z\n", ["a", "x\u2028y", "b", "z"]),
        ("a: &n   # why\n  text\n", ["a", "text"]),
        ("a: &n\nb: *n\n", ["a", "", "b", ""]),
        ("&k key: &v [x]\n", ["key", "[x]", "x"]),
        ("a: &m\n  &k b: c\n", ["a", "&k b: c", "b", "c"]),
        ("a: |  # note\n  x\n\nb: y # z\n", ["a", "|  # note\n  x\n\n", "b", "y"]),
        ("a: one\n  two  # three\n", ["a", "one\n  two"]),
        ("a: { b: [ c ] } # d\n", ["a", "{ b: [ c ] }", "b", "[ c ]", "c"]),
        ("a:\n  - x\n  - y # z\n\n\nb: 1\n", ["a", "- x\n  - y", "x", "y", "b", "1"]),
    ],
)
def test_start_and_end_enclose_what_is_written(text: str, written: list[str]) -> None:
    def spans(node: Node) -> list[str]:
        match node:
            case Scalar():
                return [text[node.start : node.end]]
            case Sequence():
                below = [span for item in node.items for span in spans(item)]
            case Mapping():
                below = [span for entry in node.entries for each in entry for span in spans(each)]
        return [text[node.start : node.end], *below]

    assert spans(document_of(text).root)[1:] == written


def test_positions_count_lines_at_lf_cr_and_crlf_only() -> None:
    source = SourceText("f.yaml", "a\u2028b\x85c\nd\r\ne\rf\x0cg")
    assert source.position(0) == Position("f.yaml", 1, 1)
    assert source.position(4) == Position("f.yaml", 1, 5)
    assert source.position(6) == Position("f.yaml", 2, 1)
    assert source.position(9) == Position("f.yaml", 3, 1)
    assert source.position(11) == Position("f.yaml", 4, 1)
    assert [source.line(number) for number in range(6)] == [
        "", "a\u2028b\x85c", "d", "e", "f\x0cg", "",
    ]  # fmt: skip


def test_positions_outside_the_text_are_the_nearest_inside() -> None:
    source = SourceText("f.yaml", "ab\n")
    assert source.position(-5) == Position("f.yaml", 1, 1)
    assert source.position(99) == Position("f.yaml", 2, 1)
    assert SourceText("f.yaml", "").position(0) == Position("f.yaml", 1, 1)


@pytest.mark.parametrize(
    ("text", "null", "boolean", "integer", "number"),
    [
        ("", True, None, None, False),
        ("~", True, None, None, False),
        ("null", True, None, None, False),
        ("NULL", True, None, None, False),
        ("nULL", False, None, None, False),
        ("true", False, True, None, False),
        ("FALSE", False, False, None, False),
        ("yes", False, None, None, False),
        ("on", False, None, None, False),
        ("NO", False, None, None, False),
        ("42", False, None, 42, True),
        ("-7", False, None, -7, True),
        ("+007", False, None, 7, True),
        ("0o17", False, None, 15, True),
        ("0x1F", False, None, 31, True),
        ("-0x1F", False, None, None, False),
        ("0b1", False, None, None, False),
        ("1_000", False, None, None, False),
        ("10.50", False, None, None, True),
        (".5", False, None, None, True),
        ("5.", False, None, None, True),
        ("-1e-3", False, None, None, True),
        (".", False, None, None, False),
        (".inf", False, None, None, False),
        (".nan", False, None, None, False),
        ("12:30", False, None, None, False),
        ("2026-01-31", False, None, None, False),
        ("١٢", False, None, None, False),
        ("1\n", False, None, None, False),
        ("9" * 1_000, False, None, 10**1_000 - 1, True),
        ("9" * 1_001, False, None, None, True),
        ("0x" + "f" * 100_000, False, None, None, True),
    ],
)
def test_plain_text_has_the_meaning_of_the_core_schema(
    text: str, null: bool, boolean: bool | None, integer: int | None, number: bool
) -> None:
    scalar = Scalar(text, 0, len(text))
    assert scalar.is_null is null
    assert scalar.as_bool() is boolean
    assert scalar.as_int() == integer
    assert scalar.is_number is number


@pytest.mark.parametrize("text", ["''", '"~"', "'true'", '"42"', "'10.5'", "|\n  42", ">\n  ~"])
def test_quoted_and_block_text_is_text(text: str) -> None:
    scalar = document_of(f"a: {text}\n").find(("a",))
    assert isinstance(scalar, Scalar)
    assert not scalar.plain
    assert not scalar.is_null
    assert scalar.as_bool() is None
    assert scalar.as_int() is None
    assert not scalar.is_number
