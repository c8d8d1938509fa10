"""Relative links in Markdown files lead to files that exist, and to anchors that are in them."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.markdown import anchors, links, markdown_files
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    "path", markdown_files(), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_relative_links_resolve(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [target for target in links(text) if not _resolves(target, path, text)] == []


def _resolves(target: str, path: Path, text: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return True
    file = path.parent / unquote(parts.path) if parts.path else path
    if not file.exists() or not file.resolve().is_relative_to(ROOT):
        return False
    if not parts.fragment:
        return True
    there = text if file == path else file.read_text(encoding="utf-8")
    return file.suffix == ".md" and unquote(parts.fragment) in anchors(there)


def test_a_link_to_a_missing_anchor_is_found(tmp_path: Path) -> None:
    text = "# One thing\n\n[here](#one-thing) [there](#another)\n"
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    found = list(links(text))
    assert found == ["#one-thing", "#another"]
    assert anchors(text) == {"one-thing"}


def test_links_in_code_are_no_links() -> None:
    assert list(links("`[a](b.md)`\n\n```text\n[c](d.md)\n```\n\n[e](f.md)")) == ["f.md"]


def test_headings_that_stand_twice_are_told_apart() -> None:
    assert anchors("# `a_b` of C: d\n\n## Same\n\n## Same\n") == {"a_b-of-c-d", "same", "same-1"}
