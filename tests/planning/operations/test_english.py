"""Operations in plain English."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.planning.operations.english import join_in_words, step_in_words
from rowbook.planning.steps import AnyStep
from rowbook.planning.workspace_check import check_workspace

WORKSPACE = """\
workspace: {name: test, default_resolver_id: files}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "{{table_name}}.parquet"}}]
---
dataset:
  name: gl_entries
  main_table:
    name: gl
    columns:
      - {name: account_code, type: integer}
      - {name: entity, type: string}
      - {name: amount, type: "decimal(18,2)"}
  lookups: [{alias: accounts, dataset_id: accounts, on: "gl.account_code = accounts.code"}]
---
dataset:
  name: accounts
  main_table:
    name: accounts
    columns: [{name: code, type: integer}, {name: kind, type: string}]
---
dataset:
  name: budget
  main_table:
    name: budget
    columns: [{name: entity, type: string}, {name: amount, type: "decimal(18,2)"}]
---
project:
  name: p
  input_dataset_id: gl_entries
  operations:
"""
SENTENCES = [
    (
        "type: update, selector: \"account_code BETWEEN 6000 AND 6099 AND entity = 'CH01'\","
        " arguments: {assignments: [{column: class, expression: \"'Swiss payroll'\"}]}",
        "Where account_code is between 6000 and 6099 and entity is 'CH01': sets class to"
        " 'Swiss payroll'.",
    ),
    (
        "type: update, arguments: {assignments:"
        ' [{column: a, expression: "amount * 2"}, {column: kind, expression: "accounts.kind"}]}',
        "On every row: sets a to amount × 2; kind to accounts.kind.",
    ),
    ('type: delete, selector: "amount = 0"', "Deletes the rows where amount is 0."),
    ("type: delete", "Deletes every row."),
    (
        'type: aggregate, selector: "amount > 0", arguments: {group_by: [entity, account_code],'
        ' aggregations: [{column: total, expression: "SUM(amount)"},'
        ' {column: lines, expression: "COUNT(*)"}]}',
        "Adds a row for each entity and account_code of the rows where amount is more than 0, in"
        " which total is the sum of amount; lines is the number of rows.",
    ),
    (
        "type: append, arguments: {source: {dataset_id: budget}}",
        "Adds the rows of budget.",
    ),
    (
        'type: append, arguments: {source: {dataset_id: budget}, source_selector: "amount <> 0",'
        " aggregation: {group_by: [entity],"
        ' aggregations: [{column: amount, expression: "SUM(amount)"}]}}',
        "Adds a row for each entity of budget where amount is not 0, in which amount is the sum of"
        " amount.",
    ),
    (
        "type: output, arguments: {destination: {location: {path: out}}}",
        "Writes all rows.",
    ),
    (
        'type: output, selector: "entity IS NULL", arguments:'
        " {include_deleted: true, destination: {location: {path: out}}}",
        "Writes the rows where entity has no value, deleted ones too.",
    ),
    (
        'type: output, arguments: {order_by: [entity, "-amount"],'
        " destination: {location: {path: out}}}",
        "Writes all rows, in the order of entity, then amount descending.",
    ),
]


def planned(folder: Path, operation: str) -> AnyStep:
    text = f"{WORKSPACE}    - {{seq: 10, name: op, {operation}}}\n"
    (folder / "rowbook.yaml").write_text(text, encoding="utf-8")
    checked = check_workspace(folder)
    plan = checked.projects["p"].plan
    assert plan is not None, checked.errors
    return plan.steps[0]


@pytest.mark.parametrize(("operation", "sentence"), SENTENCES)
def test_an_operation_in_words(tmp_path: Path, operation: str, sentence: str) -> None:
    assert step_in_words(planned(tmp_path, operation)) == sentence


def test_a_lookup_in_words(tmp_path: Path) -> None:
    (join,) = planned(tmp_path, SENTENCES[1][0]).joins
    assert join_in_words(join) == (
        "Looks up accounts in accounts: the row where account_code is accounts.code."
    )


def test_of_very_many_columns_the_first_are_named(tmp_path: Path) -> None:
    columns = ", ".join(f'{{column: c{i}, expression: "{i}"}}' for i in range(9))
    step = planned(tmp_path, f"type: update, arguments: {{assignments: [{columns}]}}")
    assert step_in_words(step).endswith("c5 to 5; 3 more columns.")


@pytest.mark.parametrize(
    ("periods", "words"),
    [
        ("previous", "the period before"),
        ("year_to_date", "the year to date"),
        ("{trailing: 12}", "the last 12 periods"),
        ("{offset: -1}", "1 period earlier"),
        ("{offset: 3}", "3 periods later"),
    ],
)
def test_a_view_says_what_it_reads(periods: str, words: str, tmp_path: Path) -> None:
    columns = "columns: [{name: entity, type: string}]"
    views = f"""\
dataset: {{name: plan, main_table: {{name: plan, temporal_mode: period, {columns}}}}}
---
dataset: {{name: v, of: plan, periods: {periods}}}
---
"""
    text = WORKSPACE.replace("project:\n", f"{views}project:\n")
    step = "{seq: 1, name: a, type: append, arguments: {source: {dataset_id: v}}}"
    (tmp_path / "rowbook.yaml").write_text(f"{text}    - {step}\n", encoding="utf-8")
    plan = check_workspace(tmp_path).projects["p"].plan
    assert plan is not None
    assert step_in_words(plan.steps[0]) == f"Adds the rows of v ({words}, of plan)."
