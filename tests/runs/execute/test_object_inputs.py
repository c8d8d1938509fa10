"""Runs whose data lies in an object store: what is read is what was listed, or the run fails."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from tests.runs.conversion import FILES
from tests.runs.whole_runs import booked, lent, run
from tests.support.object_store_server import KEYS, SECRET, StoreServer
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
        assignments: [{column: twice, expression: "amount * fx.rate"}]
    - seq: 20
      name: publish
      type: output
      arguments:
        destination: {location: {path: out/closed, format: parquet}}
        columns: [account, twice, _period]
"""
TO_BUCKET = "{datasource_id: closed, table: closed}"
BOOKED = [("4000", "21.000000"), ("5000", "3.000000")]
_buckets = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Lake:
    shell: Shell
    bucket: str
    server: StoreServer

    def put(self, key: str, text: str) -> None:
        self.server.put(self.bucket, {key: text})

    def asked(self) -> Counter[tuple[str, str]]:
        """How often each thing was, without what tests put."""
        marker = f"/{self.bucket}"
        found = (each for each in self.server.requests() if each[1].startswith(marker))
        return Counter(each for each in found if each[0] != "PutObject")


@pytest.fixture
def lake(shell: Shell, object_store: StoreServer, monkeypatch: pytest.MonkeyPatch) -> Lake:
    """Two files of the ledger for January, and rates, in a bucket."""
    monkeypatch.setenv("LAKE_KEYS", KEYS)
    bucket = f"books-{next(_buckets)}"
    object_store.put(
        bucket,
        {
            "in/gl/2026-01/a.csv": "account,amount\n4000,10.50\n",
            "in/gl/2026-01/b.csv": "account,amount\n5000,1.50\n",
            "in/rates.csv": "account,rate\n4000,2\n5000,2\n",
        },
    )
    source = f"""\
datasource:
  name: inbox
  type: csv
  options:
    root: s3://{bucket}/in
    endpoint: {object_store.endpoint}
    path_style: true
  credential_ref: env://LAKE_KEYS
"""
    workspace = f"""\
workspace:
  name: acme
  default_resolver_id: inbox
  allowed_locations: ["s3://{bucket}"]
  credentials: [{{ref: "env://LAKE_KEYS", host: "{object_store.host}"}}]
"""
    resolvers = FILES["resolvers/inbox.yaml"].replace("{{YYYY}}-{{MM}}.csv", "{{YYYY}}-{{MM}}")
    shell.write(
        {
            "rowbook.yaml": workspace,
            "datasets/all.yaml": FILES["datasets/all.yaml"],
            "datasources/inbox.yaml": source,
            "resolvers/inbox.yaml": resolvers,
            "projects/close.yaml": PROJECT,
        }
    )
    return Lake(shell, bucket, object_store)


def activate(lake: Lake) -> Lake:
    assert lake.shell.run("apply", "--yes").code == 0
    assert lake.shell.run("activate", "close").code == 0
    return lake


def test_a_plan_and_a_preview_need_no_spark(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    assert lake.shell.run("validate").code == 0
    plan = lake.shell.run("plan", "close", "--period", "2026-01")
    assert plan.code == 0, plan.out
    assert f"s3://{lake.bucket}/in/gl/2026-01" in plan.out
    shown = lake.shell.run("preview", "close", "--period", "2026-01")
    assert shown.code == 0, shown.out
    assert "21.0000" in shown.out


def test_data_that_is_not_there_is_named_by_its_url(lake: Lake) -> None:
    plan = lake.shell.run("plan", "close", "--period", "2026-03")
    assert "DATASOURCE_006" in plan.out
    assert f"s3://{lake.bucket}/in/gl/2026-03" in plan.out


@pytest.mark.spark
def test_a_run_reads_a_bucket_and_records_what_it_read(lake: Lake, spark: SparkSession) -> None:
    activate(lake)
    before = lake.asked()
    result = run(lake.shell, lent(spark))
    assert result.status == "completed", result.error
    assert booked(lake.shell) == BOOKED
    recorded = inputs_of(lake, result)
    name = f"s3://{lake.bucket}/in/gl/2026-01/a.csv"
    assert recorded[name]["etag"].strip('"')
    assert "modified_ns" not in recorded[name]
    assert SECRET not in json.dumps(recorded)
    asked = lake.asked() - before
    reads = {path: count for (what, path), count in asked.items() if what == "GetObject"}
    assert set(reads.values()) == {1}, reads
    lists = [count for (what, _), count in asked.items() if what == "ListObjectsV2"]
    assert max(lists) == 3, asked  # one to read it, two before its results are published


def inputs_of(lake: Lake, result: RunResult) -> dict[str, dict[str, str]]:
    with OpenWorkspace(lake.shell.folder) as workspace:
        snapshot = workspace.store.runs.snapshot(result.run_id)
    text = json.dumps(snapshot)
    found: dict[str, dict[str, str]] = {}

    def look(value: object) -> None:
        if isinstance(value, dict):
            if "etag" in value:
                found[value["name"]] = value
            for each in value.values():
                look(each)
        elif isinstance(value, list):
            for each in value:
                look(each)

    look(json.loads(text))
    return found


@pytest.mark.spark
def test_an_object_that_changes_during_a_run_fails_it(lake: Lake, spark: SparkSession) -> None:
    from dataclasses import replace

    activate(lake)

    def acts(step: object) -> None:
        lake.put("in/gl/2026-01/b.csv", "account,amount\n5000,9.99\n")

    result = run(lake.shell, replace(lent(spark), on_step=acts))
    assert result.error is not None
    assert result.error.code == "RUN_011"
    assert f"s3://{lake.bucket}/in/gl/2026-01/b.csv changed" in result.error.message
    assert not (lake.shell.folder / "out/closed").exists()


def test_other_stores_are_refused_before_anything_runs(lake: Lake) -> None:
    path = lake.shell.folder / "datasources/inbox.yaml"
    text = path.read_text().replace(f"s3://{lake.bucket}", "gs://books")
    path.write_text(text)
    workspace = lake.shell.folder / "rowbook.yaml"
    workspace.write_text(workspace.read_text().replace(f"s3://{lake.bucket}", "gs://books"))
    found = lake.shell.run("validate")
    assert "DATASOURCE_008" in found.out
    assert "gs://" in found.out


def test_outputs_to_a_bucket_are_refused_before_anything_runs(lake: Lake) -> None:
    path = lake.shell.folder / "projects/close.yaml"
    path.write_text(PROJECT.replace("path: out/closed", f"path: s3://{lake.bucket}/out/closed"))
    found = lake.shell.run("validate")
    assert "DATASOURCE_008" in found.out


def test_keys_that_are_not_granted_are_refused_by_validate(lake: Lake) -> None:
    workspace = lake.shell.folder / "rowbook.yaml"
    lines = [line for line in workspace.read_text().splitlines() if "credentials" not in line]
    workspace.write_text("\n".join(lines) + "\n")
    found = lake.shell.run("validate")
    assert "DATASOURCE_011" in found.out
    assert lake.server.host in found.out


@pytest.mark.spark
def test_a_run_writes_to_a_bucket_and_the_next_replaces_its_period(
    lake: Lake, spark: SparkSession
) -> None:
    path = lake.shell.folder / "projects/close.yaml"
    path.write_text(PROJECT.replace("{location: {path: out/closed, format: parquet}}", TO_BUCKET))
    source = (lake.shell.folder / "datasources/inbox.yaml").read_text()
    closed = source.replace("name: inbox", "name: closed").replace("/in\n", "/out\n")
    closed = closed.replace("path_style: true", "path_style: true\n    publication: pointer")
    lake.shell.write({"datasources/closed.yaml": closed})
    activate(lake)
    first = run(lake.shell, lent(spark))
    assert first.status == "completed", first.error
    lake.put("in/gl/2026-01/b.csv", "account,amount\n5000,2.00\n")
    second = run(lake.shell, lent(spark))
    assert second.status == "completed", second.error
    shown = lake.shell.run("show", second.run_id)
    assert "4.0000" in shown.out, shown.out
    earlier = lake.shell.run("show", first.run_id)
    assert "3.0000" in earlier.out, earlier.out
