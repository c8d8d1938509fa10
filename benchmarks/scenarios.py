"""How long `rowbook test` takes, which starts no Spark.

    python -m benchmarks.scenarios

First the command on a workspace of `rowbook init` and on the library, as a multiple of `rowbook
validate` there; the runs take turns. Both in processor time, which a busy machine hardly changes,
and by the clock. Then the reference engine alone, in this process: rules, lookups and totals on
10,000 rows.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from statistics import median

from rowbook.expressions.values import Value
from rowbook.periods import GREGORIAN
from rowbook.planning.datasets import Dataset
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.workspace_check import check_workspace
from rowbook.reference.computation import Computation
from rowbook.reference.loading.dataset_rows import PlainTable, SourceTables
from rowbook.runs.prepare.clock import read_now

COMMAND = Path(sys.executable).parent / "rowbook"
LIBRARY = Path(__file__).parents[1] / "library"
ROWS, ACCOUNTS = 10_000, 1_000

Rows = Sequence[Mapping[str, Value]]


def main() -> None:
    commands(runs=7)
    print()
    operations()


# --- the commands


def commands(runs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        starter = Path(folder) / "starter"
        environment = {**os.environ, "ROWBOOK_TRUST": "1", "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        programs = {
            "rowbook validate, starter": ["validate", "-C", str(starter)],
            "rowbook test, starter": ["test", "-C", str(starter)],
            "rowbook validate, library": ["validate", "-C", str(LIBRARY)],
            "rowbook test, library": ["test", "-C", str(LIBRARY)],
        }
        _seconds(["init", str(starter)], environment)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
        for turn in range(runs + 1):
            for name, arguments in programs.items():
                taken = _seconds(arguments, environment)
                if turn:
                    times[name].append(taken)
    print(f"{'the command':30} {'processor':>10} {'clock':>8} {'× validate':>11}")
    base = 1.0
    for name, turns in times.items():
        processor, clock = (median(each[i] for each in turns) for i in (0, 1))
        base = processor if "validate" in name else base
        print(f"{name:30} {processor:>8.2f} s {clock:>6.2f} s {processor / base:>11.1f}")


def _seconds(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Of the processor, and by the clock."""
    before, begin = _processor(), time.perf_counter()
    subprocess.run(
        [COMMAND, *arguments], check=True, stdout=subprocess.DEVNULL, env=dict(environment)
    )
    return _processor() - before, time.perf_counter() - begin


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# --- the engine alone

WORKSPACE = """
workspace: {name: bench, default_resolver_id: files}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "{{table_name}}.parquet"}}]
---
dataset:
  name: lines
  main_table:
    name: t
    columns:
      - {name: id, type: string}
      - {name: account, type: string}
      - {name: entity, type: string}
      - {name: amount, type: "decimal(18,2)"}
      - {name: rate, type: "decimal(18,6)"}
      - {name: class, type: string}
  lookups: [{alias: accounts, dataset_id: accounts, on: "t.account = accounts.code"}]
---
dataset:
  name: accounts
  main_table:
    name: a
    columns: [{name: code, type: string}, {name: label, type: string}]
---
project:
  name: bench
  input_dataset_id: lines
  operations:
"""


def update(column: str, value: str, selector: str = "TRUE") -> str:
    return (
        f'type: update, selector: "{selector}", arguments:'
        f' {{assignments: [{{column: {column}, expression: "{value}"}}]}}'
    )


TOTAL = (
    "type: aggregate, arguments: {group_by: [account, entity],"
    ' aggregations: [{column: amount, expression: "TO_DECIMAL(SUM(amount), 18, 2)"}]}'
)
PROJECTS = {
    "30 rules that compare": [
        update("class", f"'c{i}'", f"account = '{i * 7}' AND entity IN ('A', 'B')")
        for i in range(30)
    ],
    "30 updates that multiply decimals": [
        update("amount", "TO_DECIMAL(amount * rate, 18, 2)", f"account <> '{i}'") for i in range(30)
    ],
    "a lookup among 1,000 rows": [update("class", "accounts.label")],
    "a total with 3,000 groups": [TOTAL],
}


def operations() -> None:
    tables: dict[str, Rows] = {
        "lines": [
            {
                "id": f"r{i}",
                "account": str(i % ACCOUNTS),
                "entity": "ABC"[i % 3],
                "amount": Decimal(i) / 100,
                "rate": Decimal("1.080000"),
                "class": None,
            }
            for i in range(ROWS)
        ],
        "accounts": [{"code": str(i), "label": f"account {i}"} for i in range(ACCOUNTS)],
    }
    print(f"{'the reference engine, 10,000 rows':40} {'loading':>9} {'steps':>9}")
    for name, written in PROJECTS.items():
        loading, steps = _computed(_plan(written), tables)
        print(f"{name:40} {loading:>7.2f} s {steps:>7.2f} s")


def _plan(written: Sequence[str]) -> ProjectPlan:
    lines = (
        f"    - {{seq: {i}, name: op {i}, {each}}}\n" for i, each in enumerate(written, start=1)
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rowbook.yaml").write_text(WORKSPACE + "".join(lines), encoding="utf-8")
        checked = check_workspace(Path(folder))
    plan = checked.projects["bench"].plan
    assert plan is not None, checked.errors
    return plan


def _computed(plan: ProjectPlan, tables: Mapping[str, Rows]) -> tuple[float, float]:
    """Seconds of the processor."""

    def source(dataset: Dataset) -> SourceTables:
        columns = tuple(field.name for field in dataset.fields)
        return SourceTables((PlainTable(columns, tables[dataset.name], dataset.name),))

    period = GREGORIAN.parse("2026-01")
    now = read_now("2026-02-01T00:00:00Z")
    context = RunContext("run", "project", now, period, GREGORIAN, period.end)
    computation = Computation(plan, context, source)
    begin = time.process_time()
    working = computation.start()
    loaded = time.process_time()
    for _ in computation.follow(working):
        pass
    return loaded - begin, time.process_time() - loaded


if __name__ == "__main__":
    main()
