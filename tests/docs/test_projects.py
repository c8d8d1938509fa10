"""The YAML of docs/projects.md is what it says: definitions without faults."""

from __future__ import annotations

import re
import textwrap

import pytest

from docgen.examples import Example, file_for, outcome, workspace_with
from rowbook.cli.app import COMMANDS, GROUPS
from rowbook.definitions.loading import load_document
from rowbook.definitions.models.kinds import KINDS
from rowbook.definitions.yaml.nodes import SourceText
from rowbook.definitions.yaml.reader import parse
from tests.docs.markdown import Block, blocks
from tests.support.paths import ROOT

_PAGE = (ROOT / "docs" / "projects.md").read_text(encoding="utf-8")
_BLOCKS = list(blocks(_PAGE, "yaml"))
_COMPLETE = re.compile(r"<!-- complete(?:, with (.+))? -->")
_AROUND_OPERATIONS = """\
project:
  name: example
  input_dataset_id: gl_entries
  operations:
"""


def _is_definition(block: Block) -> bool:
    return block.text.partition(":")[0] in KINDS


def _line(block: Block) -> str:
    return f"line {block.line}"


_DEFINITIONS = [b for b in _BLOCKS if _is_definition(b)]
_OPERATIONS = [b for b in _BLOCKS if b.text.startswith("- seq:")]
_WHOLE = [b for b in _BLOCKS if _COMPLETE.fullmatch(b.before)]


def test_every_block_is_checked_in_one_of_the_ways_below() -> None:
    assert [b.line for b in _BLOCKS if b not in _DEFINITIONS and b not in _OPERATIONS] == []
    assert len(_WHOLE) >= 6
    kinds = {kind for kind in KINDS if any(f"{kind}:\n" in b.text for b in _DEFINITIONS)}
    assert kinds == set(KINDS)


@pytest.mark.parametrize("block", _DEFINITIONS, ids=_line)
def test_a_definition_has_no_faults_of_form(block: Block) -> None:
    documents, findings = parse(SourceText("projects.md", block.text))
    assert findings == ()
    assert documents
    for document in documents:
        loaded = load_document(document)
        assert loaded.diagnostics == ()
        assert loaded.entry is not None


@pytest.mark.parametrize("block", _WHOLE, ids=_line)
def test_a_complete_definition_is_valid(block: Block) -> None:
    found = _COMPLETE.fullmatch(block.before)
    assert found is not None
    bases = tuple(name.strip() for name in (found[1] or "").split(",") if name.strip())
    assert _findings(block.text, bases) == "0 errors, 0 warnings"


@pytest.mark.parametrize("block", _OPERATIONS, ids=_line)
def test_operations_are_valid_in_a_project_over_the_ledger(block: Block) -> None:
    text = _AROUND_OPERATIONS + textwrap.indent(block.text, "    ")
    assert _findings(text, ("ledger",)) == "0 errors, 0 warnings"


def _findings(text: str, bases: tuple[str, ...]) -> str:
    file = file_for(text)
    example = Example("", "", file, text, workspace_with(file, text, bases), bases)
    return outcome(example).text.partition("  (")[0]


def test_the_page_names_the_commands_that_exist() -> None:
    first = _PAGE.split("\n\n")[1]
    named = set(re.findall(r"`rowbook (\w+)`", first))
    assert named == {*COMMANDS, *GROUPS}
