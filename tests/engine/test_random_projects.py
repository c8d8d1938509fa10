"""The engine against the model on random projects: the same rows, the same counts."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.strategy.options import Options
from rowbook.expressions.evaluate import EvaluationError
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.workspace_check import check_workspace
from tests.engine.model import Model
from tests.engine.random_projects import WORKSPACE, random_project, random_tables
from tests.engine.running import CONTEXT, ListWriter, TableReader, run

pytestmark = pytest.mark.spark

SEEDS = 3
WAYS = {
    "usual": Options(),
    "one by one": Options(layers=False, rule_tables=False),
    "all kept": Options(segments=False),
    "small tables, short plans": Options(smallest_table=1, longest_plan=2),
    "no ledger": Options(ledger=False),
    "few rows": Options(few_rows=True),
}
"""Ways to compute the same."""


def planned(folder: Path, pick: random.Random, length: int) -> tuple[str, ProjectPlan]:
    """A random project that plans without errors."""
    while True:
        text = random_project(pick, length)
        (folder / "rowbook.yaml").write_text(f"{WORKSPACE}---\n{text}", encoding="utf-8")
        plan = check_workspace(folder).projects["random"].plan
        if plan is not None:
            return text, plan


def bag(rows: list[dict[str, Any]]) -> Counter[str]:
    return Counter(
        repr(sorted((k, _canonical(v)) for k, v in row.items() if k != "_row_id")) for row in rows
    )


def _canonical(value: Any) -> Any:
    return float(f"{value:.10g}") if isinstance(value, float) else value


@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_engine_and_model_agree_on_random_projects(
    spark: SparkSession, tmp_path: Path, seed: int, options: Options
) -> None:
    compared = 0
    pick = random.Random(seed)
    while not compared:
        text, plan = planned(tmp_path, pick, length=3 + seed % 5)
        tables = random_tables(pick)
        model = Model(plan, CONTEXT, tables)
        try:
            expected = model.run()
        except EvaluationError:
            continue
        compared += 1
        writer = ListWriter()
        rows, pipeline = run(plan, TableReader(spark, tables), options=options, writer=writer)
        assert bag(rows) == bag(expected), text
        ids = [row["_row_id"] for row in rows]
        assert len(set(ids)) == len(ids), text
        counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
        assert counts == (model.counts if options.ledger else {}), text
        for seq, written in model.outputs.items():
            assert bag(writer.rows[seq]) == bag(written), (seq, text)
