"""What holds of every page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser

from rowbook.reports.style import STYLE
from tests.reports.samples import EVIL

_STYLED = set(re.findall(r"\.([a-z][a-z-]*)", STYLE))

_VOID = {"meta"}


class Elements(HTMLParser):
    """What a page has: elements, attributes, texts; every element is closed where it shall be."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.attributes: dict[str, set[str]] = {}
        self.headings: list[int] = []
        self.tables = self.captions = 0
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self.tables += tag == "table"
        self.captions += tag == "caption"
        if tag not in _VOID:
            self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def close(self) -> None:
        super().close()
        assert self._open == []


def elements_in(page: str) -> Elements:
    found = Elements()
    found.feed(page)
    found.close()
    return found


def check_page(page: str) -> None:
    """It needs nothing from elsewhere and no scripts; it is well-formed, its headings go down one
    level at a time, its tables have captions, its classes a style."""
    found = elements_in(page)
    assert found.tags.isdisjoint({"script", "img", "link", "iframe", "object", "form", "a", "base"})
    assert found.attributes.keys().isdisjoint({"src", "href", "style", "srcset", "action"})
    assert not any(name.startswith("on") for name in found.attributes)
    assert found.headings[0] == 1
    assert found.headings.count(1) == 1
    steps = zip(found.headings, found.headings[1:], strict=False)
    assert all(below <= above + 1 for above, below in steps)
    assert found.tables == found.captions
    used = {name for each in found.attributes["class"] for name in each.split()}
    assert used - _STYLED == set()


def check_hostile(page: str, usual: str) -> None:
    """Texts that would be markup are shown as texts: there is no element that a usual page does not
    have."""
    assert elements_in(page).tags <= elements_in(usual).tags
    assert elements_in(page).attributes.keys() <= elements_in(usual).attributes.keys()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") > 15, "they are all shown"
    for mark in "\u202e\u2066\u0000":
        assert mark not in page
    assert EVIL not in page


def in_order(texts: Iterable[str], *wanted: str) -> bool:
    """Whether the texts stand in a page in this order."""
    following = iter(texts)
    return all(any(text == each for text in following) for each in wanted)
