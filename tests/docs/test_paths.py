"""Files of the source and the tests that pages and the Makefile name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "docs/errors.md")
INTERNALS = sorted((ROOT / "docs" / "internals").rglob("*.md"))
_FILE = re.compile(r"(?<![\w/.])(?:[a-z_]+/)+[a-z_]+\.py")


@pytest.mark.parametrize(
    "page", [*(ROOT / name for name in PAGES), *INTERNALS], ids=lambda page: page.name
)
def test_every_file_that_is_named_exists(page: Path) -> None:
    named = set(_FILE.findall(page.read_text(encoding="utf-8")))
    places = ROOT, ROOT / "src" / "rowbook"
    assert [name for name in sorted(named) if not any((p / name).exists() for p in places)] == []
