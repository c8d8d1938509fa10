"""The seeds' own examples validate as they stand.

Their texts are copied to the letter; around them stand only the datasets they name, and the keys
that a fragment leaves out.
"""

from __future__ import annotations

from textwrap import indent

import pytest

from rowbook.planning.steps import AggregateStep, AppendStep, OutputStep
from tests.support.trial import Trial, plan_of, project, types

ANNOTATED = r"""
# Project-level named selectors (defined in Project.selectors, referenced via {{NAME}})
# selectors:
#   active_orders: "orders.status = \"active\""

# Operation 1: tag rows by region
- id: "op-001"
  seq: 1
  name: "Tag EMEA orders"
  type: update
  selector: "orders.region = \"EMEA\""
  arguments:
    assignments:
      - column: "_labels"
        expression: "CONCAT(_labels, \"{region:EMEA}\")"

# Operation 2: enrich with customer tier and compute a discounted price from a runtime join
- id: "op-002"
  seq: 2
  name: "Add customer tier and discounted price"
  type: update
  selector: "{{active_orders}}"
  arguments:
    joins:
      - alias: "customers"
        dataset_id: "d5e6f7g8-0000-0000-0000-000000000010"
        on: "orders.customer_id = customers.id"
    assignments:
      - column: "customer_tier"
        expression: "customers.tier"
      - column: "discounted_price"
        expression: "IF(customers.tier = \"gold\", orders.amount * 0.9, orders.amount)"

# Operation 3: aggregate monthly totals and append as summary rows
- id: "op-003"
  seq: 3
  name: "Monthly totals"
  type: aggregate
  arguments:
    group_by:
      - "orders._period"
      - "orders.region"
    aggregations:
      - column: "total_sales"
        expression: "SUM(orders.amount)"
      - column: "order_count"
        expression: "COUNT(orders.order_id)"

# Operation 4: soft-delete rows with zero amount
- id: "op-004"
  seq: 4
  name: "Remove zero-amount rows"
  type: delete
  selector: "orders.amount = 0"

# Operation 5: write output (active rows only, no deleted)
- id: "op-005"
  seq: 5
  name: "Write to warehouse"
  type: output
  selector: "{{active_orders}}"
  arguments:
    destination:
      datasource_id: "ds-warehouse"
      table: "processed_orders"
    include_deleted: false
"""
"""operation-entity.md, "Annotated Example"."""

APPEND = """\
type: append
parameters:
  source:
    dataset_id: "550e8400-e29b-41d4-a716-446655440000"
    dataset_version: 3  # optional pinning
  source_selector: "budget_type = 'original'"
  aggregation:
    group_by:
      - account_code
      - cost_center_code
    aggregations:
      - column: total_budget
        expression: "SUM(amount)"
      - column: budget_count
        expression: "COUNT(budget_id)"
"""
"""append-data-model.md, AppendOperation, YAML."""

APPEND_JSON = """\
{
  "type": "append",
  "parameters": {
    "source": {
      "dataset_id": "550e8400-e29b-41d4-a716-446655440000"
    },
    "source_selector": "amount > 10000"
  }
}
"""
"""append-data-model.md, AppendOperation, JSON."""

AGGREGATION = """\
aggregation:
  group_by:
    - account_code
    - cost_center_code
  aggregations:
    - column: total_budget
      expression: "SUM(amount)"
    - column: line_count
      expression: "COUNT(*)"
    - column: avg_amount
      expression: "AVG(amount)"
"""
"""append-data-model.md, AppendAggregation."""

ORDERS = """\
workspace: {name: seeds, default_resolver_id: warehouse}
---
dataset:
  name: orders
  main_table:
    name: orders
    temporal_mode: period
    columns:
      - {name: order_id, type: string, nullable: false}
      - {name: customer_id, type: string}
      - {name: region, type: string}
      - {name: status, type: string}
      - {name: amount, type: "decimal(18,2)"}
---
dataset:
  name: d5e6f7g8-0000-0000-0000-000000000010
  main_table:
    name: customers
    columns:
      - {name: id, type: string, nullable: false}
      - {name: tier, type: string}
---
datasource: {name: ds-warehouse, type: parquet, options: {root: data/warehouse}}
---
resolver:
  name: warehouse
  rules:
    - name: all
      strategy: {type: table, datasource_id: ds-warehouse, table: "{{table_name}}"}
"""

SELECTORS = 'selectors:\n  active_orders: "orders.status = \\"active\\""\n'
"""As the comment of the annotated example has it."""


def test_the_annotated_example_of_the_operation_document(trial: Trial) -> None:
    assert SELECTORS.splitlines()[1].strip() in ANNOTATED
    text = project(ANNOTATED, more=SELECTORS, input_dataset_id="orders")
    plan = plan_of(trial.accepts(text, base=ORDERS))
    assert [(step.seq, type(step).__name__) for step in plan.steps] == [
        (1, "UpdateStep"),
        (2, "UpdateStep"),
        (3, "AggregateStep"),
        (4, "DeleteStep"),
        (5, "OutputStep"),
    ]
    tag, enrich, totals, remove, write = plan.steps
    orders = {
        "order_id": "string",
        "customer_id": "string?",
        "region": "string?",
        "status": "string?",
        "amount": "decimal(18,2)?",
    }
    priced = {**orders, "customer_tier": "string?", "discounted_price": "decimal(21,3)?"}
    assert types(tag.columns) == orders
    assert types(enrich.columns) == priced
    assert [join.alias for join in enrich.joins] == ["customers"]
    assert isinstance(totals, AggregateStep)
    assert totals.keys == ("_period", "region")
    summed = {
        **priced,
        "order_id": "string?",
        "total_sales": "decimal(28,2)?",
        "order_count": "integer?",
    }
    assert types(totals.columns) == types(remove.columns) == summed
    assert isinstance(write, OutputStep)
    assert not write.include_deleted
    assert write.written[: len(summed)] == tuple(summed)


LEDGER = """\
workspace: {name: seeds, default_resolver_id: warehouse}
---
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: journal_id, type: string, nullable: false}
      - {name: account_code, type: string}
      - {name: cost_center_code, type: string}
      - {name: budget_id, type: string}
      - {name: budget_type, type: string}
      - {name: amount, type: "decimal(18,2)"}
      - {name: total_budget, type: "decimal(18,2)"}
      - {name: budget_count, type: integer}
      - {name: line_count, type: integer}
      - {name: avg_amount, type: "decimal(18,6)"}
---
dataset:
  name: budget
  id: 550e8400-e29b-41d4-a716-446655440000
  version: 3
  main_table:
    name: budget
    temporal_mode: period
    columns:
      - {name: budget_id, type: string}
      - {name: budget_type, type: string}
      - {name: account_code, type: string}
      - {name: cost_center_code, type: string}
      - {name: amount, type: "decimal(18,2)"}
---
resolver:
  name: warehouse
  rules: [{name: all, strategy: {type: catalog, table: "{{table_name}}"}}]
"""


def append_of(trial: Trial, fragment: str) -> AppendStep:
    """The step of an append whose fragment lacks seq and name."""
    operation = "- seq: 1\n  name: Append the budget\n" + indent(fragment, "  ")
    text = project(operation, input_dataset_id="gl")
    (step,) = plan_of(trial.accepts(text, base=LEDGER)).steps
    assert isinstance(step, AppendStep)
    return step


def test_the_append_document_s_first_example(trial: Trial) -> None:
    step = append_of(trial, APPEND)
    assert step.source
    assert (step.source.name, step.source.version) == ("budget", 3)
    assert step.keys == ("account_code", "cost_center_code")
    assert [r.column for r in step.results] == [
        *("account_code", "cost_center_code", "total_budget", "budget_count")
    ]


def test_the_append_document_s_example_in_json(trial: Trial) -> None:
    """JSON is YAML."""
    operation = APPEND_JSON.replace("{", '{"seq": 1, "name": "Append", ', 1)
    text = project(f"- {operation.strip()}".replace("\n", "\n  "), input_dataset_id="gl")
    (step,) = plan_of(trial.accepts(text, base=LEDGER)).steps
    assert isinstance(step, AppendStep)
    assert step.keys is None
    assert step.selector is not None


def test_the_append_document_s_aggregation(trial: Trial) -> None:
    fragment = "type: append\nparameters:\n  source: {dataset_id: budget}\n" + indent(
        AGGREGATION, "  "
    )
    step = append_of(trial, fragment)
    assert [r.column for r in step.results[2:]] == ["total_budget", "line_count", "avg_amount"]


@pytest.mark.parametrize(
    "selector",
    [
        "budget_type = 'original'",
        "amount > 10000",
        "budget_type = 'original' AND amount > 5000",
    ],
)
def test_the_append_document_s_selectors(selector: str, trial: Trial) -> None:
    fragment = (
        "type: append\nparameters:\n  source: {dataset_id: budget}\n"
        f'  source_selector: "{selector}"\n'
    )
    assert append_of(trial, fragment).selector is not None


def test_the_append_document_s_error_case(trial: Trial) -> None:
    """Schema alignment rule 1: "Column 'budget_type' not in working dataset"."""
    base = LEDGER.replace("      - {name: budget_type, type: string}\n", "", 1)
    text = project(
        "- {seq: 1, name: a, type: append, parameters: {source: {dataset_id: ⟦budget}}}",
        input_dataset_id="gl",
    )
    (found,) = trial.refuses(text, "APPEND_003", base=base)
    assert "budget_type" in found.message


AGGREGATE = """\
group_by: ["account_type", "_period"]
aggregations: [{column: "total_amount", expression: "SUM(amount)"}, {column: "order_count", expression: "COUNT(*)"}]
"""  # noqa: E501
"""aggregate-data-model.md, "Example Summary Row"."""

TRANSACTIONS = """\
workspace: {name: seeds, default_resolver_id: warehouse}
---
dataset:
  name: transactions
  main_table:
    name: transactions
    temporal_mode: period
    columns:
      - {name: account_type, type: string}
      - {name: customer_id, type: string}
      - {name: amount, type: "decimal(18,2)"}
      - {name: order_date, type: date}
      - {name: status, type: string}
---
resolver:
  name: warehouse
  rules: [{name: all, strategy: {type: catalog, table: "{{table_name}}"}}]
"""


def test_the_aggregate_document_s_example(trial: Trial) -> None:
    operation = "- seq: 1\n  name: Totals\n  type: aggregate\n  parameters:\n" + indent(
        AGGREGATE, "    "
    )
    text = project(operation, input_dataset_id="transactions")
    (step,) = plan_of(trial.accepts(text, base=TRANSACTIONS)).steps
    assert isinstance(step, AggregateStep)
    assert step.keys == ("account_type", "_period")
    assert types(step.columns) == {
        "account_type": "string?",
        "customer_id": "string?",
        "amount": "decimal(18,2)?",
        "order_date": "date?",
        "status": "string?",
        "total_amount": "decimal(28,2)?",
        "order_count": "integer?",
    }


UPDATE = """\
assignments:
  - column: discount_rate
    expression: "0.1"
"""
"""update-data-model.md, "Adding New Columns"."""

PROCESSED = r"""
assignments:
  - {column: "status", expression: "\"processed\""}
  - {column: "processed_at", expression: "NOW()"}
"""
"""update-data-model.md, "Example Data Flow"; written there as a Rust value."""


def test_the_update_document_s_examples(trial: Trial) -> None:
    operations = [
        f"- seq: {seq}\n  name: Update\n  type: update\n{selector}  parameters:\n"
        + indent(arguments.strip("\n"), "    ")
        for seq, selector, arguments in (
            (1, "", UPDATE),
            (2, '  selector: "{{active_orders}}"\n', PROCESSED),
        )
    ]
    text = project(
        *operations,
        more=SELECTORS.replace("orders.status", "transactions.status"),
        input_dataset_id="transactions",
    )
    plan = plan_of(trial.accepts(text, base=TRANSACTIONS))
    assert types(plan.steps[1].columns)["discount_rate"] == "decimal(24,6)?"
    assert types(plan.steps[1].columns)["processed_at"] == "timestamp?"


JOURNAL = """\
workspace: {name: seeds, default_resolver_id: warehouse}
---
dataset:
  name: journal
  main_table:
    name: journal
    columns:
      - {name: journal_id, type: string}
      - {name: line_number, type: integer}
      - {name: posting_date, type: date}
      - {name: account_code, type: string}
      - {name: amount_local, type: "decimal(18,2)"}
      - {name: amount_reporting, type: "decimal(18,2)"}
---
resolver:
  name: warehouse
  rules: [{name: all, strategy: {type: catalog, table: "{{table_name}}"}}]
"""


def test_the_output_document_s_projection(trial: Trial) -> None:
    """output-data-model.md, "Column Projection Impact"."""
    text = project(
        "- {seq: 1, name: Write, type: output, parameters: {destination: {location: {path: out}},"
        " columns: [journal_id, account_code, amount_local, amount_reporting]}}",
        input_dataset_id="journal",
    )
    (step,) = plan_of(trial.accepts(text, base=JOURNAL)).steps
    assert isinstance(step, OutputStep)
    assert step.written == ("journal_id", "account_code", "amount_local", "amount_reporting")
