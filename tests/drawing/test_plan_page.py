"""The page of a plan: one file, no scripts, nothing from elsewhere, every text as text."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rowbook.drawing.plan_page import plan_html
from rowbook.runs.run_plan.plan_model import RunPlan
from tests.drawing.plans import EVIL, hostile, sample


class Reader(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.style = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] == ["style"] and not self.style:
            self.style = data
        self.texts.append(data)


@pytest.fixture(params=["sample", "hostile"])
def plan(request: pytest.FixtureRequest, tmp_path: Path) -> RunPlan:
    return sample() if request.param == "sample" else hostile(tmp_path)


def test_it_holds_only_tags_of_its_own(plan: RunPlan) -> None:
    assert set(Reader(plan_html(plan)).tags) <= {
        *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "figure"),
        *("details", "summary", "strong", "span", "code"),
        *("table", "thead", "tbody", "tr", "th", "td"),
        *("svg", "defs", "marker", "path", "rect", "g", "text"),
    }


def test_no_attribute_does_or_fetches_anything(plan: RunPlan) -> None:
    names = {name for name, _ in Reader(plan_html(plan)).attributes}
    assert not {name for name in names if name.startswith("on")}
    assert not names & {"src", "href", "style", "srcset", "action", "xlink:href"}


def test_its_policy_allows_its_own_style_alone(plan: RunPlan) -> None:
    reader = Reader(plan_html(plan))
    digest = b64encode(sha256(reader.style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    assert ("content", policy) in reader.attributes
    assert reader.tags.count("style") == 1
    assert not re.search(r"url\(|@import", reader.style)


def test_texts_are_shown_as_they_are(tmp_path: Path) -> None:
    found = Reader(plan_html(hostile(tmp_path))).texts
    assert found.count(EVIL) >= 3
    assert "{{x}} AND account LIKE '<script>%'" in found


def test_every_operation_has_the_columns_after_it() -> None:
    found = Reader(plan_html(sample())).texts
    said = [text for text in found if text.endswith("columns after it")]
    assert [int(text.split()[0]) for text in said] == [22, 23, 23, 23, 23, 25, 25, 25]


def test_data_that_is_not_there_is_seen_at_once(tmp_path: Path) -> None:
    page = plan_html(hostile(tmp_path))
    assert '<span class="bad">no data there: a run would fail</span>' in page
    assert page.count('<details open="open">') == 2 + 3
