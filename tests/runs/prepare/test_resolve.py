"""A run is resolved once: its tables with what is in them, its targets, what its session needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook.engine.session.session import adopt_session
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.locate import resolve as locate
from rowbook.runs.execute.execute_run import RunOptions, start_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare import resolve
from rowbook.runs.prepare.project_version import choose_version
from rowbook.runs.prepare.request import request_draft
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_snapshot import take_snapshot
from rowbook.sources import places
from rowbook.sources.files.listing import data_files
from rowbook.sources.registry import contents_of
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.planning.resolution.locate import ResolvedLocation
    from rowbook.sources.places import SourceTable
    from rowbook.sources.source import Content

FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: inbox}\n",
    "datasets/all.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns: [{name: account, type: string}, {name: amount, type: "decimal(18,2)"}]
---
dataset:
  name: rates
  main_table:
    name: rates
    columns: [{name: account, type: string}, {name: rate, type: "decimal(9,4)"}]
  resolver_id: tables
""",
    "datasources/inbox.yaml": "datasource: {name: inbox, type: csv, options: {root: data}}\n",
    "resolvers/inbox.yaml": """\
resolver:
  name: inbox
  rules:
    - name: one file a month
      data_level: month
      strategy: {type: path, datasource_id: inbox, path: "{{table_name}}/{{YYYY}}-{{MM}}.csv"}
---
resolver:
  name: tables
  rules: [{name: all, strategy: {type: table, datasource_id: inbox, table: "{{table_name}}"}}]
""",
    "projects/close.yaml": """\
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
      name: publish
      type: output
      arguments:
        destination: {location: {path: out/closed, format: parquet}}
        columns: [account, usd, _period]
    - seq: 30
      name: new rates
      type: output
      arguments:
        destination: {datasource_id: inbox, table: rates}
        columns: [account]
""",
    "data/gl/2026-01.csv": "account,amount\n4000,10.50\n",
    "data/gl/2026-02.csv": "account,amount\n4000,2.00\n",
    "data/rates.csv": "account,rate\n4000,2\n",
}


@pytest.fixture
def active(shell: Shell) -> Shell:
    shell.write(FILES)
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    return shell


def resolved(folder: Path, period: str, *, draft: bool = False) -> ResolvedRun:
    with OpenWorkspace(folder) as workspace:
        request = choose_version(workspace, "close", period, draft=draft)
        return resolve_run(request, workspace.store)


def write(folder: Path, files: Mapping[str, str] = FILES) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_every_table_is_there_with_what_is_in_it(active: Shell) -> None:
    found = resolved(active.folder, "2026-Q1")
    assert [(each.dataset.name, each.periods) for each in found.inputs] == [
        ("gl", ("2026-Q1", "2026-01", "2026-02", "2026-03")),
        ("rates", ("2026-Q1",)),
    ]
    assert [
        (each.location.location, [(c.name, c.size) for c in each.contents]) for each in found.tables
    ] == [
        ("gl/2026-01.csv", [("data/gl/2026-01.csv", 26)]),
        ("gl/2026-02.csv", [("data/gl/2026-02.csv", 25)]),
        ("gl/2026-03.csv", []),
        ("rates", [("data/rates.csv", 20)]),
    ]
    assert (found.input_bytes, found.extras) == (71, frozenset())


def test_what_is_missing_is_an_answer_until_somebody_reads_it(active: Shell) -> None:
    found = resolved(active.folder, "2026-03")
    (missing, rates) = found.tables
    assert (missing.table, missing.contents) == (None, ())
    assert rates.source().label == "data/rates.csv"
    for ask in (missing.source, found.check_found):
        with pytest.raises(RowbookError, match=r"DATASOURCE_006.*no data at data/gl/2026-03.csv"):
            ask()
    (gl, _) = take_snapshot(found)["datasets"]
    (location,) = gl["locations"]
    assert list(location) == ["location", "periods", "contents", "missing"]
    assert location["missing"].startswith("DATASOURCE_006")


def test_an_output_that_replaces_what_is_read_is_known(active: Shell) -> None:
    found = resolved(active.folder, "2026-01")
    assert [(each.step.seq, each.target.label, each.rewrites) for each in found.outputs] == [
        (20, "out/closed", False),
        (30, "data/rates", True),
    ]


def test_what_an_output_replaced_is_read_as_it_is_then(active: Shell) -> None:
    before = resolved(active.folder, "2026-01")
    (active.folder / "data" / "rates.csv").unlink()
    active.write({"data/rates/part.csv": "account\n4000\n"})
    publish, rates = before.outputs
    assert before.after(publish) == before
    after = before.after(rates)
    assert after.inputs[0] is before.inputs[0]
    assert [each.name for each in after.inputs[1].tables[0].contents] == ["data/rates/part.csv"]


def test_a_draft_writes_into_its_sandbox_and_replaces_nothing(active: Shell) -> None:
    found = resolved(active.folder, "2026-01", draft=True)
    sandbox = f".rowbook/sandbox/{found.request.context.run_id}"
    assert [(each.target.label, each.rewrites) for each in found.outputs] == [
        (f"{sandbox}/out/closed", False),
        (f"{sandbox}/rates", False),
    ]


def test_what_the_session_needs_is_known_before_it_starts(tmp_path: Path) -> None:
    kinds = {
        "datasources/inbox.yaml": "datasource: {name: inbox, type: delta, options: {root: data}}\n"
    }
    write(tmp_path, {**FILES, **kinds})
    with OpenWorkspace(tmp_path) as workspace:
        request = request_draft(workspace, "close", "2026-01")
        assert resolve_run(request).extras == {"delta"}
        assert resolve.extras_of(request) == {"delta"}


class Counts:
    """How often datasets were resolved, files listed, and contents asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.resolved: Counter[str] = Counter()
        self.listed: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()

        def resolving(dataset: Dataset, *rest: object) -> tuple[ResolvedLocation, ...]:
            self.resolved[dataset.name] += 1
            return locate(dataset, *rest)  # type: ignore[arg-type]

        def listing(table: Path, *rest: object) -> object:
            self.listed[table.name] += 1
            return data_files(table, *rest)  # type: ignore[arg-type]

        def asking(table: SourceTable) -> tuple[Content, ...]:
            self.asked[table.label] += 1
            return contents_of(table)

        monkeypatch.setattr(resolve, "resolve", resolving)
        monkeypatch.setattr(places, "data_files", listing)
        monkeypatch.setattr(resolve, "contents_of", asking)


def test_each_dataset_is_resolved_and_listed_once(
    active: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = Counts(monkeypatch)
    found = resolved(active.folder, "2026-01")
    take_snapshot(found)
    assert counts.resolved == {"gl": 1, "rates": 1}
    assert counts.listed == {"2026-01.csv": 1, "rates.csv": 1}


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_resolves_each_dataset_once_and_says_when_spark_starts(
    active: Shell, monkeypatch: pytest.MonkeyPatch, spark: SparkSession
) -> None:
    counts, started = Counts(monkeypatch), list[str]()

    def lend() -> nullcontext[object]:
        started.append("lent")
        return nullcontext(adopt_session(spark))

    options = RunOptions(session=lend, on_session=lambda: started.append("told"))  # type: ignore[arg-type]
    with OpenWorkspace(active.folder) as workspace:
        request = choose_version(workspace, "close", "2026-01")
        assert start_run(workspace, request, options).status == "completed"
    assert counts.resolved == {"gl": 1, "rates": 1}
    assert counts.asked == {"data/gl/2026-01.csv": 1, "data/rates.csv": 1}
    assert started == ["told", "lent"]


def test_a_run_whose_input_is_missing_ends_before_spark_starts(active: Shell) -> None:
    started: list[str] = []
    options = RunOptions(on_session=lambda: started.append("told"))
    with OpenWorkspace(active.folder) as workspace:
        request = choose_version(workspace, "close", "2026-03")
        result = start_run(workspace, request, options)
        snapshot = workspace.store.runs.snapshot(result.run_id)
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.code == "DATASOURCE_006"
    assert snapshot is not None
    assert started == []


@pytest.mark.parametrize(
    "arguments",
    [
        "run close --period 2026-03",
        "run close --period 2026-01",
        "preview close --period 2026-03",
        "diff close --period 2026-01",
    ],
)
def test_spark_is_not_announced_where_it_does_not_start(active: Shell, arguments: str) -> None:
    assert active.run("periods", "close", "2026-01").code == 0
    ended = active.run(*arguments.split())
    assert ended.code != 0
    assert "starting Spark" not in ended.err
