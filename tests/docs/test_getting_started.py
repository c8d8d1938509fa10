"""docs/getting-started.md is a session at a terminal that goes as it is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook.starter.template_files import template_files
from tests.docs.markdown import blocks
from tests.docs.playing import play
from tests.docs.terminal import Command, Edit, comparable, steps
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PAGE = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
_README = template_files("close", "acme_close")["README.md"]


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("ann")
def test_every_command_prints_what_is_shown(
    tmp_path: Path,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    play(_PAGE, spark, capsys)


def test_the_page_goes_the_way_of_the_readme() -> None:
    done = {step.text for step in steps(_PAGE) if isinstance(step, Command)}
    in_readme = re.findall(r"^rowbook .+$", _README, re.MULTILINE)
    assert [command for command in in_readme if command not in done] == []


def test_the_readme_has_the_rule_and_the_scenario_of_the_page() -> None:
    shown = [block.text for block in blocks(_PAGE, "yaml") if block.before.startswith("<!--")]
    assert len(shown) == 2
    assert [block.text for block in blocks(_README, "yaml")] == shown


def test_steps_are_commands_with_outputs_and_edits() -> None:
    page = (
        "```console\n$ one\na\nb\n$ two\n```\n\n<!-- f.yaml: x y becomes x z -->\n\n"
        "<!-- f.yaml: at the end -->\n```yaml\nc: 1\n```\n"
        "<!-- f.yaml: before e: -->\n```yaml\nd: 1\n```\n"
    )
    assert steps(page) == [
        Command(1, "one", "a\nb\n"),
        Command(1, "two", ""),
        Edit(8, "f.yaml", "x y", "x z"),
        Edit(11, "f.yaml", None, "c: 1\n"),
        Edit(15, "f.yaml", "e:", "d: 1\ne:"),
    ]


def test_an_output_may_be_shown_in_part() -> None:
    assert Command(1, "one", "a\nb\n…\n").is_shown("a\nb\nc\n")
    assert not Command(1, "one", "a\nx\n…\n").is_shown("a\nb\nc\n")
    assert not Command(1, "one", "a\nb\n").is_shown("a\nb\nc\n")


def test_figures_are_compared_and_times_are_not() -> None:
    row = " 10   Drop   delete   829   24   0   24   805   {}\n"
    assert comparable(row.format("1,204")) == comparable(row.format("3"))
    other = " 10   Drop   delete   829   24   0   24   804   3\n"
    assert comparable(row.format("3")) != comparable(other)
    assert comparable("✓ a claim  1.2 s") == comparable("✓ a claim  10.4 s")
