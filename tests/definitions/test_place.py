"""Places in definition files: from a path of keys to line and column, also inside expressions."""

from __future__ import annotations

from rowbook.definitions.place import Place, snippet
from rowbook.errors import Diagnostic, Position, Snippet
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


def test_a_place_below_another_keeps_the_way_to_it() -> None:
    here = place("a: {b: [x, y]}", "a")
    assert here.at("b", 1).path == ("a", "b", 1)
    assert str(here.at("b", 1).position) == "f.yaml:1:12"
    assert (here.at("b", 1).exists, here.at("b", 2).exists) == (True, False)


def test_a_value_holds_the_positions_from_its_first_character_to_its_end() -> None:
    here = place("a: one\nb: two\n", "b")
    held = [(2, 3), (2, 4), (2, 7), (2, 8), (1, 4)]
    assert [here.holds(Position("f.yaml", *each)) for each in held] == [
        *(False, True, True, False, False),
    ]


def test_a_finding_without_span_or_on_a_list_has_no_snippet() -> None:
    assert place("a: text", "a").diagnostic("X", "x", hint="h") == Diagnostic(
        "X", "x", Position("f.yaml", 1, 4), "h"
    )
    found = place("a: [b]", "a").diagnostic("X", "x", span=(0, 1), severity="warning")
    assert (str(found.position), found.snippet, found.severity) == ("f.yaml:1:4", None, "warning")


def test_a_character_behind_an_escape_is_placed_in_the_file() -> None:
    found = place(r'a: "x\u0041 + y"', "a").diagnostic("X", "x", span=(5, 6))
    assert str(found.position) == "f.yaml:1:15"
    assert found.snippet == Snippet("xA + y", 5, 6, "a")


def test_a_snippet_is_the_line_of_its_first_character() -> None:
    assert snippet("a +\nb * c\n- d", 8, 12) == Snippet("b * c", 4, 5)
    assert snippet("a\tb", 2, 3) == Snippet("a b", 2, 3)


def test_an_empty_part_is_marked_by_one_character() -> None:
    assert snippet("ab", 2, 2) == Snippet("ab", 2, 3)


def test_a_long_line_is_cut_on_both_sides_of_the_faulty_part() -> None:
    found = snippet("a" * 100 + "XY" + "b" * 100, 100, 102)
    assert found.text == "…" + "a" * 20 + "XY" + "b" * 54 + "…"
    assert found.text[found.start : found.end] == "XY"


def test_a_faulty_part_that_is_too_long_itself_ends_before_the_cut() -> None:
    found = snippet("X" * 200, 0, 200)
    assert (found.text, found.start, found.end) == ("X" * 76 + "…", 0, 76)
