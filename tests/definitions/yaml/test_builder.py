"""Hostile files end at the limits, at once."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from rowbook.definitions.yaml import builder
from rowbook.definitions.yaml.nodes import Scalar, SourceText
from rowbook.definitions.yaml.reader import parse
from tests.definitions.yaml.samples import document_of, documents_of, findings_of, plain


@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    [("[", "", "]"), ("{a: ", "x", "}"), ("- ", "x", ""), ("? ", "x", "")],
)
def test_nesting_ends_at_the_limit(opening: str, middle: str, closing: str) -> None:
    def nested(depth: int) -> str:
        return opening * depth + middle + closing * depth

    found = findings_of(nested(100))
    assert all("nested" not in each[3] for each in found)
    assert findings_of(nested(101))[-1][2:] == (
        "YAML_007",
        "lists and mappings are nested deeper than 100",
    )


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "{a: ", "[[],", "&a [*a,"])
def test_a_hundred_thousand_levels_are_refused_at_once(opening: str) -> None:
    text = opening * 100_000
    start = time.process_time()
    documents, found = parse(SourceText("f.yaml", text))
    assert time.process_time() - start < 2
    assert documents == ()
    assert found[-1].code == "YAML_007"


def test_nesting_through_aliases_counts_too() -> None:
    chain = "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 110))
    assert findings_of("- &a0 [x]\n" + chain) == [
        (100, 9, "YAML_007", "lists and mappings are nested deeper than 100")
    ]


def bomb(item: str) -> str:
    """Nine uses of the line before on each of twelve lines: 9^12 nodes."""
    lines = ["a0: &a0 x"]
    for n in range(1, 13):
        uses = ", ".join(item.format(k, n - 1) for k in range(9))
        lines.append(f"a{n}: &a{n} " + ("[{}]" if ":" not in item else "{{{}}}").format(uses))
    return "\n".join(lines)


@pytest.mark.timeout(20)
@pytest.mark.usefixtures("either_parser")
@pytest.mark.parametrize("item", ["*a{1}", "k{0}: *a{1}"], ids=["sequences", "mappings"])
def test_a_yaml_bomb_costs_neither_time_nor_memory(item: str) -> None:
    text = bomb(item)
    tracemalloc.start()
    start = time.process_time()
    found = parse(SourceText("f.yaml", text))[1]
    took = time.process_time() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [each.code for each in found] == ["YAML_007"]
    assert found[0].message == "more than 500,000 keys and values in one file"
    assert took < 1
    assert peak < 2_000_000


def test_nodes_count_at_each_use_of_an_alias(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "- &x [1, 2]\n- *x\n- {k: *x }\n"
    monkeypatch.setattr(builder, "MAX_NODES", 12)
    assert findings_of(text) == []
    monkeypatch.setattr(builder, "MAX_NODES", 11)
    assert findings_of(text) == [(3, 7, "YAML_007", "more than 11 keys and values in one file")]


def test_documents_before_a_limit_are_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "MAX_NODES", 5)
    documents, found = parse(SourceText("f.yaml", "a: 1\n---\nb: [1, 2, 3]\n"))
    assert [plain(document.root) for document in documents] == [{"a": "1"}]
    assert [each.code for each in found] == ["YAML_007"]


def test_a_file_has_at_most_a_thousand_documents_empty_ones_included() -> None:
    assert len(documents_of("--- a\n" * 1_000)) == 1_000
    assert documents_of("---\n" * 1_000) == ()
    assert findings_of("---\n" * 1_001) == [
        (1_001, 1, "YAML_007", "more than 1,000 documents in one file")
    ]


@pytest.mark.parametrize("form", ['a: "{}"', "a: {}", "a: |\n  {}"])
def test_one_value_of_ten_megabytes_is_read(form: str) -> None:
    scalar = document_of(form.format("x" * 10_000_000)).find(("a",))
    assert isinstance(scalar, Scalar)
    assert len(scalar.text) == 10_000_000
