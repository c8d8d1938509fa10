"""Windows on Spark: the same whatever way rows are cut up, and no row more or less."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.session.sizing import FEW_ROWS
from rowbook.engine.strategy.options import Options
from rowbook.errors import RowbookError
from tests.engine.random_projects import WORKSPACE, random_tables
from tests.engine.running import run, settings
from tests.engine.test_random_projects import LoadingReader
from tests.support.reference_run import bag, refer
from tests.support.small_plans import plan_of

pytestmark = pytest.mark.spark

_PROJECT = """---
project:
  name: p
  input_dataset_id: main
  operations:
    - {seq: 1, name: cancel, type: delete, selector: "i = 7"}
    - seq: 2
      name: windows
      type: update
      selector: "w.n > 0 OR b"
      arguments:
        windows:
          - alias: w
            by: [b]
            values: {n: "COUNT(*)", t: "SUM(m)", f: "AVG(f)", z: "MAX_BY(s, z)"}
          - {alias: a, values: {f: "SUM(f)", kinds: "COUNT_DISTINCT(f)"}}
          - alias: o
            by: [b]
            order_by: [-f, s]
            values:
              number: "ROW_NUMBER()"
              rank: "RANK()"
              running: "SUM(f)"
              kinds: "COUNT_DISTINCT(f)"
              before: "LAG(names.label)"
          - alias: some
            by: [b]
            selector: "m > 1"
            order_by: [-f, s]
            values: {number: "ROW_NUMBER()", rank: "RANK()", mean: "AVG(r)", after: "LEAD(m, 2)"}
        assignments:
          - {column: m, expression: "w.t"}
          - {column: s, expression: "CONCAT(COALESCE(o.before, ''), COALESCE(w.z, ''))"}
          - {column: x1, expression: "w.f"}
          - {column: x2, expression: "a.f * a.kinds"}
          - {column: x3, expression: "o.number * 1000 + o.rank"}
          - {column: x4, expression: "o.running"}
          - {column: x5, expression: "o.kinds"}
          - {column: x6, expression: "some.number * 1000 + some.rank"}
          - {column: x7, expression: "some.mean"}
          - {column: x8, expression: "some.after"}
"""
_CUTS = {
    "as they are": (lambda frame: frame, Options()),
    "in one part": (lambda frame: frame.coalesce(1), Options(window_joins=False)),
    "in five, by chance": (lambda frame: frame.repartition(5), Options()),
    "in three, by value": (
        lambda frame: frame.repartition(3, frame.columns[0]),
        Options(window_joins=False),
    ),
}


@pytest.mark.some(1)
@pytest.mark.parametrize("cut", _CUTS)
def test_windows_are_those_of_the_reference_however_rows_are_cut_up(
    spark: SparkSession, tmp_path: Path, cut: str
) -> None:
    plan = plan_of(tmp_path, f"{WORKSPACE.partition('---')[2].partition('---')[2]}{_PROJECT}")
    tables = random_tables(random.Random(5))
    reshape, options = _CUTS[cut]
    expected = refer(plan, tables)
    with settings(spark, FEW_ROWS) as small:
        rows, pipeline = run(plan, LoadingReader(small, tables, reshape), options=options)
    assert len(rows) == sum(row["_period"] == "2026-01" for row in tables["main"]) > 10
    assert bag(rows) == bag(expected.rows)
    assert {seq: c.matched for seq, c in pipeline.counts.items() if seq} == {
        seq: matched for seq, (matched, _) in expected.counts.items()
    }


@pytest.mark.campaign
def test_a_value_that_does_not_fit_is_traced_to_its_window(
    spark: SparkSession, tmp_path: Path
) -> None:
    text = _PROJECT.replace('t: "SUM(m)"', 't: "MAX_AGG(k * 4611686018427387904)"')
    plan = plan_of(tmp_path, f"{WORKSPACE.partition('---')[2].partition('---')[2]}{text}")
    tables = random_tables(random.Random(5))
    with pytest.raises(RowbookError) as reference:
        refer(plan, tables)
    with settings(spark, FEW_ROWS) as small, pytest.raises(RowbookError) as found:
        run(plan, LoadingReader(small, tables))
    assert str(found.value) == str(reference.value)
    assert "a value of 'w.t' does not fit integer" in str(found.value)
