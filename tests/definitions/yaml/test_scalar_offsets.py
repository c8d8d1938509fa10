"""Each character of a scalar's text is led back to the place in the file that it came from."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rowbook.definitions.yaml.nodes import Mapping, Node, Scalar, Sequence, SourceText, Style
from rowbook.definitions.yaml.reader import parse
from rowbook.definitions.yaml.scalar_offsets import locate, offsets
from rowbook.errors import Position
from tests.definitions.yaml.samples import document_of


def scalar_at(text: str, *path: str | int) -> Scalar:
    scalar = document_of(text).find(path)
    assert isinstance(scalar, Scalar)
    return scalar


def traced(text: str, *path: str | int) -> list[tuple[str, str]]:
    """Each character of a scalar beside what stands at its place, and '' beside what follows."""
    scalar = scalar_at(text, *path)
    return [
        (char, text[place])
        for char, place in zip([*scalar.text, ""], offsets(text, scalar), strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "value", "places"),
    [
        ("a: xyz # c\n", "xyz", [3, 4, 5, 6]),
        ("a: x  y\n", "x  y", [3, 4, 5, 6, 7]),
        ("a: x\n  y\n", "x y", [3, 4, 7, 8]),
        ("a: x \t\n\n  \n  y\n", "x\n\ny", [3, 7, 10, 13, 14]),
        ("a: x\r\n  y\r\n\r\n  z\r\n", "x y\nz", [3, 4, 8, 11, 15, 16]),
        ("a: x\r  y\r", "x y", [3, 4, 7, 8]),
        ("a:\n", "", [2]),
        ("a: ''\n", "", [4]),
        ("a: 'it''s'\n", "it's", [4, 5, 6, 8, 9]),
        ("a: ''''\n", "'", [4, 6]),
        ("a: ' x '\n", " x ", [4, 5, 6, 7]),
        ("a: 'x\n\n  y\n  '\n", "x\ny ", [4, 6, 9, 10, 13]),
        ('a: ""\n', "", [4]),
        ('a: "x\\ty"\n', "x\ty", [4, 5, 7, 8]),
        ('a: "\\"\\\\\\/"\n', '"\\/', [4, 6, 8, 10]),
        ('a: "\\x41\\u00e9\\U0001F600."\n', "Aé😀.", [4, 8, 14, 24, 25]),
        ('a: "\\0\\a\\b\\v\\f\\r\\e\\ \\N\\_\\L\\P"\n',
         "\0\a\b\v\f\r\x1b \x85\xa0\u2028\u2029", [*range(4, 30, 2)]),
        ('a: "x \\\n   y"\n', "x y", [4, 5, 11, 12]),
        ('a: "x\\\n\n  \\ty"\n', "x\n\ty", [4, 7, 10, 12, 13]),
        ('a: "x\n  \\  y"\n', "x   y", [4, 5, 8, 10, 11, 12]),
        ('a: " x\n y "\n', " x y ", [4, 5, 6, 8, 9, 10]),
        ("a: |\n  x\n\n   y\n", "x\n\n y\n", [7, 8, 9, 12, 13, 14, 15]),
        ("a: |-\n  x\n\n", "x", [8, 9]),
        ("a: |\n  x\n\n", "x\n", [7, 8, 9]),
        ("a: |+\n  x\n\n", "x\n\n", [8, 9, 10, 11]),
        ("a: |2\n   x\n  y\n", " x\ny\n", [8, 9, 10, 13, 14, 15]),
        ("a: |+1 # c\n  x\n", " x\n", [12, 13, 14, 15]),
        ("- a: |2\n      x\n", "  x\n", [12, 13, 14, 15, 16]),
        ("a: |\n\n \n  x", "\n\nx", [5, 7, 10, 11]),
        ("a: |\r\n  x\r\n  y\r\n", "x\ny\n", [8, 9, 13, 14, 16]),
        ("a: |\n  \n   \n", "", [7]),
        ("a: |+\n  \n   \n", "\n\n", [8, 12, 13]),
        ("a: |1+\n  \n   \n", " \n  \n", [8, 9, 11, 12, 13, 14]),
        ("a: |\n", "", [5]),
        ("a: |2\n  \tx\n", "\tx\n", [8, 9, 10, 11]),
        ("a: >\n  x\n  y\n", "x y\n", [7, 8, 11, 12, 13]),
        ("a: >\n  x\n\n\n  y\n", "x\n\ny\n", [7, 9, 10, 13, 14, 15]),
        ("a: >-\n\n  x\n", "\nx", [6, 9, 10]),
        ("a: >\n  x\n   y\n  z\n", "x\n y\nz\n", [7, 8, 11, 12, 13, 16, 17, 18]),
        ("a: >\n  x\n\n   y\n\n  z\n", "x\n\n y\n\nz\n",
         [7, 8, 9, 12, 13, 14, 15, 18, 19, 20]),
        ("a: >2\n   x\n  y\n  z\n", " x\ny z\n", [8, 9, 10, 13, 14, 17, 18, 19]),
        ("a: &n !!str\n  xy\n", "xy", [14, 15, 16]),
    ],
)  # fmt: skip
def test_places_of_each_character(text: str, value: str, places: list[int]) -> None:
    [document], _ = parse(SourceText("f.yaml", text))
    node: Node = document.root
    while not isinstance(node, Scalar):
        node = node.items[0] if isinstance(node, Sequence) else node.entries[0][1]
    assert node.text == value
    assert offsets(text, node) == places


def test_folded_text_leads_to_the_line_it_stands_on() -> None:
    text = "selector: \"gl.status = 'active'\n  AND gl.amout > 0\"\n"
    scalar = scalar_at(text, "selector")
    start = scalar.text.index("gl.amout")
    assert locate(SourceText("f.yaml", text), scalar, start, start + 8) == Position("f.yaml", 2, 7)


def test_a_part_that_starts_with_blanks_is_placed_at_its_first_visible_character() -> None:
    text = "a: x AND\n  y\n"
    scalar = scalar_at(text, "a")
    source = SourceText("f.yaml", text)
    assert locate(source, scalar, 5, 7) == Position("f.yaml", 2, 3)
    assert locate(source, scalar, 5, 6) == Position("f.yaml", 1, 9)


@pytest.mark.parametrize(("start", "column"), [(-3, 4), (0, 4), (2, 6), (3, 7), (99, 7)])
def test_a_part_outside_the_text_is_placed_at_its_nearest_end(start: int, column: int) -> None:
    text = "a: xyz\n"
    position = locate(SourceText("f.yaml", text), scalar_at(text, "a"), start, start + 1)
    assert position == Position("f.yaml", 1, column)


def test_raw_line_separators_are_text() -> None:
    text = "a: 'x\u2028 \x85y'\n"
    assert traced(text, "a") == [*((char, char) for char in "x\u2028 \x85y"), ("", "'")]


@pytest.mark.parametrize("style", ["plain", "single", "double", "literal", "folded"])
def test_where_the_text_does_not_fit_the_file_every_place_is_the_start(style: Style) -> None:
    text = 'key: "\\UFFFFFFFF \\q other\n  text\n'
    assert offsets(text, Scalar("value", 5, len(text), style)) == [5] * 6


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "written",
    [
        "x " * 100_000 + "x",
        "'" + "''" * 100_000 + "'",
        '"' + "\\n \\\n" * 40_000 + '"',
        '"' + " " * 200_000 + '"',
        "|\n" + "  x\n" * 50_000,
        ">\n" + "  x\n\n" * 40_000,
        "|\n" + "\n" * 200_000,
    ],
    ids=["plain", "single", "escapes", "blanks", "literal", "folded", "empty lines"],
)
def test_a_long_text_is_traced_in_linear_time(written: str) -> None:
    text = f"a: {written}"
    scalar = scalar_at(text, "a")
    start = time.process_time()
    places = offsets(text, scalar)
    assert time.process_time() - start < 2
    assert places[-1] > len(text) - 10 or not scalar.text


def came_from(char: str, written: str, style: Style) -> bool:
    """Whether a character may stand for what is written at its place."""
    folded_break = char in " \n" and written in "\r\n"
    return char == written or folded_break or (style == "double" and written == "\\")


def check_law(source_text: str, node: Node) -> None:
    """Every scalar below a node is traced, character by character, without falling back."""
    match node:
        case Sequence():
            for item in node.items:
                check_law(source_text, item)
        case Mapping():
            for key, value in node.entries:
                check_law(source_text, key)
                check_law(source_text, value)
        case Scalar():
            places = offsets(source_text, node)
            assert len(places) == len(node.text) + 1
            assert all(before < after for before, after in pairwise(places))
            assert node.start <= places[0]
            assert places[-1] <= node.end
            for char, place in zip(node.text, places, strict=False):
                assert came_from(char, source_text[place], node.style)


AWKWARD = st.text(st.sampled_from("ab \n\t'\"\\:#-{}[]&*!|>%@é😀\r\x00\x07\xa0\u200b"), max_size=60)
TEXTS = st.one_of(
    AWKWARD, st.text(st.characters(exclude_characters="\x85\u2028\u2029", codec="utf-8"))
)
STYLES: list[str | None] = [None, "'", '"', "|", ">"]


@given(
    value=TEXTS,
    style=st.sampled_from(STYLES),
    shape=st.sampled_from(["value", "key", "item", "deep", "root"]),
    width=st.sampled_from([5, 20, 80]),
    unicode=st.booleans(),
    line_break=st.sampled_from(["\n", "\r\n", "\r"]),
)
@settings(deadline=None)
@example("  x\n\n y\n", "|", "deep", 80, True, "\n")
@example("\n\n", ">", "item", 80, True, "\r\n")
@example(" \n a b c d e f", '"', "value", 5, False, "\r")
def test_whatever_pyyaml_writes_is_traced(
    value: str, style: str | None, shape: str, width: int, unicode: bool, line_break: str
) -> None:
    data = {
        "value": {"k": value},
        "key": {value: "v"},
        "item": [value, value],
        "deep": {"k": [{"l": {"m": value}}, value]},
        "root": value,
    }[shape]
    text = yaml.dump(
        data, default_style=style, width=width, allow_unicode=unicode, line_break=line_break
    )
    documents, findings = parse(SourceText("f.yaml", text))
    assert findings == ()
    for document in documents:
        check_law(text, document.root)
        found = document.find({"value": ("k",), "deep": ("k", 1), "item": (1,)}.get(shape, ()))
        if isinstance(found, Scalar):
            assert found.text == value


@given(text=st.text(st.sampled_from("ab '\"\\\n\t|>+-12#:nx")), opening=st.sampled_from("|>'\""))
@settings(deadline=None)
def test_whatever_the_parser_accepts_is_traced(text: str, opening: str) -> None:
    source_text = f"a:\n  - {opening}{text}"
    documents, _ = parse(SourceText("f.yaml", source_text))
    for document in documents:
        check_law(source_text, document.root)
