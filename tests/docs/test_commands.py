"""Every command that a page shows is run by a test, or says why it is not; all that are named
exist."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from rowbook.cli.app import COMMANDS, GROUPS, make_app
from tests.docs.markdown import Block, blocks, markdown_files
from tests.support.paths import ROOT

_PLAYED = {
    "docs/checking.md": "test_checking.py",
    "docs/diff.md": "test_diff.py",
    "docs/errors.md": "test_errors.py",
    "docs/getting-started.md": "test_getting_started.py",
    "docs/iceberg.md": "test_iceberg_page.py",
    "docs/infer.md": "test_infer.py",
    "docs/lake.md": "test_lake_page.py",
    "docs/life-cycle.md": "test_sessions.py",
    "docs/lineage.md": "test_lineage_page.py",
    "docs/object-stores.md": "test_object_stores_page.py",
    "docs/own-ledger.md": "test_own_ledger.py",
    "docs/publishing.md": "test_sessions.py",
    "docs/runs.md": "test_sessions.py",
    "docs/seals.md": "test_seals_page.py",
    "docs/plan.md": "test_plan.py",
    "docs/preview.md": "test_preview.py",
    "docs/proof.md": "test_proof_page.py",
    "docs/recipes/": "test_recipes.py",
    "docs/verify.md": "test_verify_page.py",
}
"""Pages by the test that runs what they show."""

_NOT_RUN = re.compile(r"<!-- not run: needs an? (?:network|cluster|terminal) -->")
_INLINE = re.compile(r"`(rowbook (?:[a-z-]+)[^`\n]*)`")
_PAGES = [path for path in markdown_files() if path.is_relative_to(ROOT / "docs")]
_NAMES = [*_PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _shown(text: str) -> Iterator[Block]:
    """Blocks with a prompt, of whatever language."""
    for language in ("console", "", "text", "sh", "bash"):
        for block in blocks(text, language):
            if re.search(r"^\$ ", block.text, re.MULTILINE):
                yield block


@pytest.mark.parametrize("path", _PAGES, ids=_name)
def test_shown_commands_are_run_or_say_why_not(path: Path) -> None:
    is_played = any(_name(path).startswith(page) for page in _PLAYED)
    unrun = [
        block.line
        for block in _shown(path.read_text(encoding="utf-8"))
        if not is_played and not _NOT_RUN.fullmatch(block.before)
    ]
    assert unrun == []


def test_the_tests_that_run_pages_are_there() -> None:
    here = Path(__file__).parent
    assert [name for name in _PLAYED.values() if not (here / name).is_file()] == []
    assert [page for page in _PLAYED if not (ROOT / page).exists()] == []


@cache
def _parameters(words: tuple[str, ...]) -> frozenset[str] | None:
    """The options of a command, None where there is no such command."""
    command: Any = typer.main.get_command(make_app(list(words)))
    for word in words:
        command = getattr(command, "commands", {}).get(word)
        if command is None:
            return None
    return frozenset(option for each in command.params for option in each.opts) | {"--help", "-h"}


def _faults(text: str) -> Iterator[str]:
    for found in _INLINE.finditer(text):
        words = shlex.split(found[1].replace("'", "")) if found[1].count('"') % 2 == 0 else []
        command = tuple(words[1:3] if words[1:2] and words[1] in GROUPS else words[1:2])
        if len(command) == 1 and command[0] in GROUPS:
            continue
        alternatives = [command]
        if len(command) == 2:
            alternatives = [(command[0], one) for one in command[1].split("|")]
        for each in alternatives:
            known = _parameters(each)
            if known is None:
                yield f"{found[1]}: no such command"
                continue
            given = (re.split(r"[=\]|,]", w.strip("[]"))[0] for w in words if "-" in w[:2])
            yield from (f"{found[1]}: no option {one}" for one in given if one not in known)


@pytest.mark.parametrize("path", _NAMES, ids=_name)
def test_commands_and_options_that_are_named_exist(path: Path) -> None:
    assert list(_faults(path.read_text(encoding="utf-8"))) == []


def test_a_command_that_does_not_exist_is_found() -> None:
    assert list(_faults("`rowbook rum x`")) == ["rowbook rum x: no such command"]
    assert list(_faults("`rowbook run x --perod 1`")) == [
        "rowbook run x --perod 1: no option --perod"
    ]
    assert list(_faults("`rowbook runs list|shw`")) == ["rowbook runs list|shw: no such command"]
    assert {*COMMANDS, *GROUPS} >= {"run", "runs"}
