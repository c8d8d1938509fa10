"""Runs that Spark computed are proved by either engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from tests.runs.conversion import FILES
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

PROJECT = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: convert
      type: update
      arguments:
        joins: [{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}]
        assignments: [{column: usd, expression: "amount * fx.rate"}]
    - seq: 20
      name: sum up
      type: aggregate
      arguments:
        group_by: [account]
        aggregations: [{column: total, expression: "SUM(usd)"}]
    - seq: 30
      name: publish
      type: output
      arguments: {destination: {location: {path: out/closed, format: parquet}}}
    - seq: 40
      name: list
      type: output
      selector: "total IS NOT NULL"
      arguments:
        destination: {location: {path: out/list, format: csv}}
        columns: [account, total]
"""
LINES = "account,amount\n" + "".join(f"{4000 + n % 7},{n}.25\n" for n in range(200))
RATES = "account,rate\n" + "".join(f"{4000 + n},{n + 1}\n" for n in range(7))


def test_a_run_on_spark_is_proved_by_either_engine(shell: Shell, spark: SparkSession) -> None:
    shell.write(
        {
            **FILES,
            "projects/close.yaml": PROJECT,
            "data/gl/2026-01.csv": LINES,
            "data/rates.csv": RATES,
        }
    )
    with Workspace.open(shell.folder, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("close")
        run = workspace.run("close", "2026-01")
        assert run.status == "completed"
        assert [each.evidence is not None for each in run.outputs] == [True, True]
        (found,) = workspace.verify(run.run_id, exact=True)
        told = found.as_json()
        assert (found.engine, found.verdict, told["notes"]) == ("spark", "proved", [])
        assert [each["on_disk"] for each in told["outputs"]] == ["as written", "as written"]
    with Workspace.open(shell.folder) as workspace:
        (found,) = workspace.verify(run.run_id, exact=True)
        assert (found.engine, found.verdict) == ("reference", "proved")
        assert {each.dataset: each.evidence.rows for each in found.rows_read} == {
            "gl": 200,
            "rates": 7,
        }
