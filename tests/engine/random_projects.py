"""Random projects over small random tables: chains of operations that are valid by construction."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.workspace_check import check_workspace
from tests.engine.random_entries import random_entries
from tests.engine.random_expectations import with_dataset_expectations, with_expectations
from tests.engine.random_expressions import FIELDS, Maker, random_row
from tests.engine.random_level_totals import level_totals, source_keys
from tests.engine.random_parameters import with_parameters
from tests.engine.random_requirements import with_requirements
from tests.engine.random_views import VIEWS, random_source
from tests.engine.random_windows import window_update

_TYPES = {f.name: str(f.type) for f in FIELDS}
_COLUMNS = "\n".join(f"      - {{name: {n}, type: '{kind}'}}" for n, kind in _TYPES.items())

WORKSPACE = f"""
workspace: {{name: random, default_resolver_id: files}}
---
resolver:
  name: files
  rules: [{{name: all, strategy: {{type: path, path: "{{{{table_name}}}}.parquet"}}}}]
---
dataset:
  name: main
  main_table:
    name: t
    temporal_mode: period
    columns:
{_COLUMNS}
  lookups:
    - {{alias: names, dataset_id: names, on: "t.k = names.code"}}
---
dataset:
  name: extra
  main_table:
    name: x
    columns:
{_COLUMNS}
---
dataset:
  name: names
  main_table:
    name: n
    columns:
      - {{name: code, type: integer, nullable: false}}
      - {{name: label, type: string}}
      - {{name: rate, type: "decimal(24,6)"}}
{VIEWS}"""


def random_tables(pick: random.Random) -> dict[str, list[dict[str, Any]]]:
    """Rows for the datasets; duplicates among them, some deleted, some of another period, some with
    ids of their own, some tables empty; now and then names of which two match."""
    rows = [random_row(pick) for _ in range(pick.choice((0, 3, 12, 25)))]
    rows += [dict(row) for row in rows[:3]]
    main = [
        {
            **row,
            "_deleted": pick.random() < 0.1,
            "_period": "2025-12" if pick.random() < 0.05 else "2026-01",
        }
        for row in rows
    ]
    if pick.random() < 0.3:
        main = [
            {**row, "_row_id": None if pick.random() < 0.3 else f"row {i}"}
            for i, row in enumerate(main)
        ]
    extra = [random_row(pick) for _ in range(pick.choice((0, 4, 9)))]
    if pick.random() < 0.3:
        extra = [{**row, "_deleted": pick.random() < 0.3} for row in extra]
    names = [
        {"code": code, "label": pick.choice(("one", "two", None)), "rate": row["r"]}
        for code, row in ((c, random_row(pick)) for c in range(-3, 8, 2))
    ]
    if pick.random() < 0.15:
        names.append(pick.choice(names))
    return {"main": main, "extra": extra, "names": names}


def random_project(pick: random.Random, length: int) -> str:
    """A project's YAML with a chain of operations."""
    maker = Maker(pick)
    made = [0]
    operations = [_operation(seq, pick, maker, made) for seq in range(1, length + 1)]
    body = "\n".join(operations)
    project = f"project:\n  name: random\n  input_dataset_id: main\n  operations:\n{body}\n"
    project = with_expectations(project, pick, maker)
    return with_requirements(with_parameters(project, pick), pick)


def planned(folder: Path, pick: random.Random, length: int) -> tuple[str, ProjectPlan]:
    """A random project that plans without errors."""
    while True:
        text = random_project(pick, length)
        workspace = (
            with_dataset_expectations(WORKSPACE, pick) if "quarantine" in text else WORKSPACE
        )
        (folder / "rowbook.yaml").write_text(f"{workspace}---\n{text}", encoding="utf-8")
        checked = check_workspace(folder).projects.get("random")
        if checked is not None and checked.plan is not None:
            return text, checked.plan


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _operation(seq: int, pick: random.Random, maker: Maker, made: list[int]) -> str:
    kind = pick.choice(("update", "update", "update", "delete", "aggregate", "append", "output"))
    if kind == "update" and pick.random() < 0.3:
        return window_update(seq, pick, maker, made)
    lines = [f"    - seq: {seq}", f"      name: op {seq}", f"      type: {kind}"]
    if kind != "append" and (kind == "delete" or pick.random() < 0.6):
        condition = maker.make("bool", 2)
        if pick.random() < 0.2:
            condition = f"names.label = 'one' OR {condition}"
        if pick.random() < 0.03:
            condition = "i * 1024 > 5"
        lines.append(f"      selector: {_quoted(condition)}")
    lines += _ARGUMENTS[kind](pick, maker, made)
    return "\n".join(lines)


_OVERFLOWS = {"m": "m * 10000000000", "i": "i * 1024", "d": "d + i"}
"""Values of columns that do not fit on some rows."""


def _update(pick: random.Random, maker: Maker, made: list[int]) -> list[str]:
    lines = ["      arguments:"]
    joined = pick.random() < 0.4
    if joined:
        condition = pick.choice(
            (
                *("t.k = j.code", "j.code = t.k AND t.b", "t.k > 5 AND j.code = t.k"),
                "t.k < j.code AND j.code < t.k + 3",
            )
        )
        lines.append(f"        joins: [{{alias: j, dataset_id: names, on: '{condition}'}}]")
    lines.append("        assignments:")
    targets = {"s": "text", "i": "int", "m": "dec", "b": "bool", "d": "date", "f": "flo"}
    for column in pick.sample(list(targets), pick.randint(1, 3)):
        value = maker.make(targets[column], 2)
        if column == "m":
            value = f"TO_DECIMAL({value}, 18, 2)"
        if column in _OVERFLOWS and pick.random() < 0.1:
            value = _OVERFLOWS[column]
        if joined and column == "s":
            value = f"COALESCE(j.label, {value})"
        lines.append(f"          - {{column: {column}, expression: {_quoted(value)}}}")
    if pick.random() < 0.5:
        made[0] += 1
        value = maker.make("dec", 1) if not joined else "j.rate"
        lines.append(f"          - {{column: new_{made[0]}, expression: {_quoted(value)}}}")
    return lines


def _aggregate(pick: random.Random, maker: Maker, made: list[int]) -> list[str]:
    keys = pick.sample(["s", "k", "b", "f", "z", "_period"], pick.randint(1, 2))
    made[0] += 1
    count = pick.choice(("COUNT(w)", "COUNT_DISTINCT(w)"))
    results = [
        f"          - {{column: sum_{made[0]}, expression: 'SUM(m) + COUNT(*)'}}",
        f"          - {{column: i, expression: '{count}'}}",
        f"          - {{column: d, expression: '{pick.choice(('MIN_AGG(d)', 'MAX_AGG(e)'))}'}}",
        f"          - {{column: avg_{made[0]}, expression: 'AVG(r)'}}",
        f"          - {{column: floats_{made[0]}, expression: 'SUM(f)'}}",
    ]
    lines = [
        "      arguments:",
        f"        group_by: [{', '.join(keys)}]",
        "        aggregations:",
        *pick.sample(results, pick.randint(1, 4)),
    ]
    return level_totals(lines, made[0]) or lines


def _append(pick: random.Random, maker: Maker, made: list[int]) -> list[str]:
    if pick.random() < 0.5:
        return random_entries(pick, maker, made)
    lines = ["      arguments:", f"        source: {{dataset_id: {random_source(pick)}}}"]
    if pick.random() < 0.5:
        lines.append(f"        source_selector: {_quoted(maker.make('bool', 1))}")
    if pick.random() < 0.5:
        lines += [
            "        aggregation:",
            f"          group_by: [{', '.join(source_keys(pick))}]",
            "          aggregations:",
            "            - {column: r, expression: 'SUM(m)'}",
            "            - {column: i, expression: 'COUNT(*)'}",
        ]
    return lines


def _output(pick: random.Random, maker: Maker, made: list[int]) -> list[str]:
    lines = ["      arguments:", "        destination: {location: {path: out}}"]
    if pick.random() < 0.3:
        lines.append("        include_deleted: true")
    if pick.random() < 0.5:
        lines.append("        columns: [s, m, _deleted, i]")
    return lines


_ARGUMENTS = {
    "update": _update,
    "delete": lambda pick, maker, made: [],
    "aggregate": _aggregate,
    "append": _append,
    "output": _output,
}
