"""Parameters of runs: given, recorded, shown, and the same when a run is repeated or compared."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from rowbook.api import ParameterInput, RoundEnd, RowsCompared, RowsLeftOut, WatchEvent
from tests.support.refusal import refusal
from tests.support.shell import Shell
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILES = {
    "rowbook.yaml": "workspace: {name: small, default_resolver_id: files}\n",
    "datasets/entries.yaml": """\
dataset:
  name: entries
  main_table:
    name: entries
    columns: [{name: id, type: string}, {name: amount, type: "decimal(18,2)"}]
  natural_key_columns: [id]
""",
    "resolvers/files.yaml": """\
datasource: {name: lake, type: csv, options: {root: out}}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "data/{{table_name}}.csv", format: csv}}]
""",
    "projects/close.yaml": """\
project:
  name: close
  input_dataset_id: entries
  parameters:
    threshold: {type: "decimal(18,2)", default: 5000, description: What is large.}
    label: {type: string}
  operations:
    - {seq: 10, name: keep large, type: delete, selector: "amount < param.threshold"}
    - seq: 20
      name: label
      type: update
      arguments: {assignments: [{column: label, expression: "param.label"}]}
    - seq: 30
      name: publish
      type: output
      arguments: {destination: {datasource_id: lake, table: large}}
""",
    "data/entries.csv": "id,amount\na,4000.00\nb,5000.00\nc,6000.00\n",
}
LABELLED: dict[str, ParameterInput] = {"label": "x"}


@pytest.fixture
def books(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def test_a_plan_shows_the_values_and_where_they_are_from(books: Path) -> None:
    plan = Workspace.open(books).plan("close", "2026-01", parameters={"label": "x"})
    assert [(p.name, p.type, p.value, p.default, p.description) for p in plan.parameters] == [
        ("threshold", "decimal(18,2)", "5000.00", True, "What is large."),
        ("label", "string", "x", False, None),
    ]


def test_a_value_that_is_missing_is_told_before_anything_starts(books: Path) -> None:
    workspace = Workspace.open(books)
    found = refusal(lambda: workspace.run("close", "2026-01", draft=True), "PARAMETER_002")
    assert str(found.position) == "projects/close.yaml:6:12"
    assert found.hint == "give it: --set label=…, or declare a default"


def test_a_name_that_is_not_declared_is_refused_with_the_near_one(books: Path) -> None:
    given: dict[str, ParameterInput] = {"treshold": 1, **LABELLED}
    found = refusal(
        lambda: Workspace.open(books).plan("close", "2026-01", parameters=given), "PARAMETER_001"
    )
    assert found.hint == "did you mean 'threshold'?  parameters: threshold, label"


def test_a_preview_uses_them(books: Path) -> None:
    given: dict[str, ParameterInput] = {"threshold": 6000, "label": "now"}
    found = Workspace.open(books).preview_rows("close", "2026-01", parameters=given)
    assert [(row["id"], row["label"]) for row in found.rows] == [("c", "now")]


def test_a_watch_follows_a_changed_default(books: Path) -> None:
    events = Workspace.open(books).watch("close", "2026-01", parameters=LABELLED)
    assert _until_end(events)
    project = books / "projects/close.yaml"
    project.write_text(project.read_text().replace("default: 5000", "default: 5001"))
    (compared,) = [each for each in _until_end(events) if isinstance(each, RowsCompared)]
    assert compared.effect.operation.seq == 10
    assert [row["id"] for row in compared.effect.gone_rows] == ["b"]


def test_a_parameter_that_no_operation_uses_changes_no_operation(books: Path) -> None:
    project = books / "projects/close.yaml"
    other = "parameters:\n    other: {type: integer, default: 1}\n"
    project.write_text(project.read_text().replace("parameters:\n", other))
    events = Workspace.open(books).watch("close", "2026-01", parameters=LABELLED)
    _until_end(events)
    project.write_text(project.read_text().replace("default: 1}", "default: 2}"))
    assert any(isinstance(each, RowsLeftOut) for each in _until_end(events))


def _until_end(events: Iterator[WatchEvent]) -> list[WatchEvent]:
    found: list[WatchEvent] = []
    for event in events:
        found.append(event)
        if isinstance(event, RoundEnd):
            break
    return found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--set", "threshold"), "--set 'threshold' is not NAME=VALUE, such as threshold=6000"),
        (("--set", "=1"), "--set '=1' is not NAME=VALUE, such as threshold=6000"),
        (("--set", "a=1", "--set", "a=2"), "--set gives parameter 'a' two values"),
    ],
)
def test_words_that_say_no_value(words: tuple[str, ...], message: str, shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run("plan", "close", "--period", "2026-01", *words)
    assert message in ended.err
    assert ended.code == 2


def test_the_words_of_the_command_line(shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run(
        "plan", "close", "--period", "2026-01", "--set", "label=a=b", "--set", "threshold=6000"
    )
    assert ended.code == 0
    assert (
        """\
Parameters
  threshold = 6000.00 (decimal(18,2), given): What is large.
  label = a=b (string, given)
"""
        in ended.out
    )


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_records_its_values_and_what_comes_after_uses_them(
    books: Path, spark: SparkSession
) -> None:
    with Workspace.open(books, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("close")
        report = books / "run.html"
        given: dict[str, ParameterInput] = {**LABELLED, "threshold": Decimal(6000)}
        run = workspace.run("close", "2026-01", parameters=given, report=report)
        assert (run.status, run.outputs[0].rows) == ("completed", 1)
        shown = [(p.name, p.value, p.default) for p in workspace.show(run.run_id).parameters]
        assert shown == [("threshold", "6000.00", False), ("label", "x", False)]
        assert "threshold = 6000.00 (decimal(18,2), given): What is large." in report.read_text()
        assert "amount is less than threshold (6,000.00)" in report.read_text()

        project = books / "projects/close.yaml"
        project.write_text(project.read_text().replace("default: 5000", "default: 1"))
        repeated = workspace.repeat(run.run_id)
        assert [each.verdict for each in repeated.compared_outputs] == ["equal"]
        (same,) = workspace.diff("close", "2026-01").outputs
        assert same.table.same
        (other,) = workspace.diff("close", "2026-01", parameters={"threshold": 5000}).outputs
        assert (other.table.only_before, other.table.only_after) == (0, 1)
        found = refusal(lambda: workspace.run("close", "2026-01"), "PARAMETER_002")
        assert "'label'" in found.message
