"""The YAML of docs/expectations.md is what it says: definitions without faults."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from docgen.examples import Example, file_for, outcome, workspace_with
from rowbook.planning.workspace_check import check_workspace
from rowbook.runs.run_plan.plan_expectations import plan_expectation
from rowbook.text.plan_words import expected
from tests.docs.markdown import Block, blocks
from tests.support.paths import ROOT
from tests.support.write_files import write_files

_PAGE = (ROOT / "docs" / "expectations.md").read_text(encoding="utf-8")
_BLOCKS = list(blocks(_PAGE, "yaml"))
_COMPLETE = re.compile(r"<!-- complete(?:, with (.+))? -->")
_WHOLE = [block for block in _BLOCKS if _COMPLETE.fullmatch(block.before)]
_LISTED = [block for block in _BLOCKS if block.text.startswith("- name:")]
_PROJECT = """\
project:
  name: example
  input_dataset_id: gl_entries
  expectations:
{}
  operations:
    - {{seq: 10, name: Drop nothing, type: delete, selector: "amount = 0"}}
"""


def _line(block: Block) -> str:
    return f"line {block.line}"


def _findings(text: str, bases: tuple[str, ...]) -> str:
    file = file_for(text)
    example = Example("", "", file, text, workspace_with(file, text, bases), bases)
    return outcome(example).text.partition("  (")[0]


def test_every_block_is_checked_in_one_of_the_ways_below() -> None:
    assert [b.line for b in _BLOCKS if b not in _WHOLE and b not in _LISTED] == []


@pytest.mark.parametrize("block", _WHOLE, ids=_line)
def test_a_complete_definition_is_valid(block: Block) -> None:
    found = _COMPLETE.fullmatch(block.before)
    assert found is not None
    assert _findings(block.text, (found[1],) if found[1] else ()) == "0 errors, 0 warnings"


@pytest.mark.parametrize("block", _LISTED, ids=_line)
def test_an_expectation_is_valid_in_a_project_over_the_ledger(block: Block) -> None:
    text = _PROJECT.format(textwrap.indent(block.text, "    ").rstrip())
    assert _findings(text, ("ledger",)) == "0 errors, 0 warnings"


def test_the_words_are_those_of_the_plan(tmp_path: Path) -> None:
    ledger = ROOT / "docs" / "error-examples" / "base" / "ledger.yaml"
    write_files(
        tmp_path,
        {"rowbook.yaml": ledger.read_text("utf-8"), "projects/close.yaml": _WHOLE[0].text},
    )
    plan = check_workspace(tmp_path).projects["monthly_close"].plan
    assert plan is not None
    (block,) = (b for b in blocks(_PAGE, "text") if b.before == "<!-- said by the plan -->")
    said = [expected(plan_expectation(each)) for each in plan.expectations]
    assert block.text.splitlines() == said
