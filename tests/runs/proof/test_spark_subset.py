"""Rows of tables that Spark alone reads are traced, and what is made of them is explained."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from rowbook import Workspace
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.support.postgres_server import Server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

LINES = [("a", "DE", "1.50"), ("b", "DE", "2.00"), ("b", "DE", "2.00"), ("c", "US", "4.00")]
PROJECT = """\
dataset:
  name: gl
  main_table:
    name: gl
    columns:
      - {name: id, type: string}
      - {name: entity, type: string}
      - {name: amount, type: "decimal(18,2)"}
  natural_key_columns: [id]
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: table, datasource_id: erp, table: "TABLE"}}]
---
project:
  name: close
  input_dataset_id: gl
  operations:
    - {seq: 10, name: double, type: update, selector: "entity = 'DE'",
       arguments: {assignments: [{column: amount, expression: "amount * 2"}]}}
    - seq: 20
      name: totals
      type: aggregate
      arguments: {group_by: [entity], aggregations: [{column: total, expression: "SUM(amount)"}]}
    - seq: 30
      name: publish
      type: output
      arguments: {destination: {location: {path: out, format: parquet}}}
"""


def check_answers(folder: Path, spark: SparkSession) -> None:
    with Workspace.open(folder, spark=spark, trust=True) as books:
        assert books.run("close", "2026-01", draft=True).status == "completed"
        lives = books.trace("latest", "id=b").rows
        assert [life.fate for life in lives] == ["published", "published"]
        assert {life.steps[0].changes[0].after for life in lives} == {Decimal("4.00")}
        found = books.explain("latest", "total", where="entity = 'DE' AND total IS NOT NULL")
        assert (found.figure, found.total, found.ties) == (Decimal("11.00"), Decimal("11.00"), True)
        assert [(each.dataset, each.operations, each.rows) for each in found.contributions] == [
            ("gl", (10, 20), 3)
        ]
        assert found.replayed == "equal"


@pytest.mark.campaign
def test_delta(tmp_path: Path, spark: SparkSession) -> None:
    from deltalake import write_deltalake

    write_files(
        tmp_path,
        {
            "rowbook.yaml": "workspace: {name: acme, default_resolver_id: files}\n---\n"
            "datasource: {name: erp, type: delta, options: {root: lake}}\n---\n"
            + PROJECT.replace("TABLE", "gl"),
        },
    )
    names, kinds = ("id", "entity", "amount"), (pa.string(), pa.string(), pa.decimal128(18, 2))
    cells = ([line[0] for line in LINES], [line[1] for line in LINES])
    amounts = [Decimal(line[2]) for line in LINES]
    columns = [pa.array(v, kind) for v, kind in zip((*cells, amounts), kinds, strict=True)]
    write_deltalake(tmp_path / "lake/gl", pa.table(columns, names=list(names)))
    check_answers(tmp_path, spark)


@pytest.mark.campaign
@pytest.mark.postgres
def test_postgresql(
    tmp_path: Path, spark: SparkSession, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    from tests.support.postgres_server import PASSWORD

    monkeypatch.setitem(os.environ, "LEDGER_PASSWORD", PASSWORD)
    with psycopg.connect(
        host="127.0.0.1", port=server.port, dbname="postgres", user=server.user, password=PASSWORD
    ) as connection:
        connection.execute("DROP SCHEMA IF EXISTS traced CASCADE")
        connection.execute("CREATE SCHEMA traced")
        connection.execute("CREATE TABLE traced.gl (id text, entity text, amount numeric(18,2))")
        for line in LINES:
            connection.execute("INSERT INTO traced.gl VALUES (%s, %s, %s)", line)
    url = f"jdbc:postgresql://127.0.0.1:{server.port}/postgres"
    write_files(
        tmp_path,
        {
            "rowbook.yaml": "workspace:\n  name: acme\n  default_resolver_id: files\n"
            "  credentials:\n"
            f'    - {{ref: env://LEDGER_PASSWORD, host: "127.0.0.1:{server.port}"}}\n---\n'
            "datasource: {name: erp, type: jdbc, options:"
            f" {{url: '{url}', user: {server.user}}}, credential_ref: env://LEDGER_PASSWORD}}\n"
            "---\n" + PROJECT.replace("TABLE", "traced.gl"),
        },
    )
    check_answers(tmp_path, spark)
