"""Places in definition files: from a path of keys to line and column, also inside expressions."""

from __future__ import annotations

from rowbook.definitions.place import Place
from tests.definitions.yaml.samples import document_of


def place(text: str, *path: str | int) -> Place:
    return Place(document_of(text), path)


def test_a_part_of_a_text_is_marked_without_the_blanks_before_it() -> None:
    found = place("a: |\n\n\n  b + c\n", "a").diagnostic("X", "x", span=(0, 8))
    assert (str(found.position), found.snippet and found.snippet.text) == ("f.yaml:4:3", "b + c")


def test_the_end_of_a_text_is_marked_after_its_last_character() -> None:
    found = place("a: |\n  b +\n", "a").diagnostic("X", "x", span=(4, 4))
    assert str(found.position) == "f.yaml:2:6"
    assert found.snippet is not None
    assert (found.snippet.text, found.snippet.start, found.snippet.end) == ("b +", 3, 4)


def test_a_text_beyond_all_limits_is_placed_at_its_start() -> None:
    found = place(f'a: "{"b " * 200_000}"', "a").diagnostic("X", "x", span=(399_998, 399_999))
    assert str(found.position) == "f.yaml:1:4"


def test_a_path_that_ends_early_leads_to_what_is_there() -> None:
    here = place("a: {b: c}", "a", "x", "y")
    assert not here.exists
    assert (here.position.line, here.position.column) == (1, 4)


def test_a_key_has_a_place_of_its_own() -> None:
    here = place("a: {b: c}", "a", "b")
    assert (here.key_position.column, here.position.column) == (5, 8)
