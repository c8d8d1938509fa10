"""Whatever a file holds, the outcome is documents and findings, and what PyYAML reads we read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rowbook.definitions.yaml import reader
from rowbook.definitions.yaml.nodes import Document, Mapping, Node, Scalar, Sequence, SourceText
from rowbook.definitions.yaml.reader import parse, read_file
from rowbook.definitions.yaml.scalar_offsets import offsets
from rowbook.errors import Diagnostic, RowbookError
from rowbook.errors.codes import CODES

pytestmark = pytest.mark.fuzz

VALID = """\
project:
  name: monthly_close
  selectors: &s {active: "gl.status = 'active'", big: 'amount > 1''000'}
  operations:
    - seq: 10   # first
      type: update
      selector: "{{active}} AND \\u0041 = \\
        1"
      arguments: {assignments: [{column: x, expression: a + b}]}
    - {seq: 20, type: delete, same: *s }
  note: |2-
     text
    more
  folded: >+

    a
    b

---
!tag [1, 10.50, ~, true, "", '']
"""
TOKENS = [
    *"[]{},:-?&*!|>'\"%@`#\\ \n\t\r~", ": ", "- ", "? ", "\n  ", "---\n", "...\n", "{{", "}}",
    "&a ", "*a", "!!str ", "<<: ", "a", "0x1", "'x'",
    '"y"', "\\u12", "|2\n", ">-\n", "%YAML 1.2\n", "é",
    "😀", "\x85", "\u2028", "\ufeff", "\ue000", "\r\n",
]  # fmt: skip
TOKEN_TEXT = st.lists(st.sampled_from(TOKENS), max_size=40).map("".join)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """The valid file with a few pieces cut, doubled or put in."""
    text = VALID
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(st.one_of(st.just(""), st.sampled_from(TOKENS), st.just(text[start:end] * 2)))
        text = text[:start] + piece + text[end:]
    return text


def check_outcome(documents: tuple[Document, ...], findings: tuple[Diagnostic, ...]) -> None:
    """Findings are well-formed and placed in the file; nodes enclose what they hold."""
    for finding in findings:
        assert finding.code in CODES
        assert finding.message
        assert finding.position is not None
    for document in documents:
        check_node(document.source, document.root)


def check_node(source: SourceText, node: Node) -> None:
    assert 0 <= node.start <= node.end <= len(source.text)
    match node:
        case Scalar():
            assert len(offsets(source.text, node)) == len(node.text) + 1
            node.as_int()
        case Sequence():
            for item in node.items:
                check_node(source, item)
        case Mapping():
            assert len({key.text for key, _ in node.entries}) == len(node.entries)
            for key, value in node.entries:
                check_node(source, key)
                check_node(source, value)


@given(text=st.one_of(st.text(), TOKEN_TEXT, mutated()))
@settings(deadline=None)
def test_any_text_gives_documents_and_findings(text: str) -> None:
    check_outcome(*parse(SourceText("f.yaml", text)))


@given(text=st.one_of(TOKEN_TEXT, mutated()))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_gives_documents_and_findings_without_libyaml(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    check_outcome(*parse(SourceText("f.yaml", text)))


@given(
    data=st.one_of(
        st.binary(),
        st.builds(lambda text, i, byte: text.encode()[:i] + byte + text.encode()[i:],
                  mutated(), st.integers(0, 500), st.binary(max_size=3)),
    )
)  # fmt: skip
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(data)
    check_outcome(*outcome_of_file(path))


def outcome_of_file(path: Path) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    try:
        return parse(read_file(path, "f.yaml"))
    except RowbookError as refused:
        return (), refused.diagnostics


def as_data(node: Node) -> Any:
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [as_data(item) for item in node.items]
        case Mapping():
            return [(key.text, as_data(value)) for key, value in node.entries]


def as_data_by_pyyaml(node: yaml.Node) -> Any:
    match node:
        case yaml.ScalarNode():
            return node.value
        case yaml.SequenceNode():
            return [as_data_by_pyyaml(item) for item in node.value]
        case yaml.MappingNode():
            return [(as_data_by_pyyaml(k), as_data_by_pyyaml(v)) for k, v in node.value]
    raise AssertionError(node)


def composed(text: str) -> list[Any]:
    """The documents as PyYAML composes them, empty ones left out."""
    nodes = yaml.compose_all(text, Loader=yaml.CSafeLoader)
    return [
        as_data_by_pyyaml(node) for node in nodes if node.start_mark.index != node.end_mark.index
    ]


DATA = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=20), st.dates()),
    lambda below: st.one_of(
        st.lists(below, max_size=4), st.dictionaries(st.text(max_size=10), below, max_size=4)
    ),
    max_leaves=12,
)


@given(
    documents=st.lists(DATA, max_size=3),
    style=st.sampled_from([None, "'", '"', "|", ">"]),
    flow=st.sampled_from([True, False, None]),
    unicode=st.booleans(),
    width=st.sampled_from([10, 80]),
)
@settings(deadline=None)
def test_what_pyyaml_dumps_has_the_structure_that_pyyaml_composes(
    documents: list[Any], style: str | None, flow: bool | None, unicode: bool, width: int
) -> None:
    text = yaml.dump_all(
        documents,
        default_style=style,
        default_flow_style=flow,
        allow_unicode=unicode,
        width=width,
        explicit_start=True,
    )
    compare_with_pyyaml(text)


@given(text=st.one_of(TOKEN_TEXT, mutated()))
@settings(deadline=None)
def test_what_both_accept_both_read_alike(text: str) -> None:
    compare_with_pyyaml(text)


def compare_with_pyyaml(text: str) -> None:
    """Line breaks of YAML 1.1 aside, PyYAML and we accept the same and read it alike."""
    if set(text) & set("\x85\u2028\u2029\ufeff"):
        return
    documents, findings = parse(SourceText("f.yaml", text))
    try:
        expected = composed(text)
    except yaml.composer.ComposerError:
        return  # an alias without anchor, or an anchor set twice, which YAML 1.2 allows
    except yaml.YAMLError:
        assert findings
        return
    if all(finding.code == "YAML_008" for finding in findings):
        assert [as_data(document.root) for document in documents] == expected
