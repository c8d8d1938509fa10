"""The catalogs that sessions have: a Connect server's, and a Hive metastore's."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.runs.books import FILES, JANUARY, Books

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_CREATE = """\
import json, sys
from pyspark.sql import SparkSession

builder = SparkSession.builder
for key, value in json.loads(sys.argv[1]).items():
    builder = builder.config(key, value)
spark = builder.remote(sys.argv[2]).create() if len(sys.argv) > 2 else builder.getOrCreate()
spark.sql("CREATE SCHEMA finance")
spark.sql(
    "CREATE TABLE finance.gl USING parquet PARTITIONED BY (_period) AS SELECT * FROM VALUES"
    " ('4000', CAST(10.50 AS DECIMAL(18,2)), '2026-01'), ('4000', 2.25, '2026-01'),"
    " ('5000', -3.00, '2026-01'), ('6000', 1.00, '2026-02') t(account, amount, _period)"
)
spark.stop()
"""
RESOLVER = """\
resolver:
  name: inbox
  rules:
    - name: all
      strategy: {type: catalog, table: "finance.{{table_name}}"}
"""


def create(conf: str, *remote: str) -> None:
    """The table, by another process, as somebody else would."""
    command = [sys.executable, "-c", _CREATE, conf, *remote]
    subprocess.run(command, check=True, timeout=300)


def closed(books: Books, settings: str) -> list[tuple[str, str]]:
    """The totals of a run for January."""
    workspace = f"workspace:\n  name: acme\n  default_resolver_id: inbox\n{settings}"
    books.write({**FILES, "resolvers/inbox.yaml": RESOLVER, "rowbook.yaml": workspace})
    books.do("apply", "--yes")
    books.do("activate", "close")
    books.close("2026-01")
    return sorted((row["account"], str(row["total"])) for row in books.rows("log"))


def test_a_table_of_a_connect_server(connect_url: str, tmp_path: Path) -> None:
    create("{}", connect_url)
    assert closed(Books(tmp_path / "acme", connect_url), "") == JANUARY


@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_a_table_of_a_hive_metastore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "")  # a session of unknown volume names its collector
    conf: Mapping[str, str] = {
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": (
            f"jdbc:derby:;databaseName={tmp_path}/metastore;create=true"
        ),
        "spark.driver.extraJavaOptions": f"-Dderby.stream.error.file={tmp_path}/derby.log",
        "spark.hadoop.datanucleus.schema.autoCreateAll": "true",
        "spark.hadoop.hive.metastore.schema.verification": "false",
    }
    create(json.dumps(conf))
    lines = "".join(f'      {key}: "{value}"\n' for key, value in conf.items())
    books = Books(tmp_path / "acme", "local[2]")
    settings = f"  engine:\n    conf:\n{lines}"
    assert closed(books, settings) == JANUARY
