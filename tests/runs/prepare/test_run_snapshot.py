"""A run's snapshot is enough: to print what ran, and to run it again, whatever became of files."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from tests.runs.books import FEBRUARY, Books, Undisturbed, rows_in

pytestmark = [pytest.mark.spark, pytest.mark.slow]

DEFINITIONS = ("datasets", "datasources", "resolvers", "projects")
STOCK = """\
dataset:
  name: stock
  main_table:
    name: stock
    temporal_mode: period
    columns:
      - {name: item, type: string}
      - {name: quantity, type: integer}
  resolver_id: shelf
---
datasource: {name: shelf, type: csv, options: {root: data/shelf}}
---
resolver:
  name: shelf
  rules: [{name: all, strategy: {type: table, datasource_id: shelf, table: "{{table_name}}"}}]
"""
COUNT = """\
project:
  name: count
  input_dataset_id: stock
  operations:
    - seq: 10
      name: one more
      type: update
      arguments: {assignments: [{column: quantity, expression: "quantity + 1"}]}
    - seq: 20
      name: store
      type: output
      arguments:
        destination: {datasource_id: shelf, table: stock}
        columns: [item, quantity, _row_id, _period]
    - seq: 30
      name: one more again
      type: update
      arguments: {assignments: [{column: quantity, expression: "quantity + 1"}]}
    - seq: 40
      name: what is stored now
      type: update
      arguments:
        joins: [{alias: now, dataset_id: stock, on: "stock.item = now.item"}]
        assignments: [{column: stored, expression: "now.quantity"}]
    - seq: 50
      name: publish
      type: output
      arguments: {destination: {datasource_id: lake, table: counted}}
"""


@pytest.fixture
def bare(books: Books) -> Books:
    """A workspace of which all definitions are gone but rowbook.yaml."""
    for name in DEFINITIONS:
        shutil.rmtree(books.folder / name)
    return books


def test_the_definitions_of_a_run_can_be_loaded_again(bare: Books, tmp_path: Path) -> None:
    (run,) = bare.runs()
    text = bare.do("runs", "show", run["run_id"], "--definitions").out
    again = Books(tmp_path / "again", bare.engine)
    again.write({"rowbook.yaml": (bare.folder / "rowbook.yaml").read_text(encoding="utf-8")})
    again.write({"projects/all.yaml": text})
    assert again.json("validate") == {"ok": True, "errors": [], "warnings": [], "notes": []}
    assert again.do("apply", "--yes").err == ""
    again.do("activate", "close")
    with bare.store() as one, again.store() as other:
        versions = one.projects.version("close"), other.projects.version("close")
    assert versions[0] is not None
    assert versions[1] is not None
    assert versions[0].content == versions[1].content
    assert versions[0].pins == versions[1].pins


@pytest.mark.campaign
def test_a_run_is_repeated_into_the_sandbox_with_the_same_rows_and_ids(bare: Books) -> None:
    (run,) = bare.runs()
    before = bare.rows("closed"), bare.rows("log")
    repeated = bare.spawn("runs", "repeat", run["run_id"], "--format", "json").json
    assert repeated["run_id"] != run["run_id"]
    sandbox = bare.folder / ".rowbook" / "sandbox" / repeated["run_id"]
    assert (rows_in(sandbox / "closed"), rows_in(sandbox / "log")) == before
    assert (bare.rows("closed"), bare.rows("log")) == before
    label = bare.show(repeated["run_id"])
    assert (label["draft"], label["status"]) == (True, "completed")
    with bare.store() as store:
        closed = store.definitions.get("dataset", "closed")
        assert closed is not None
        assert [p.run_id for p in store.definitions.productions(closed.id)] == [run["run_id"]]


def test_the_active_version_runs_without_its_files(bare: Books) -> None:
    bare.close("2026-02")
    assert bare.totals("closed", "2026-02") == bare.totals("log", "2026-02") == FEBRUARY
    assert bare.show(bare.runs()[0]["run_id"])["version"] == 1


@pytest.fixture
def stocked(books: Books) -> Books:
    """With a project that replaces the table it reads, which is one file so far."""
    books.write({"datasets/stock.yaml": STOCK, "projects/count.yaml": COUNT})
    stock = "item,quantity,_period\nnut,1,2026-01\nnut,10,2026-02\nbolt,20,2026-02\n"
    books.write({"data/shelf/stock.csv": stock})
    books.do("apply", "--yes")
    books.do("activate", "count")
    return books


def test_an_output_may_replace_what_its_own_run_reads(stocked: Books) -> None:
    """Later operations go on with the rows as they were computed, and read the table as it was
    before the run; its other months stay."""
    stocked.spawn("run", "count", "--period", "2026-02")
    counted = {row["item"]: (row["quantity"], row["stored"]) for row in stocked.rows("counted")}
    assert counted == {"nut": (12, 10), "bolt": (22, 20)}
    shelf = stocked.folder / "data" / "shelf"
    assert [entry.name for entry in shelf.iterdir()] == ["stock"]
    stored = {
        (path.parent.name, *line.split(",")[:2])
        for path in shelf.rglob("*.csv")
        for line in path.read_text(encoding="utf-8").splitlines()[1:]
    }
    assert stored == {
        ("period=2026-01", "nut", "1"),
        ("period=2026-02", "nut", "11"),
        ("period=2026-02", "bolt", "21"),
    }
    ids = {row["item"]: row["_row_id"] for row in stocked.rows("counted")}
    text = "".join(path.read_text(encoding="utf-8") for path in shelf.rglob("*.csv"))
    assert ids["nut"] in text
    assert ids["bolt"] in text
    assert stocked.leftovers() == []

    stocked.spawn("run", "count", "--period", "2026-02")
    again = {row["item"]: (row["quantity"], row["_row_id"]) for row in stocked.rows("counted")}
    assert again == {"nut": (13, ids["nut"]), "bolt": (23, ids["bolt"])}


@pytest.mark.campaign
def test_a_run_that_died_after_it_replaced_its_input_is_completed_without_computing_again(
    stocked: Books, undisturbed: Undisturbed
) -> None:
    """The rows it read are gone: what it staged is published, so nothing is counted twice. The file
    that the table was is removed, as the run would have done."""
    first = str(undisturbed.number_of("a table was published"))
    asked = ("run", "count", "--period", "2026-02")
    died = stocked.spawn(*asked, code=-signal.SIGKILL, ROWBOOK_KILL_AT_WRITE=first)
    assert died.err.endswith("a new table was published\n")
    shelf = stocked.folder / "data" / "shelf"
    assert sorted(entry.name for entry in shelf.glob("[!.]*")) == ["stock", "stock.csv"]
    refused = stocked.do("runs", "resume", died.run_id, code=4)
    assert "RUN_005" in refused.err
    assert [entry.name for entry in shelf.iterdir()] == ["stock"]
    shown = stocked.show(died.run_id)
    assert (shown["status"], [each["seq"] for each in shown["outputs"]]) == ("completed", [20, 50])
    counted = {row["item"]: (row["quantity"], row["stored"]) for row in stocked.rows("counted")}
    assert counted == {"nut": (12, 10), "bolt": (22, 20)}
    assert stocked.leftovers() == []
