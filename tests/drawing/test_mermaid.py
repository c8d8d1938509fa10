"""The flowchart of a plan: every text quoted, nothing in it that means more than text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rowbook.drawing.mermaid import plan_mermaid
from tests.drawing.plans import hostile, sample

_LABEL = r'"(?:[^"<>`;{}\[\]\\]|#\d+;|<br/>)*"'
_NODE = rf"[a-z]+\d*[a-z]*\d*(?:\[\({_LABEL}\)\]|\[/{_LABEL}/\]|\[{_LABEL}\])"
_ARROW = rf"[a-z0-9]+ -->(?:\|{_LABEL}\|)? [a-z0-9]+"


@pytest.mark.parametrize("kind", ["sample", "hostile"])
def test_every_line_is_a_node_or_an_arrow(kind: str, tmp_path: Path) -> None:
    plan = sample() if kind == "sample" else hostile(tmp_path)
    first, *lines = plan_mermaid(plan).splitlines()
    assert first == "flowchart TD"
    assert [line for line in lines if not re.fullmatch(f"    (?:{_NODE}|{_ARROW})", line)] == []


def test_special_characters_are_written_by_their_numbers(tmp_path: Path) -> None:
    drawn = plan_mermaid(hostile(tmp_path))
    assert "#60;/style#62;#60;/svg#62;#60;script#62;alert(1)" in drawn
    assert "<script" not in drawn


def test_a_long_text_is_cut(tmp_path: Path) -> None:
    labels = re.findall(_LABEL, plan_mermaid(hostile(tmp_path)))
    texts = [text for label in labels for text in label.strip('"').split("<br/>")]
    shown = [re.sub(r"#\d+;", "x", text) for text in texts]
    assert max(map(len, shown)) == 60


def test_words_keep_their_underscores() -> None:
    drawn = plan_mermaid(sample())
    assert "group by #95;period, account_group, line_type" in drawn
