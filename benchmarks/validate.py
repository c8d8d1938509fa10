"""How long `rowbook validate` takes.

    python benchmarks/validate.py

First the whole command on examples/close, as a multiple of the time that importing its libraries
takes on the same machine: the runs take turns, so that noise hits all alike, and find their modules
compiled. `import pydantic` alone loads little of it; defining a model loads the rest. Then
the work alone, in this process, for generated projects that grow tenfold: the time for one
operation should stay the same.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from rowbook.planning.workspace_check import check_workspace

EXAMPLE = Path(__file__).parents[1] / "examples" / "close"
COMMAND = Path(sys.executable).parent / "rowbook"
SIZES = (10, 100, 1_000)


def main() -> None:
    command_against_imports(runs=15)
    print()
    growth(runs=5)


# --- the command


def command_against_imports(runs: int) -> None:
    imports = (
        "import pydantic, yaml",
        "import pydantic, yaml, typer",
        "import yaml, typer; from pydantic import BaseModel",
    )
    programs: dict[str, list[str]] = {
        "rowbook validate": [str(COMMAND), "validate", "-C", str(EXAMPLE)],
        "python -c pass": [sys.executable, "-c", "pass"],
        **{statement: [sys.executable, "-c", statement] for statement in imports},
    }
    times: dict[str, list[float]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for turn in range(runs + 1):
            for name, program in programs.items():
                begin = time.perf_counter()
                subprocess.run(program, check=True, stdout=subprocess.DEVNULL, env=environment)
                if turn:
                    times[name].append(time.perf_counter() - begin)
    print(f"{'the command, on examples/close':50} {'median':>9} {'validate is':>12}")
    validate = median(times["rowbook validate"])
    for name, measured in times.items():
        print(f"{name:50} {median(measured) * 1000:6.0f} ms {validate / median(measured):11.1f}×")


# --- the work


def growth(runs: int) -> None:
    print(f"{'operations':>10} {'columns':>8} {'check_workspace':>16} {'per operation':>14}")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "rowbook.yaml").write_text(DEFINITIONS + "---\n" + project(size), "utf-8")
            checked = check_workspace(root)
            plan = checked.projects["generated"].plan
            if plan is None or checked.diagnostics:
                raise SystemExit(f"the generated project is not sound: {checked.diagnostics[:3]}")
            took = median(seconds_to_check(root) for _ in range(runs))
            columns = len(plan.steps[-1].columns.fields)
        each = took * 1000 / size
        print(f"{size:10,} {columns:8,} {took * 1000:13.1f} ms {each:11.3f} ms")


DEFINITIONS = """\
workspace: {name: generated, default_resolver_id: files}
---
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
      - {name: cost_center_code, type: string}
      - {name: currency, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)", nullable: false}
      - {name: description, type: string}
  lookups:
    - {alias: accounts, dataset_id: accounts, on: "gl.account_code = accounts.account_code"}
---
dataset:
  name: accounts
  main_table:
    name: accounts
    columns: [{name: account_code, type: string}, {name: account_group, type: string}]
---
dataset:
  name: rates
  main_table:
    name: rates
    temporal_mode: period
    columns: [{name: currency, type: string}, {name: rate, type: "decimal(12,6)"}]
---
datasource: {name: lake, type: parquet, options: {root: data}}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: table, datasource_id: lake, table: "{{table_name}}"}}]
"""


def project(size: int) -> str:
    """Of ten operations five are updates, and one of these makes a column from the one before."""
    operations = "".join(OPERATIONS[i % len(OPERATIONS)](i + 1) for i in range(size))
    return (
        "project:\n  name: generated\n  input_dataset_id: ledger\n  selectors:\n"
        "    actual: \"ISNULL(gl.description) OR gl.description <> 'budget'\"\n"
        "    large: \"{{actual}} AND ABS(gl.amount) > 10000 AND gl.currency IN ('EUR', 'USD')\"\n"
        f"  operations:\n{operations}"
    )


def operation(seq: int, kind: str, arguments: str, selector: str = "") -> str:
    condition = f'\n      selector: "{selector}"' if selector else ""
    return (
        f"    - seq: {seq}\n      name: operation {seq}\n      type: {kind}{condition}\n{arguments}"
    )


def convert(seq: int) -> str:
    return operation(
        seq,
        "update",
        "      arguments:\n        joins:\n"
        '          - {alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}\n'
        "        assignments:\n"
        "          - column: amount_usd\n"
        '            expression: "ROUND(gl.amount / COALESCE(fx.rate, 1), 2)"\n',
    )


def chain(seq: int) -> str:
    before = f"made_{seq - 10}" if seq > 10 else "gl.amount"
    return operation(
        seq,
        "update",
        "      arguments:\n        assignments:\n"
        f"          - column: made_{seq}\n"
        f'            expression: "CASE WHEN {before} > {seq} THEN ROUND({before} * 1.05, 2)'
        f' WHEN {before} < 0 THEN 0 ELSE ROUND({before} + {seq}.25, 2) END"\n',
    )


def classify(seq: int) -> str:
    return operation(
        seq,
        "update",
        "      arguments:\n        assignments:\n"
        "          - column: account_group\n"
        "            expression:"
        f" \"COALESCE(accounts.account_group, CONCAT('Group ', '{seq}'))\"\n",
        f"gl.account_code LIKE '{seq % 10}%' AND gl.entity IN ('DE', 'FR', 'US')"
        " AND (gl.cost_center_code IS NULL OR gl.cost_center_code <> 'CC99')",
    )


def label(seq: int) -> str:
    return operation(
        seq,
        "update",
        "      arguments:\n        assignments:\n"
        "          - column: _labels\n"
        f"            expression: \"CONCAT(_labels, '{{rule:{seq}}}')\"\n",
        "{{large}} AND gl.posting_date >= DATE('2026-01-01') AND YEAR(gl.posting_date) = 2026",
    )


def correct(seq: int) -> str:
    return operation(
        seq,
        "update",
        "      arguments:\n        assignments:\n"
        "          - column: description\n"
        "            expression: \"UPPER(TRIM(REPLACE(gl.description, '  ', ' ')))\"\n"
        "          - column: amount\n"
        "            expression: \"IF(gl.currency = 'JPY', ROUND(gl.amount, 0), gl.amount)\"\n",
    )


def subtotal(seq: int) -> str:
    return operation(
        seq,
        "aggregate",
        "      arguments:\n        group_by: [_period, gl.entity, gl.account_code]\n"
        "        aggregations:\n"
        '          - {column: subtotal, expression: "SUM(gl.amount)"}\n'
        '          - {column: line_count, expression: "COUNT(*)"}\n',
        "{{actual}}",
    )


def late(seq: int) -> str:
    return operation(
        seq,
        "append",
        "      arguments:\n        source: {dataset_id: ledger}\n"
        "        source_selector: \"gl.amount > 0 AND gl.entity <> 'XX'\"\n"
        "        aggregation:\n          group_by: [account_code, currency]\n"
        "          aggregations:\n"
        '            - {column: amount, expression: "SUM(gl.amount)"}\n',
    )


def drop(seq: int) -> str:
    return operation(seq, "delete", "", f"gl.amount = 0 AND gl.line_number > {seq}")


def write(seq: int) -> str:
    return operation(
        seq,
        "output",
        f"      arguments:\n        destination: {{datasource_id: lake, table: result_{seq}}}\n"
        "        columns: [journal_id, line_number, account_code, amount, _period]\n",
        "{{actual}}",
    )


OPERATIONS: tuple[Callable[[int], str], ...] = (
    *(convert, chain, classify, label, drop),
    *(correct, subtotal, late, classify, write),
)


def seconds_to_check(root: Path) -> float:
    begin = time.perf_counter()
    check_workspace(root)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
