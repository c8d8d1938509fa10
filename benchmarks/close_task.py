"""The month-end close that all contestants do: its rules, its outputs, and the project in YAML.

What is asked for, in words:

1. leave out drafts, voids and lines of nothing;
2. convert to group currency with the rate of the month (no rate: the currency is the group's);
3. add the amount's size in whole units, and the account's class from the chart of accounts;
4. reclassify by thirty rules; where several hold, the last one counts;
5. add the original budget, summed by entity, account and cost center;
6. add totals by entity and account, and totals by entity;
7. drop account totals that are not material;
8. write all lines with chosen columns, and the totals alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PROJECT = "close"
NOISE = ("draft", "void")
OUT = "out"
"""Where a close that publishes has its tables, in its workspace."""
IMMATERIAL = 500
"""Account totals below this are dropped."""

DETAIL = (
    *("journal_id", "line_number", "posting_date", "entity", "account_code", "cost_center"),
    *("currency", "amount", "amount_group", "size", "class", "line_type", "document_type"),
)
SUMMARY = ("level", "entity", "account_code", "line_type", "total", "line_count")


@dataclass(frozen=True, slots=True)
class Test:
    """One condition on one column. `between` includes both ends."""

    column: str
    kind: Literal["=", "in", "between", ">="]
    values: tuple[str, ...] | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """Lines on which all tests hold get the class."""

    name: str
    tests: tuple[Test, ...]


def _equal(name: str, column: str, value: str) -> Rule:
    return Rule(name, (Test(column, "=", (value,)),))


def _within(name: str, column: str, *values: str) -> Rule:
    return Rule(name, (Test(column, "in", values),))


def _between(name: str, column: str, low: str, high: str) -> Rule:
    return Rule(name, (Test(column, "between", (low, high)),))


RULES: tuple[Rule, ...] = (
    _between("Cash", "account_code", "1000", "1040"),
    _between("Receivables", "account_code", "1100", "1190"),
    _between("Fixed assets", "account_code", "1200", "1290"),
    _between("Payables", "account_code", "2000", "2090"),
    _equal("Share capital", "account_code", "3000"),
    _equal("Retained earnings", "account_code", "3010"),
    _within("Product revenue", "account_code", "4000", "4010", "4020", "4030", "4040"),
    _within("Service revenue", "account_code", "4100", "4110", "4120", "4130"),
    _equal("Licences", "account_code", "4200"),
    _equal("Rebates", "account_code", "4290"),
    _within("Material", "account_code", "5000", "5010", "5020", "5030"),
    _within("Freight", "account_code", "5100", "5110"),
    _equal("Scrap", "account_code", "5290"),
    _between("Personnel", "account_code", "6000", "6090"),
    _equal("Rent", "account_code", "6100"),
    _equal("Travel", "account_code", "6110"),
    _equal("Hosting", "account_code", "6120"),
    _within("Marketing", "account_code", "6130", "6140", "6150"),
    _equal("Depreciation", "account_code", "6200"),
    _between("Interest", "account_code", "7000", "7050"),
    _equal("Currency effects", "account_code", "7060"),
    _equal("Income tax", "account_code", "8000"),
    _equal("Assets under construction", "document_type", "AF"),
    _within("Shared services", "cost_center", "CC010", "CC011", "CC012", "CC013"),
    Rule(
        "Recharged travel", (Test("account_code", "=", ("6110",)), Test("tax_code", "=", ("R7",)))
    ),
    Rule("Large", (Test("size", ">=", (250_000,)),)),
    Rule("To be reviewed", (Test("size", "between", (100_000, 249_999)),)),
    Rule("Swiss payroll", (Test("entity", "=", ("CH01",)), Test("account_code", "=", ("6000",)))),
    _within("Hard currencies abroad", "currency", "CAD", "AUD"),
    _equal("Intercompany", "document_type", "IC"),
)


def selector(tests: Sequence[Test]) -> str:
    """The tests in Rowbook's language."""
    return " AND ".join(_selector(test) for test in tests)


def _selector(test: Test) -> str:
    values = [f"'{value}'" if isinstance(value, str) else str(value) for value in test.values]
    match test.kind:
        case "in":
            return f"{test.column} IN ({', '.join(values)})"
        case "between":
            return f"{test.column} BETWEEN {values[0]} AND {values[1]}"
        case _:
            return f"{test.column} {test.kind} {values[0]}"


ROW_CONDITIONS = (
    "posting_date BETWEEN PERIOD_START() AND PERIOD_END() OR posting_date IS NULL",
    "amount_group IS NOT NULL OR level IS NOT NULL",
    "class IS NOT NULL OR line_type = 'budget' OR level IS NOT NULL",
    "currency IS NULL OR LEN(currency) = 3",
    "entity <> ''",
    "account_code LIKE '____' OR level = 'entity'",
    "status IS NULL OR status NOT IN ('draft', 'void')",
    "amount IS NULL OR amount <> 0",
    "size IS NULL OR size >= 0",
    "line_type IN ('actual', 'budget')",
)
"""What holds of every line of the close."""

GROUP_CONDITIONS = {
    "entity, account_code": "COUNT(*) > 0",
    "journal_id": "COUNT(currency) <= COUNT(*)",
}
"""What holds of every group of lines, by keys."""


def claims_of_rows() -> str:
    return _claims(f'that: "{that}"' for that in ROW_CONDITIONS)


def claims_of_groups() -> str:
    return _claims(f'by: [{keys}], that: "{that}"' for keys, that in GROUP_CONDITIONS.items())


def _claims(claims: Iterable[str]) -> str:
    lines = (f"    - {{name: claim {i}, {claim}}}\n" for i, claim in enumerate(claims))
    return f"  expectations:\n{''.join(lines)}"


def workspace(data: Path, *, written: Sequence[str] = (), expectations: str = "") -> str:
    """`rowbook.yaml` with all definitions and the project, for the tables in a folder. `written`
    are further columns that both outputs write; `expectations` stand in the project."""
    rules = "".join(
        f"    - seq: {100 + number}\n      name: {rule.name}\n      type: update\n"
        f'      selector: "{selector(rule.tests)}"\n'
        f"      arguments: {{assignments: [{{column: class, expression: \"'{rule.name}'\"}}]}}\n"
        for number, rule in enumerate(RULES)
    )
    project = _PROJECT.replace("  # expectations\n", expectations).replace("    # rules\n", rules)
    return definitions(data) + project.replace("# detail", ", ".join((*DETAIL, *written))).replace(
        "# summary", ", ".join((*SUMMARY, *written))
    )


def published_workspace(data: Path, publish: str) -> str:
    """The same with outputs in the workspace's own folder, and when they are published."""
    text = workspace(data).replace(
        f"  name: {PROJECT}\n", f"  name: {PROJECT}\n  publish: {publish}\n"
    )
    for table in ("detail", "summary"):
        own = f"{{location: {{path: {OUT}/{table}, format: parquet}}}}"
        text = text.replace(f"{{datasource_id: lake, table: {table}}}", own)
    return text


def definitions(data: Path) -> str:
    """Everything but a project: the tables of ledger_data.py in a folder, for all benchmarks."""
    return (
        f"workspace:\n  name: bench\n  default_resolver_id: files\n"
        f"  allowed_locations: ['{data}']\n---\n"
        f"datasource: {{name: lake, type: parquet, options: {{root: '{data}'}}}}\n---\n{_DATASETS}"
    )


_DATASETS = """\
dataset:
  name: ledger
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: journal_id, type: string, nullable: false}
      - {name: line_number, type: integer, nullable: false}
      - {name: posting_date, type: date, nullable: false}
      - {name: entity, type: string, nullable: false}
      - {name: account_code, type: string, nullable: false}
      - {name: cost_center, type: string}
      - {name: currency, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)", nullable: false}
      - {name: status, type: string, nullable: false}
      - {name: document_type, type: string, nullable: false}
      - {name: tax_code, type: string}
      - {name: partner, type: string}
      - {name: posted_by, type: string}
      - {name: description, type: string}
  natural_key_columns: [journal_id, line_number]
  lookups:
    - {alias: accounts, dataset_id: accounts, on: "gl.account_code = accounts.account_code"}
---
dataset:
  name: rates
  main_table:
    name: rates
    temporal_mode: period
    columns:
      - {name: _period, type: string, source: month}
      - {name: currency, type: string, nullable: false}
      - {name: rate, type: "decimal(18,6)", nullable: false}
---
dataset:
  name: budget
  main_table:
    name: budget
    temporal_mode: period
    columns:
      - {name: version, type: string, nullable: false}
      - {name: entity, type: string, nullable: false}
      - {name: account_code, type: string, nullable: false}
      - {name: cost_center, type: string}
      - {name: amount, type: "decimal(18,2)", nullable: false}
---
dataset:
  name: accounts
  main_table:
    name: accounts
    columns:
      - {name: account_code, type: string, nullable: false}
      - {name: account_name, type: string, nullable: false}
      - {name: account_class, type: string, nullable: false}
---
resolver:
  name: files
  rules:
    - name: lines are a folder a month
      when: "table.name = 'gl'"
      data_level: month
      strategy: {type: path, datasource_id: lake, path: "gl/{{YYYY}}-{{MM}}"}
    - name: the budget is a file a month
      when: "table.name = 'budget'"
      data_level: month
      strategy: {type: path, datasource_id: lake, path: "budget/{{YYYY}}-{{MM}}.parquet"}
    - name: everything else is one file
      strategy: {type: table, datasource_id: lake, table: "{{table_name}}"}
---
"""
_PROJECT = f"""\
project:
  name: {PROJECT}
  input_dataset_id: ledger
  # expectations
  operations:
    - seq: 10
      name: Leave out drafts, voids and lines of nothing
      type: delete
      selector: "status IN ({", ".join(f"'{status}'" for status in NOISE)}) OR amount = 0"
    - seq: 20
      name: Convert to group currency
      type: update
      arguments:
        joins:
          - {{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}}
        assignments:
          - {{column: amount_group, expression: "ROUND(gl.amount * COALESCE(fx.rate, 1), 2)"}}
          - {{column: line_type, expression: "'actual'"}}
    - seq: 30
      name: Size and class
      type: update
      arguments:
        assignments:
          - {{column: size, expression: "ROUND(ABS(amount_group), 0)"}}
          - {{column: class, expression: "COALESCE(accounts.account_class, 'Unknown')"}}
    # rules
    - seq: 200
      name: Add the original budget
      type: append
      arguments:
        source: {{dataset_id: budget}}
        source_selector: "version = 'original'"
        aggregation:
          group_by: [entity, account_code, cost_center]
          aggregations:
            - {{column: amount_group, expression: "SUM(amount)"}}
            - {{column: line_type, expression: "MAX_AGG('budget')"}}
    - seq: 210
      name: Totals by entity and account
      type: aggregate
      arguments:
        group_by: [entity, account_code, line_type]
        aggregations:
          - {{column: level, expression: "MAX_AGG('account')"}}
          - {{column: total, expression: "SUM(amount_group)"}}
          - {{column: line_count, expression: "COUNT(*)"}}
    - seq: 220
      name: Totals by entity
      type: aggregate
      selector: "level IS NULL"
      arguments:
        group_by: [entity, line_type]
        aggregations:
          - {{column: level, expression: "MAX_AGG('entity')"}}
          - {{column: total, expression: "SUM(amount_group)"}}
          - {{column: line_count, expression: "COUNT(*)"}}
    - seq: 230
      name: Drop account totals that are not material
      type: delete
      selector: "level = 'account' AND ABS(total) < {IMMATERIAL}"
    - seq: 240
      name: Write the lines
      type: output
      selector: "level IS NULL"
      arguments:
        destination: {{datasource_id: lake, table: detail}}
        columns: [# detail]
    - seq: 250
      name: Write the totals
      type: output
      selector: "level IS NOT NULL"
      arguments:
        destination: {{datasource_id: lake, table: summary}}
        columns: [# summary]
"""
