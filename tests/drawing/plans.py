"""Plans to draw: of the sample workspace, and of one whose names mean harm."""

from __future__ import annotations

from pathlib import Path

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.run_plan.plan_model import RunPlan
from rowbook.runs.run_plan.plan_run import plan_run
from tests.support.paths import EXAMPLE
from tests.support.write_files import write_files

EVIL = "</style></svg><script>alert(1)</script><img src=x onerror='a()'>\"]; click x \\u202e `end"
LONG = "a_name_that_is_far_too_long_for_any_box_" * 4
WIDE = "日本語の非常に長い操作名" * 8

_JOINS = ", ".join(
    f'{{alias: r{n}, dataset_id: rates_{LONG}, on: "gl.account = r{n}.account"}}' for n in range(4)
)
_ASSIGNMENTS = ", ".join(
    f'{{column: c{n}_{LONG}, expression: "amount * r0.rate + {n}"}}' for n in range(12)
)
FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: lake}\n",
    "datasources/lake.yaml": "datasource: {name: lake, type: csv, options: {root: data}}\n",
    "resolvers/lake.yaml": f"""\
resolver:
  name: lake
  rules:
    - name: '{EVIL.replace("'", "''")}'
      strategy: {{type: table, datasource_id: lake, table: "<b>{{{{table_name}}}}</b>"}}
""",
    "datasets/all.yaml": f"""\
dataset:
  name: gl
  main_table:
    name: gl
    columns: [{{name: account, type: string}}, {{name: amount, type: "decimal(18,2)"}}]
---
dataset:
  name: rates_{LONG}
  main_table:
    name: rates
    columns: [{{name: account, type: string}}, {{name: rate, type: "decimal(9,4)"}}]
""",
    "projects/hostile.yaml": f"""\
project:
  name: hostile
  description: '{EVIL.replace("'", "''")}'
  input_dataset_id: gl
  selectors: {{x: "account <> '<b>&amp;]]>--><!--'"}}
  operations:
    - seq: 1
      name: '{EVIL.replace("'", "''")}'
      description: '{EVIL.replace("'", "''")}'
      type: update
      selector: "{{{{x}}}} AND account LIKE '<script>%'"
      arguments:
        joins: [{_JOINS}]
        assignments: [{_ASSIGNMENTS}]
    - {{seq: 2, name: "{WIDE}", type: delete, selector: "amount = 0"}}
    - seq: 900000000000
      name: "{"W" * 90}"
      type: output
      arguments: {{destination: {{location: {{path: "out/<x onload=y>/'&quot;"}}}}}}
""",
}


def sample() -> RunPlan:
    return plan_of(EXAMPLE, "monthly_close", draft=True)


def hostile(folder: Path) -> RunPlan:
    write_files(folder, FILES)
    return plan_of(folder, "hostile")


def plan_of(folder: Path, project: str, *, draft: bool = False) -> RunPlan:
    with OpenWorkspace(folder) as workspace:
        return plan_run(workspace, project, "2026-01", draft=draft)
