"""Each line of the page about faults names a test that there is."""

from __future__ import annotations

import re

from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "faults.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_promise_names_a_test_that_there_is() -> None:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "::test_" in line]
    assert len(lines) > 30
    for line in lines:
        (path, name) = NAMED.findall(line)[0]
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), line


def test_every_line_of_a_table_has_its_test() -> None:
    rows = [
        line
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and not line.startswith(("| fault |",))
    ]
    assert [line for line in rows if not NAMED.search(line)] == []
