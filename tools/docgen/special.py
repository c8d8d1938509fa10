"""Examples that cannot be written as a YAML file: odd bytes, huge files, wrong commands."""

from __future__ import annotations

from docgen.examples import Example, workspace_with
from rowbook.definitions.yaml.reader import MAX_BYTES

_LATIN_1 = """\
dataset:
  name: cost_centers
  main_table:
    name: cost_centers
    columns:
      - {name: cost_center_code, type: string, description: Kürzel der Kostenstelle}
"""

_PASTED = """\
scenario:
  name: the whole year is closed
  period: "2025-12"
  project: monthly_close
  input:
    gl_entries:
      rows:
"""
_ROW = "        - {journal_id: J%06d, line_number: 1, account_code: '4000', amount: -100.00}\n"
_TOO_MANY = MAX_BYTES // len(_ROW) + 1


def special_examples() -> dict[str, Example]:
    """The examples by code."""
    examples = (_not_utf8(), _too_large(), _no_workspace(), _wrong_usage())
    return {example.code: example for example in examples}


def _not_utf8() -> Example:
    file = "datasets/example.yaml"
    return Example(
        "YAML_001",
        "An editor saved the file in the encoding of Windows, not as UTF-8.",
        file,
        _LATIN_1,
        {**workspace_with(file, "", ()), file: _LATIN_1.encode("cp1252")},
    )


def _too_large() -> Example:
    file = "scenarios/example.yaml"
    text = _PASTED + "".join(_ROW % number for number in range(1, _TOO_MANY + 1))
    few = "".join(_ROW % number for number in (1, 2))
    return Example(
        "YAML_007",
        "All journal lines of a year were pasted into a scenario; a CSV file can hold them.",
        file,
        f"{_PASTED}{few}        # … and {_TOO_MANY - 2:,} further rows\n",
        workspace_with(file, text, ()),
    )


def _no_workspace() -> Example:
    what = "The command was given in a folder that is not part of a workspace."
    return Example("WORKSPACE_001", what, None, "", {})


def _wrong_usage() -> Example:
    return Example(
        "USAGE_001",
        "The file is called `projects/close.yaml`.",
        None,
        "",
        workspace_with("projects/close.yaml", "", ()),
        command=("validate", "projects/clsoe.yaml"),
    )
