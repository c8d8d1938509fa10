"""The site has every page of docs/, and nothing in it comes from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from docgen.site_files import LISTED, OWN_PAGES, listing, site_place, with_site_links
from tests.docs.markdown import links, markdown_files
from tests.support.paths import ROOT

_SITE: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))


def _in_navigation(entry: object) -> Iterator[str]:
    match entry:
        case str():
            yield entry
        case list():
            for each in entry:
                yield from _in_navigation(each)
        case dict():
            for each in entry.values():
                yield from _in_navigation(each)


def test_the_navigation_has_every_page_once() -> None:
    named = list(_in_navigation(_SITE["nav"]))
    docs = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(named) == sorted(docs | set(OWN_PAGES.values()))


def test_nothing_comes_from_elsewhere() -> None:
    assert _SITE["theme"]["font"] is False
    assert "http" not in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "url(" not in (ROOT / "docs" / "site.css").read_text(encoding="utf-8")


def test_the_build_is_strict_about_links() -> None:
    checked = {**_SITE["validation"]["nav"], **_SITE["validation"]["links"]}
    assert set(checked.values()) == {"warn"}


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("docs/plan.md", "plan.md"),
        ("docs/plan.svg", "plan.svg"),
        ("ARCHITECTURE.md", "architecture.md"),
        ("README.md", "index.md"),
        ("library/rowbook.yaml", f"{LISTED}/library/rowbook.yaml.md"),
        ("examples/close", f"{LISTED}/examples/close/index.md"),
        ("nowhere.txt", None),
        ("../elsewhere", None),
    ],
)
def test_files_of_the_repository_have_places_on_the_site(path: str, place: str | None) -> None:
    assert site_place(path) == place


def test_links_lead_to_these_places() -> None:
    text = (
        "[a](../../ARCHITECTURE.md#two-trees) [b](../plan.md) `[c](../../README.md)`\n"
        "[d](../../library/rowbook.yaml) [e](#here) [f](https://example.org/x.md)\n"
        "```\n[g](../../README.md)\n```\n"
    )
    changed, listed = with_site_links(text, "docs/internals/spark-plans.md")
    assert changed == (
        "[a](../architecture.md#two-trees) [b](../plan.md) `[c](../../README.md)`\n"
        f"[d](../{LISTED}/library/rowbook.yaml.md) [e](#here) [f](https://example.org/x.md)\n"
        "```\n[g](../../README.md)\n```\n"
    )
    assert listed == ["library/rowbook.yaml"]


def test_a_link_that_leads_nowhere_stays_for_the_build_to_find() -> None:
    assert with_site_links("[x](nowhere.md)", "docs/plan.md") == ("[x](nowhere.md)", [])


def test_a_folder_is_a_list_of_its_files() -> None:
    text, more = listing("examples/recipes/subtotals")
    assert "- [`projects/totals.yaml`](projects/totals.yaml.md)" in text
    assert "examples/recipes/subtotals/projects/totals.yaml" in more
    assert not re.search(r"\.rowbook/|\.pyc", text)


def test_every_link_of_a_page_leads_to_a_page() -> None:
    for path in markdown_files():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith("docs/") and name not in OWN_PAGES:
            continue
        text, listed = with_site_links(path.read_text(encoding="utf-8"), name)
        assert all((ROOT / each).exists() for each in listed)
        outside = [to for to in links(text) if to.startswith("../../..")]
        assert outside == [], name
