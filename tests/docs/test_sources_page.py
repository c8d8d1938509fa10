"""docs/sources.md has the options that there are, and definitions that are valid."""

from __future__ import annotations

import re

import pytest

from docgen.examples import Example, file_for, outcome, workspace_with
from rowbook.locations.file_options import CODECS
from rowbook.planning.datasources import BY_NAME, OPTIONS
from tests.docs.markdown import Block, blocks
from tests.support.paths import ROOT

_PAGES = {
    name: (ROOT / "docs" / name).read_text(encoding="utf-8")
    for name in ("sources.md", "cluster.md", "object-stores.md")
}
_COMPLETE = [
    (name, block)
    for name, text in _PAGES.items()
    for block in blocks(text, "yaml")
    if block.before == "<!-- complete -->"
]
_FILES = {"parquet", "orc", "csv", "json", "excel"}


def _options_said() -> dict[str, set[str]]:
    """The options of each type by the page's tables."""
    said: dict[str, set[str]] = {kind: set() for kind in OPTIONS}
    for option, of in re.findall(
        r"^\| `(\w+)` \| ([a-z, ]+) \| .+ \|$", _PAGES["sources.md"], re.MULTILINE
    ):
        kinds = of.replace("all files", ", ".join(_FILES)).split(", ")
        for kind in kinds if set(kinds) <= said.keys() else ():
            said[kind].add(option)
    said["iceberg"] |= _options_of("### iceberg", "### postgresql")
    said["jdbc"] = _options_of("### postgresql", "### mysql")
    return said


def _options_of(heading: str, behind: str) -> set[str]:
    _, _, section = _PAGES["sources.md"].partition(heading)
    return set(re.findall(r"^\| `(\w+)` \|", section.partition(behind)[0], re.MULTILINE))


def test_the_tables_have_every_option_of_every_type() -> None:
    assert _options_said() == {
        kind: {*options, *(() if kind in BY_NAME else ("root",))}
        for kind, options in OPTIONS.items()
    }


def test_the_tables_have_every_compression() -> None:
    rows = re.findall(
        r"^\| `compression` \| ([a-z, ]+) \| (.+?) \|", _PAGES["sources.md"], re.MULTILINE
    )
    said = {
        kind: set(re.findall(r"`(\w+)`", names)) for of, names in rows for kind in of.split(", ")
    }
    assert said == {kind: set(names) for kind, names in CODECS.items()}


@pytest.mark.parametrize(
    "block", [b for _, b in _COMPLETE], ids=[f"{n}:{b.line}" for n, b in _COMPLETE]
)
def test_definitions_are_valid(block: Block) -> None:
    file = file_for(block.text)
    example = Example("", "", file, block.text, workspace_with(file, block.text, ()), ())
    assert outcome(example).text.partition("  (")[0] == "0 errors, 0 warnings"


def test_all_definitions_of_the_pages_are_checked() -> None:
    """Those that a page has files made of are checked as it is played."""
    shown = {name: len(list(blocks(text, "yaml"))) for name, text in _PAGES.items()}
    assert shown == {"sources.md": 5, "cluster.md": 5, "object-stores.md": 7}
    played = 5
    assert len(_COMPLETE) == sum(shown.values()) - played
