"""A definition file becomes documents; its faults are found and, where possible, mended."""

from __future__ import annotations

from typing import Any

import pytest

from rowbook.definitions.yaml.nodes import Mapping, SourceText
from rowbook.definitions.yaml.reader import parse
from tests.definitions.yaml.samples import document_of, documents_of, findings_of, place_of, plain


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: [x, y]\n", {"a": "1", "b": ["x", "y"]}),
        ("- a\n- {b: c}\n- - d\n", ["a", {"b": "c"}, ["d"]]),
        ("amount: 10.50\n", {"amount": "10.50"}),
        ("on: yes\nNO: off\n", {"on": "yes", "NO": "off"}),
        ("a:\nb: ''\n", {"a": "", "b": ""}),
        ("a: {}\nb: []\n", {"a": {}, "b": []}),
        ("'it''s': \"a\\tb\"\n", {"it's": "a\tb"}),
        ("a: |\n  x\n   y\nb: >-\n  x\n  y\n", {"a": "x\n y\n", "b": "x y"}),
        ("a: &x {k: v}\nb: *x\nc: [*x, *x]\n", {
            "a": {"k": "v"}, "b": {"k": "v"}, "c": [{"k": "v"}, {"k": "v"}]}),
        ("&k key: 1\nother: {*k : 2}\n", {"key": "1", "other": {"key": "2"}}),
        ("<<: {a: 1}\nb: 2\n", {"<<": {"a": "1"}, "b": "2"}),
        ("%YAML 1.2\n---\na: 1\n", {"a": "1"}),
        ("%TAG ! tag:example.com,2026:\n---\na: 1\n", {"a": "1"}),
        ("? a\n: b\n", {"a": "b"}),
        ("just text\n", "just text"),
    ],
)  # fmt: skip
def test_a_document_is_read_as_written(text: str, expected: Any) -> None:
    assert plain(document_of(text).root) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n---\nb: 2\n", [{"a": "1"}, {"b": "2"}]),
        ("---\n# nothing\n---\na: 1\n---\n", [{"a": "1"}]),
        ("# only a comment\n", []),
        ("", []),
        ("--- ~\n--- ''\n", ["~", ""]),
    ],
)
def test_a_file_holds_documents_and_empty_ones_are_left_out(text: str, expected: Any) -> None:
    assert [plain(document.root) for document in documents_of(text)] == expected


def test_an_alias_is_the_anchored_node_itself() -> None:
    root = document_of("a: &x [1]\nb: *x\n").root
    assert isinstance(root, Mapping)
    assert root.entries[0][1] is root.entries[1][1]


def test_an_anchor_is_known_in_its_own_document_only() -> None:
    assert findings_of("a: &x 1\n---\nb: *x\n") == [
        (3, 4, "YAML_005", "'*x' refers to an anchor '&x' that does not stand before it")
    ]


def test_an_anchor_set_again_refers_to_the_latest_node_that_starts_before_the_alias() -> None:
    root = document_of("- &x [&x 1, *x]\n- *x\n- &x 2\n- *x\n").root
    assert plain(root) == [["1", "1"], "1", "2", "2"]


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: x\u2028  y", "x\u2028  y"),
        ("a: 'x\u2029  y'", "x\u2029  y"),
        ('a: "x\x85 y"', "x\x85 y"),
        ('a: "x\\N\\L\\P"', "x\x85\u2028\u2029"),
        ("a: |\n  x\x85\n  y\u2028\n", "x\x85\ny\u2028\n"),
    ],
)
def test_nel_ls_and_ps_are_text_as_in_yaml_1_2(text: str, expected: str) -> None:
    assert plain(document_of(text).root) == {"a": expected}


def test_a_line_separator_does_not_start_a_new_key() -> None:
    assert findings_of("a: x\u2028b: y") == [(1, 7, "YAML_005", "a ':' where no key is expected")]


def test_characters_that_stand_in_for_nel_are_not_mixed_up_with_the_users_own() -> None:
    text = 'a: "\ue000\x85\\uE001\\U0000e002"\nb: \u2028\ue003\n'
    assert plain(document_of(text).root) == {
        "a": "\ue000\x85\ue001\ue002",
        "b": "\u2028\ue003",
    }


@pytest.mark.usefixtures("either_parser")
def test_a_key_that_stands_twice_is_reported_and_the_first_value_kept() -> None:
    documents, found = parse(SourceText("f.yaml", "a: 1\nb: {c: 2, 'c': 3}\na: 4\n"))
    assert plain(documents[0].root) == {"a": "1", "b": {"c": "2"}}
    assert [(*place_of(each), each.code, each.message) for each in found] == [
        (2, 11, "YAML_006", "'c' stands twice; the first is on line 2"),
        (3, 1, "YAML_006", "'a' stands twice; the first is on line 1"),
    ]


def test_a_key_repeated_by_an_alias_is_reported_at_the_alias() -> None:
    assert findings_of("&k a: 1\n*k : 2\n") == [
        (2, 1, "YAML_006", "'a' stands twice; the first is on line 1")
    ]


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("written", "tag", "value"),
    [
        ("!!str 5", "!!str", "5"),
        ("!!python/object/apply:os.system [ls]", "!!python/object/apply:os.system", ["ls"]),
        ("!foo {x: 1}", "!foo", {"x": "1"}),
        ("!<tag:yaml.org,2002:int> 5", "!!int", "5"),
        ("!<tag:example.com,2026:x> 5", "tag:example.com,2026:x", "5"),
        ("! 5", "!", "5"),
        ("&a !!int 5", "!!int", "5"),
        ("!!int &a 5", "!!int", "5"),
        ("!!null", "!!null", ""),
        ("!!binary |\n  aGVsbG8=\n", "!!binary", "aGVsbG8=\n"),
    ],
)
def test_a_tag_is_refused_and_its_value_read_without_it(written: str, tag: str, value: Any) -> None:
    [document], [finding] = parse(SourceText("f.yaml", f"k: {written}\nl: 2\n"))
    assert (*place_of(finding), finding.code) == (1, 4, "YAML_008")
    assert finding.message == f"the tag {tag} is not allowed"
    assert plain(document.root) == {"k": value, "l": "2"}


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("text", "column"),
    [("selector: {{active}}\n", 11), ("- {{active}}\n", 3), ("[x, {{active}}]\n", 5)],
)
def test_an_unquoted_template_gets_the_hint_to_quote_and_is_taken_as_text(
    text: str, column: int
) -> None:
    [document], [finding] = parse(SourceText("f.yaml", text))
    assert place_of(finding) == (1, column)
    assert (finding.code, finding.message, finding.hint) == (
        "YAML_005",
        "{{active}} needs quotes: without them YAML reads the braces as a mapping",
        'put the whole value in quotes, as in "{{active}}"',
    )
    assert "{{active}}" in str(plain(document.root))


def test_only_the_braces_are_taken_as_text_not_the_mapping_that_starts_with_them() -> None:
    [document], findings = parse(SourceText("f.yaml", "{{x}}: 1\n? [y]\n: 2\nz: 3\n"))
    assert [place_of(finding) for finding in findings] == [(1, 1), (2, 3)]
    assert plain(document.root) == {"{{x}}": "1", "z": "3"}


def test_text_after_an_unquoted_template_is_one_finding_not_two() -> None:
    assert findings_of("a: {{x}} AND b\nc: 1\n") == [
        (1, 4, "YAML_005", "{{x}} needs quotes: without them YAML reads the braces as a mapping")
    ]


@pytest.mark.parametrize(
    ("text", "column"), [("? [a, b]\n: c\n", 3), ("{a: 1}: c\n", 1), ("{ {a: b}: c }\n", 3)]
)
def test_a_key_that_is_no_text_is_reported_and_left_out(text: str, column: int) -> None:
    [document], [finding] = parse(SourceText("f.yaml", text))
    assert place_of(finding) == (1, column)
    assert finding.message == "a key must be text, not a list or a mapping"
    assert plain(document.root) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: *gone\n", "'*gone' refers to an anchor '&gone' that does not stand before it"),
        ("a: &x [*x]\n", "'*x' stands inside the value that it refers to"),
        ("&x a: {b: *x }\nc: &y {d: *y }\n", "'*y' stands inside the value that it refers to"),
    ],
)
def test_an_alias_without_a_complete_anchor_is_reported(text: str, message: str) -> None:
    [_], [finding] = parse(SourceText("f.yaml", text))
    assert (finding.code, finding.message) == ("YAML_005", message)
    assert finding.hint == "put a value that starts with '*' in quotes"


def test_findings_come_in_file_order_and_at_most_a_hundred() -> None:
    found = findings_of("? {x: !t 1}\n: 2\n" + "a: 1\n" * 500)
    assert [each[:3] for each in found[:3]] == [
        (1, 3, "YAML_005"), (1, 7, "YAML_008"), (4, 1, "YAML_006"),
    ]  # fmt: skip
    assert len(found) == 100
