"""A syntax error says in plain words what is wrong, where, and what to do."""

from __future__ import annotations

import pytest
import yaml

from rowbook.definitions.yaml import reader
from rowbook.definitions.yaml.nodes import SourceText
from rowbook.definitions.yaml.reader import parse
from tests.definitions.yaml.samples import findings_of, place_of, plain

SYNTAX = [
    ("a: b: c\n", 1, 5, "a ':' where no key is expected",
     "put a value that contains ': ' in quotes"),
    ("a: 1\n  b: 2\n", 2, 4, "a ':' where no key is expected",
     "check the indentation of this line, and that the key above it ends with ':'"),
    ("name:foo\nb: 1\n", 2, 2, "a ':' where no key is expected", "put a space after the colon"),
    ("b: 1\nname:foo\n", 2, 1, "a line that is not 'key: value'", "put a space after the colon"),
    ("- a\n-b\n", 2, 1, "a line that is not 'key: value'", "put a space after the '-'"),
    ("a: 1\nword\n", 2, 1, "a line that is not 'key: value'",
     "write 'key: value'; text that continues a value is indented deeper than its key"),
    ("a: 1\n" + "k" * 1_025 + ": 2\n", 2, 1, "a line that is not 'key: value'",
     "a key has at most 1,024 characters"),
    ("a:\n\t- b\n", 2, 1, "a tab where spaces are needed",
     "indent with spaces: YAML does not allow tabs there"),
    ("a: 1\n\tb: 2\n", 2, 1, "a tab where spaces are needed",
     "indent with spaces: YAML does not allow tabs there"),
    ("a: |\n\tb\n", 2, 1, "a tab where spaces are needed",
     "indent with spaces: YAML does not allow tabs there"),
    ("a: %b\n", 1, 4, "a value cannot start with '%'", "put the value in quotes"),
    ("a: @b\n", 1, 4, "a value cannot start with '@'", "put the value in quotes"),
    ("a: `b\n", 1, 4, "a value cannot start with '`'", "put the value in quotes"),
    ("a: * 2\n", 1, 4, "a value cannot start with '*'", "put the value in quotes"),
    ("a: & b\n", 1, 4, "a value cannot start with '&'", "put the value in quotes"),
    ("a: ]\n", 1, 4, "a value cannot start with ']'", "put the value in quotes"),
    ("a: 'b\nc: 1\n", 1, 4, "a text opened with ' is not closed", "add the closing quote"),
    ('a: "b\n---\nc: 1\n', 1, 4, 'a text opened with " is not closed', "add the closing quote"),
    ("a: 'it's'\n", 1, 8, "this does not fit the mapping that starts on line 1",
     "the quoted text ends before the end of the line: quote the whole value, and write a quote "
     "inside it as '' (in single quotes) or \\\" (in double quotes)"),
    ("a:\n  b: 1\n c: 2\n", 3, 2, "this does not fit the mapping that starts on line 1",
     "check the indentation (the keys of one mapping start in one column) and the quotes above"),
    ("a: 1\n- b\n", 2, 1, "this does not fit the mapping that starts on line 1",
     "a list stands below its key, all its items in one column"),
    ("k:\n  - a\n  b: 1\n", 3, 3, "this does not fit the list that starts on line 2",
     "check the indentation: the items of one list all start with '- ' in one column"),
    ("a: [1, 2\nb: 3\n", 2, 2, "the list opened with '[' on line 1 is not closed, or lacks a ','",
     "add the ']' or the ','; put values with brackets, commas or ': ' in quotes"),
    ("a: [1, 2\n\n", 1, 4, "the list opened with '[' on line 1 is not closed, or lacks a ','",
     "add the ']' or the ','; put values with brackets, commas or ': ' in quotes"),
    ("a: {b: 1\n", 1, 4, "the mapping opened with '{' on line 1 is not closed, or lacks a ','",
     "add the '}' or the ','; put values with braces, commas or ': ' in quotes"),
    ('a: "\\q"\n', 1, 5, "'\\q' is no escape of a text in double quotes",
     "write \\\\ for a backslash, or put the text in single quotes"),
    ('a: "\\xZZ"\n', 1, 7, "an escape with too few hexadecimal digits",
     "write \\\\ for a backslash, or put the text in single quotes"),
    ('a: "\\ud800"\n', 1, 7, "an escape that is no character",
     "write \\\\ for a backslash, or put the text in single quotes"),
    ("a: - b\n", 1, 4, "a list item cannot start here",
     "start the list on the line below its key, or put a value that starts with '- ' in quotes"),
    ("a: |b\n  c\n", 1, 5, "text on the line of '|' or '>'",
     "start the text on the next line, or put a value that starts with '|' or '>' in quotes"),
    ("%YAML 1.2\na: 1\n", 2, 1, "a document must start with '---' here",
     "put '---' on a line of its own before this one"),
    ("%YAML 2.0\n---\na: 1\n", 1, 1, "the %YAML line asks for a version other than 1.1 or 1.2",
     None),
    ("%x\na: 1\n", 1, 1, "a line that starts with '%' must be a %YAML directive",
     "quote the text"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message", "hint"), SYNTAX)
def test_a_syntax_error_says_what_is_wrong_where_and_what_to_do(
    text: str, line: int, column: int, message: str, hint: str | None
) -> None:
    documents, [finding] = parse(SourceText("f.yaml", text))
    assert documents == ()
    assert place_of(finding) == (line, column)
    assert (finding.code, finding.message, finding.hint) == ("YAML_005", message, hint)


@pytest.mark.parametrize("text", ["a: !x!y z\n", "a: !<x y\n"])
def test_a_tag_that_does_not_even_parse_is_reported_as_a_tag(text: str) -> None:
    documents, [finding] = parse(SourceText("f.yaml", text))
    assert documents == ()
    assert (finding.code, finding.message) == (
        "YAML_008",
        "a value that starts with '!' is a YAML tag",
    )


@pytest.mark.parametrize("text", [row[0] for row in SYNTAX])
def test_pyyamls_own_parser_finds_the_same_faults_as_libyaml(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [each[0] for each in findings_of(text)]
    monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    assert [each[0] for each in findings_of(text)] == lines or text.startswith("%x")


@pytest.mark.parametrize("escape", ["\\ud800", "\\U00110000", "\\UFFFFFFFF"])
def test_pyyamls_own_parser_lets_no_escape_through_that_is_no_character(
    escape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    assert findings_of(f'a: "{escape}"\n') == [
        (1, 2, "YAML_005", "not valid YAML: an escape that is no character")
    ]


def test_a_syntax_error_shows_the_line() -> None:
    [finding] = parse(SourceText("f.yaml", "x: 1\na:\tb: c\n"))[1]
    assert finding.snippet is not None
    assert (finding.snippet.text, finding.snippet.start, finding.snippet.label) == (
        "a:·b: c", 4, "line",
    )  # fmt: skip


def test_the_shown_part_of_a_long_line_is_around_the_fault() -> None:
    [finding] = parse(SourceText("f.yaml", f"a: {'x' * 5_000}: {'y' * 5_000}\n"))[1]
    assert finding.snippet is not None
    assert len(finding.snippet.text) == 76
    assert finding.snippet.text[finding.snippet.start] == ":"


def test_documents_before_a_syntax_error_are_returned() -> None:
    documents, found = parse(SourceText("f.yaml", "a: 1\n---\nb: 2\n---\nc: d: e\n---\nf: 3\n"))
    assert [plain(document.root) for document in documents] == [{"a": "1"}, {"b": "2"}]
    assert [place_of(each) for each in found] == [(5, 5)]


def test_a_document_that_breaks_off_is_not_returned() -> None:
    assert parse(SourceText("f.yaml", "name:foo\ntype: x\n"))[0] == ()
