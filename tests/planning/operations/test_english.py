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
    (
        'type: update, selector: "n.number = 1", arguments: {windows: [{alias: e, by: [entity,'
        ' account_code], selector: "amount > 0", values: {total: "SUM(amount)", n: "COUNT(*)"}},'
        ' {alias: n, order_by: [-amount, entity], values: {number: "ROW_NUMBER()", two: "LAG(amount'
        ', 2)"}}], assignments: [{column: share, expression: "amount / e.total"}, {column: two,'
        ' expression: "n.two"}]}',
        "For each entity and account_code, of the rows where amount is more than 0: e.total is the"
        " sum of amount. Over all rows, up to each row in the order of amount descending, then"
        " entity: n.number is the number of the row; n.two is amount 2 rows before. Where n.number"
        " is 1: sets share to amount ÷ e.total; two to n.two.",
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
        'type: aggregate, selector: "amount > 0", arguments: {levels:'
        " [{name: line, group_by: [entity, account_code]}, {name: entity, group_by: [entity]},"
        ' {name: all, group_by: []}], aggregations: [{column: total, expression: "SUM(amount)"}],'
        ' assignments: [{column: level, expression: "LEVEL()"},'
        ' {column: double, expression: "total * 2"}]}',
        "Adds a row for each entity and account_code, for each entity, and over all, of the rows"
        " where amount is more than 0, in which total is the sum of amount; level is the level's"
        " name; double is total × 2.",
    ),
    (
        "type: aggregate, arguments: {group_by: [entity, {column: class, expression:"
        ' "LEFT(TO_STRING(account_code), 1)"}],'
        ' aggregations: [{column: lines, expression: "COUNT(*)"}]}',
        "Adds a row for each entity and class (the first 1 character of (account_code as text)), in"
        " which lines is the number of rows.",
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
        'type: append, arguments: {source: working, source_selector: "amount > 0",'
        ' assignments: [{column: amount, expression: "-amount"}]}',
        "Adds the rows of the working dataset where amount is more than 0, in which amount is"
        " −amount.",
    ),
    (
        "type: append, arguments: {source: working, joins: [{alias: k, dataset_id: budget,"
        ' on: "gl.entity = k.entity", many: true}],'
        ' spread: {column: amount, weight: "k.amount", scale: 2},'
        " assignments: [{column: account_code, expression: \"TO_INTEGER('9')\"}]}",
        "Adds a row for each match in k of the rows of the working dataset, with amount split by"
        " k.amount to 2 decimals, in which account_code is '9' as a whole number.",
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


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("many: true", "each row where entity is k.entity; without one the run fails."),
        ("unmatched: drop", "the row where entity is k.entity; without one the row is left out."),
        ("many: true, unmatched: keep", "each row where entity is k.entity."),
    ],
)
def test_the_join_of_an_append_in_words(tmp_path: Path, more: str, words: str) -> None:
    operation = (
        "type: append, arguments: {source: working, joins: [{alias: k, dataset_id: budget,"
        f' on: "gl.entity = k.entity", {more}}}]}}'
    )
    (join,) = planned(tmp_path, operation).joins
    assert join_in_words(join) == f"Looks up k in budget: {words}"


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
