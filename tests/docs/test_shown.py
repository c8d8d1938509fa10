"""Pages show parts of files as these are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docgen import shown
from docgen.shown import NotShownError, pages_that_show, refreshed
from rowbook.engine.session.settings import SEMANTIC_CONF
from tests.support.paths import ROOT

_SCENARIO = """\
scenario:
  name: {name}
  period: "2026-01"
  datasets:
    - {{name: orders, main_table: {{name: orders, columns: [{{name: id, type: string}}]}}}}
  project:
    input_dataset_id: orders
    operations:
      - {{seq: 1, name: Drop all, type: delete}}
  input: {{orders: {{rows: [{{id: "a*b"}}, {{id: null}}]}}}}
  expect: {{working: {{rows: [{{id: "", _deleted: true}}]}}}}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of a few files."""
    monkeypatch.setattr(shown, "ROOT", tmp_path)
    both = "---\n".join(_SCENARIO.format(name=name) for name in ("one thing", "another"))
    (tmp_path / "s.yaml").write_text(both, encoding="utf-8")
    (tmp_path / "d.csv").write_text("a,b\n1,\n", encoding="utf-8")
    return tmp_path


def _shown(what: str) -> str:
    made = refreshed(f"above\n<!-- shown: {what} -->\nold\n<!-- /shown -->\nbelow\n")
    found = re.fullmatch(
        rf"above\n<!-- shown: {re.escape(what)} -->\n\n(.*)\n\n<!-- /shown -->\nbelow\n",
        made,
        re.DOTALL,
    )
    assert found
    return found[1]


def test_a_scenario_is_its_operations_and_its_rows(root: Path) -> None:
    assert _shown("scenario s.yaml: another") == (
        "```yaml\noperations:\n  - {seq: 1, name: Drop all, type: delete}\n```\n\n"
        "Before, `orders`:\n\n| id |\n| --- |\n| a\\*b |\n| *NULL* |\n\n"
        'After:\n\n| id | \\_deleted |\n| --- | --- |\n| "" | true |'
    )


def test_a_scenario_is_also_what_violates_expectations_and_what_they_take_out(root: Path) -> None:
    expected = """\
  expect:
    quarantined: {rows: [{id: a}]}
    expectations:
      - {name: ids are few, status: violated, groups: [{id: b, COUNT(*): 2}]}
      - {name: ids are long, status: tolerated, violated: 1}
"""
    scenario = _SCENARIO.format(name="taken out").rsplit("  expect:", 1)[0] + expected
    (root / "t.yaml").write_text(scenario, encoding="utf-8")
    assert _shown("scenario t.yaml: taken out").endswith(
        "Quarantined:\n\n| id |\n| --- |\n| a |\n\n"
        "What violates *ids are few*:\n\n| id | COUNT(\\*) |\n| --- | --- |\n| b | 2 |"
    )


def test_rows_are_a_table(root: Path) -> None:
    assert _shown("rows d.csv") == "| a | b |\n| --- | --- |\n| 1 | *NULL* |"


def test_settings_are_those_of_the_engine() -> None:
    lines = _shown("settings").splitlines()
    assert len(lines) == 2 + len(SEMANTIC_CONF)
    assert lines[2].startswith("| `spark.sql.ansi.enabled` | `true` | overflow")


def test_operations_are_shown_as_written_without_comments_after_them() -> None:
    text = _shown("operations examples/recipes/reclassification/projects/reclassify.yaml: 20, 31")
    assert text.startswith("```yaml\n- seq: 20\n  name: Move by the table\n")
    assert text.endswith("assignments: [{column: account_code, expression: \"'6510'\"}]\n```")
    assert "#" not in text


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("nothing", "'nothing' is nothing that can be shown"),
        ("file nowhere.yaml", "there is no file nowhere.yaml"),
        ("scenario s.yaml: a third", "s.yaml has no .* 'a third'"),
        ("operations s.yaml: 1", "s.yaml is no project"),
    ],
)
def test_what_is_not_there_is_said(what: str, message: str, root: Path) -> None:
    with pytest.raises(NotShownError, match=message):
        _shown(what)


def test_what_is_shown_once_stays_the_same() -> None:
    names = pages_that_show(ROOT / "docs")
    assert {"operations.md", "cluster.md", "recipes/subtotals.md"} <= set(names)
    for name in names:
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert refreshed(text) == text, name
