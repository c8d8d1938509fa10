"""What the lineage of a column does not name makes no difference to it: on random projects, by the
reference engine."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rowbook.errors import RowbookError
from rowbook.lineage.influences import SourceColumn
from rowbook.lineage.plan_lineage import plan_lineage
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.workspace_check import check_workspace
from tests.engine.random_expectations import with_dataset_expectations
from tests.engine.random_expressions import random_row
from tests.engine.random_projects import WORKSPACE, random_project, random_tables
from tests.support.reference_run import refer

SEEDS = 12

Rows = Sequence[Mapping[str, Any]]
Tables = Mapping[str, Rows]

_ALL = """
    - {seq: 900, name: all, type: output, arguments: {destination: {location: {path: all}}}}
    - {seq: 901, name: deleted too, type: output, arguments: {include_deleted: true,
       destination: {location: {path: deleted}}}}
"""


def planned(folder: Path, pick: random.Random, length: int) -> ProjectPlan:
    """A random project that plans without errors, with outputs of all that there is in the end."""
    while True:
        text = random_project(pick, length)
        text = text.replace("  operations:\n", f"  operations:{_ALL}", 1)
        workspace = (
            with_dataset_expectations(WORKSPACE, pick) if "quarantine" in text else WORKSPACE
        )
        (folder / "rowbook.yaml").write_text(f"{workspace}---\n{text}", encoding="utf-8")
        found = check_workspace(folder).projects.get("random")
        if found is not None and found.plan is not None:
            return found.plan


def changed(rows: Rows, column: str, pick: random.Random) -> Rows:
    """Other values in a column: of other rows, or new ones."""
    values = [row[column] for row in rows]
    pick.shuffle(values)
    other = {"code": "k", "label": "s", "rate": "r"}.get(column, column)
    new = [random_row(pick)[other] if pick.random() < 0.5 else value for value in values]
    if column == "code":
        new = pick.sample(range(-3, 12), len(rows))
    return [{**row, column: value} for row, value in zip(rows, new, strict=True)]


def outputs(plan: ProjectPlan, tables: Tables) -> dict[tuple[int, str], Counter[str]] | None:
    """The values of each column of each output; None where the run fails."""
    try:
        expected = refer(plan, tables, by_place=True)
    except RowbookError:
        return None
    written = {**expected.outputs, **({0: expected.quarantine} if plan.quarantine else {})}
    names = {step.seq: step.written for step in plan.outputs}
    return {
        (seq, name): Counter(repr(row[name]) for row in rows)
        for seq, rows in written.items()
        for name in names[seq]
    }


def named(plan: ProjectPlan) -> dict[tuple[int, str], set[SourceColumn]]:
    """What the lineage of each column of each output names."""
    return {
        (output.seq, column.column): {each.key for each in (*column.sources, *output.rows)}
        for output in plan_lineage(plan).outputs
        for column in output.columns
    }


def test_a_column_does_not_depend_on_what_its_lineage_does_not_name(
    tmp_path: Path, seed: int
) -> None:
    pick = random.Random(seed)
    plan = planned(tmp_path, pick, length=3 + seed % 6)
    tables = random_tables(pick)
    before, sources = outputs(plan, tables), named(plan)
    if before is None:
        return
    for dataset, rows in tables.items():
        for column in [name for name in (rows[0] if rows else ()) if not name.startswith("_")]:
            after = outputs(plan, {**tables, dataset: changed(rows, column, pick)})
            if after is None:
                continue
            for output, values in before.items():
                if SourceColumn(dataset, column) not in sources[output]:
                    assert after[output] == values, f"{output} depends on {dataset}.{column}"
