"""What a run would do, found out without Spark: SPEC section 10, `rowbook plan`."""

from __future__ import annotations

import re
import shutil
import socket
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.errors import RowbookError
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.run_plan.plan_model import (
    Found,
    PlannedLocation,
    PlannedRead,
    PlannedUse,
    PlannedValue,
    RunPlan,
)
from rowbook.runs.run_plan.plan_run import plan_run
from rowbook.text.plan_words import at_source, read_facts, unpivot_text
from tests.sources.files.excel.books import write_book
from tests.support.paths import EXAMPLE
from tests.support.write_files import write_files

FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: lake}\n",
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)", source: "Amount (USD)"}
""",
    "datasources/lake.yaml": "datasource: {name: lake, type: csv, options: {root: data}}\n",
    "resolvers/lake.yaml": """\
resolver:
  name: lake
  rules:
    - name: by month
      strategy: {type: path, datasource_id: lake, path: "{{table_name}}/{{identifier}}.csv"}
""",
    "projects/close.yaml": """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: publish
      type: output
      arguments: {destination: {location: {path: out/closed}}}
""",
}
DATA = "data/gl/2026-01.csv"
TWO_MONTHS = {
    "resolvers/lake.yaml": """\
resolver:
  name: lake
  rules: [{name: all, strategy: {type: table, datasource_id: lake, table: "{{table_name}}"}}]
""",
    "datasources/lake.yaml": "datasource: {name: lake, type: parquet, options: {root: data}}\n",
}


def write(folder: Path, *files: dict[str, str]) -> None:
    for each in files:
        write_files(folder, each)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    folder = tmp_path / "close"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".rowbook", "reports"))
    return folder


@pytest.fixture
def closed(example: Path) -> RunPlan:
    return plan_of(example, "monthly_close", "2026-01")


def plan_of(folder: Path, project: str, period: str) -> RunPlan:
    with OpenWorkspace(folder) as workspace:
        return plan_run(workspace, project, period)


def read(folder: Path) -> PlannedRead:
    return plan_of(folder, "close", "2026-01").reads[0]


def location(folder: Path) -> PlannedLocation:
    (found,) = read(folder).locations
    return found


# --- what is there


def test_a_file_is_there_with_its_size(tmp_path: Path) -> None:
    write(tmp_path, FILES, {DATA: "account,Amount (USD)\nA,1\n"})
    found = Found("there", files=1, bytes=25)
    assert location(tmp_path) == PlannedLocation(DATA, ("2026-01",), found)


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    found = location(tmp_path)
    assert (found.location, found.found.presence, found.is_sound) == (DATA, "missing", False)
    assert (found.found.reason or "").startswith(f"no data at {DATA}")


def test_only_the_missing_one_of_several_is_missing(tmp_path: Path) -> None:
    by_month = FILES["resolvers/lake.yaml"].replace(
        "strategy:", "data_level: month\n      strategy:"
    )
    write(tmp_path, FILES, {"resolvers/lake.yaml": by_month})
    write(tmp_path, {f"data/gl/2026-0{n}.csv": "account,Amount (USD)\n" for n in (1, 3)})
    found = plan_of(tmp_path, "close", "2026-Q1").reads[0].locations
    assert [each.found.presence for each in found] == ["there", "missing", "there"]


def test_what_is_no_text_cannot_be_told(tmp_path: Path) -> None:
    write(tmp_path, FILES, {DATA: ""})
    (tmp_path / DATA).write_bytes(b"account,Amount (USD)\xff\n")
    found = location(tmp_path).found
    assert (found.presence, found.files, found.bytes) == ("unknown", 1, 22)
    assert "bytes that are no text" in (found.reason or "")


def test_what_spark_alone_knows_is_not_asked(tmp_path: Path) -> None:
    rule = FILES["resolvers/lake.yaml"].replace(
        'type: path, datasource_id: lake, path: "{{table_name}}/{{identifier}}.csv"',
        'type: catalog, table: "{{table_name}}"',
    )
    write(tmp_path, FILES, {"resolvers/lake.yaml": rule})
    found = location(tmp_path).found
    assert (found.presence, found.reason) == ("unasked", "gl is known to Spark's catalog alone")


def test_a_database_that_does_not_answer_is_said(tmp_path: Path) -> None:
    jdbc = "datasource: {name: lake, type: jdbc, options: {url: 'jdbc:postgresql://127.0.0.1:1/x'}}"
    write(tmp_path, FILES, TWO_MONTHS, {"datasources/lake.yaml": jdbc})
    with OpenWorkspace(tmp_path) as workspace:
        plan = plan_run(workspace, "close", "2026-01", connect=True)
    found = plan.reads[0].locations[0]
    assert (found.location, found.found.presence) == ("lake:gl", "unknown")
    assert found.found.reason


def test_a_database_is_not_asked_unless_it_is_wanted(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        url = f"jdbc:postgresql://127.0.0.1:{listener.getsockname()[1]}/x"
        jdbc = f"datasource: {{name: lake, type: jdbc, options: {{url: '{url}'}}}}"
        write(tmp_path, FILES, TWO_MONTHS, {"datasources/lake.yaml": jdbc})
        found = location(tmp_path)
        with pytest.raises(TimeoutError):
            listener.accept()
    assert (found.location, found.found) == ("lake:gl", Found("unasked"))
    assert found.is_sound
    assert at_source(found.found) == "not asked; --connect asks the database"


def test_of_a_table_by_periods_only_the_wanted_folders_count(tmp_path: Path) -> None:
    write(tmp_path, FILES, TWO_MONTHS)
    table = pa.table({"account": ["A"], "Amount (USD)": ["1"], "_row_id": ["x"], "batch": [1]})
    for month in ("2026-01", "2026-02"):
        folder = tmp_path / "data" / "gl" / f"_period={month}"
        folder.mkdir(parents=True)
        pq.write_table(table, folder / "part.parquet")
    found = location(tmp_path)
    assert (found.found.presence, found.found.files) == ("there", 1)
    assert (found.undeclared, found.lacking) == (("batch",), ())
    none = plan_of(tmp_path, "close", "2026-03").reads[0].locations[0]
    assert (none.found.presence, none.found.files, none.undeclared) == ("there", 0, ("batch",))


# --- columns of the source


def test_columns_are_compared_by_their_physical_names(tmp_path: Path) -> None:
    write(tmp_path, FILES, {DATA: "account,amount,batch\nA,1,2\n"})
    found = location(tmp_path)
    assert (found.undeclared, found.lacking) == (("amount", "batch"), ("Amount (USD)",))
    assert not found.is_sound
    assert read(tmp_path).undeclared == ("amount", "batch")
    assert read(tmp_path).lacking == ("Amount (USD)",)


def test_columns_without_names_are_compared_by_position(tmp_path: Path) -> None:
    plain = "datasource: {name: lake, type: csv, options: {root: data, header: false}}\n"
    write(tmp_path, FILES, {"datasources/lake.yaml": plain, DATA: "A,1,2\n"})
    assert (location(tmp_path).undeclared, location(tmp_path).lacking) == (("c3",), ())
    write(tmp_path, {DATA: "A\n"})
    assert (location(tmp_path).undeclared, location(tmp_path).lacking) == ((), ("c2",))


def test_a_period_that_neither_rows_nor_place_tell_is_lacking(tmp_path: Path) -> None:
    one = FILES["resolvers/lake.yaml"].replace("/{{identifier}}.csv", ".csv")
    write(tmp_path, FILES, {"resolvers/lake.yaml": one})
    write(tmp_path, {"data/gl.csv": "account,Amount (USD)\n"})
    assert location(tmp_path).lacking == ("_period",)
    write(tmp_path, {"data/gl.csv": "account,Amount (USD),_period\n"})
    assert location(tmp_path).lacking == ()


# --- steps


def test_a_step_says_what_it_reads_and_by_which_condition(closed: RunPlan) -> None:
    assert {step.seq: step.reads for step in closed.steps if step.reads} == {
        10: (PlannedUse("fx_rates", 1, "join", "rates", "gl.currency = rates.currency"),),
        20: (
            PlannedUse(
                "accounts", 1, "lookup", "accounts", "gl.account_code = accounts.account_code"
            ),
        ),
        40: (PlannedUse("budget", 1, "append"),),
        50: (
            PlannedUse(
                "accounts", 1, "lookup", "accounts", "gl.account_code = accounts.account_code"
            ),
        ),
    }


def test_a_step_has_its_expressions_as_written(closed: RunPlan) -> None:
    steps = {step.seq: step for step in closed.steps}
    assert steps[10].values == (
        PlannedValue("line_type", "string", "'actual'", is_new=True),
        PlannedValue(
            "amount_usd",
            "decimal(25,2)",
            "ROUND(gl.amount / COALESCE(rates.units_per_usd, 1), 2)",
            is_new=True,
        ),
    )
    assert steps[30].selector == "amount = 0"
    assert steps[40].selector == "budget_type = 'original'"
    assert steps[40].group_by == ("account_code", "cost_center_code")
    assert [value.is_new for value in steps[40].values] == [False, False]
    assert steps[60].named_selectors == {
        "profit_and_loss": "account_group IN ('Revenue', 'Cost of sales', 'Operating expenses')"
    }


def test_selectors_that_others_build_on_are_there_in_the_order_of_use(tmp_path: Path) -> None:
    project = """\
project:
  name: close
  input_dataset_id: gl
  selectors: {large: "amount > 9", unused: "amount = 0", both: "{{large}} AND account = 'A'"}
  operations:
    - {seq: 10, name: drop, type: delete, selector: "NOT {{both}}"}
"""
    write(tmp_path, FILES, {"projects/close.yaml": project})
    (step,) = plan_of(tmp_path, "close", "2026-01").steps
    assert list(step.named_selectors.items()) == [
        ("both", "{{large}} AND account = 'A'"),
        ("large", "amount > 9"),
    ]


def test_an_append_of_rows_as_they_are_brings_the_declared_columns(tmp_path: Path) -> None:
    project = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - {seq: 10, name: more, type: append, arguments: {source: {dataset_id: gl}}}
"""
    write(tmp_path, FILES, {"projects/close.yaml": project})
    (step,) = plan_of(tmp_path, "close", "2026-01").steps
    assert step.values == (
        PlannedValue("account", "string", None, is_new=False),
        PlannedValue("amount", "decimal(18,2)", None, is_new=False),
    )


def test_an_append_tells_what_it_makes_rows_from_and_what_it_leaves_out(tmp_path: Path) -> None:
    project = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: allocate
      type: append
      arguments:
        source: working
        joins: [{alias: k, dataset_id: keys, on: "gl.account = k.account", many: true}]
        spread: {column: amount, weight: "k.heads", scale: 2}
        assignments: [{column: account, expression: "k.target"}]
    - seq: 20
      name: more
      type: append
      arguments:
        source: {dataset_id: keys}
        assignments: [{column: amount, expression: "heads"}]
"""
    keys = """\
dataset:
  name: keys
  main_table:
    name: keys
    columns:
      - {name: account, type: string}
      - {name: target, type: string}
      - {name: heads, type: integer}
"""
    write(tmp_path, FILES, {"projects/close.yaml": project, "datasets/keys.yaml": keys})
    allocate, more = plan_of(tmp_path, "close", "2026-01").steps
    assert allocate.values == (
        PlannedValue("account", "string", "k.target", is_new=False),
        PlannedValue("amount", "decimal(18,2)", None, is_new=False),
    )
    assert list(read_facts(allocate)) == [
        ("from", "the working dataset"),
        (
            "join",
            "k: keys version 1, on gl.account = k.account, a row for each match, fails without a"
            " match",
        ),
        ("spread", "amount over k by k.heads, to 2 decimals"),
    ]
    assert list(read_facts(more)) == [("from", "keys version 1"), ("left out", "target, heads")]


def test_columns_that_may_hold_null_from_a_step_on_are_named(closed: RunPlan) -> None:
    assert {step.seq: step.loosened for step in closed.steps if step.loosened} == {
        40: ("journal_id", "line_number", "posting_date", "entity", "currency", "amount"),
        60: ("account_code",),
    }


def test_warnings_of_the_project_come_along(tmp_path: Path) -> None:
    project = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: make
      type: update
      arguments: {assignments: [{column: half, expression: "amount"}]}
    - seq: 20
      name: cut
      type: update
      arguments: {assignments: [{column: half, expression: "amount / 3"}]}
"""
    write(tmp_path, FILES, {"projects/close.yaml": project})
    (warning,) = plan_of(tmp_path, "close", "2026-01").warnings
    assert (warning.code, warning.severity) == ("UPDATE_007", "warning")


# --- writes


def test_what_is_at_a_destination_is_said_of_the_active_version(example: Path) -> None:
    from rowbook import Workspace

    with Workspace.open(example) as workspace:
        workspace.apply()
        workspace.activate("monthly_close")
        first = workspace.plan("monthly_close", "2026-01").steps[-1].writes
        folder = example / "data" / "reports" / "closed_ledger" / "_period=2026-01"
        folder.mkdir(parents=True)
        (folder / "part.parquet").write_bytes(b"twelve bytes")
        second = workspace.plan("monthly_close", "2026-01").steps[-1].writes
        drafted = workspace.plan("monthly_close", "2026-01", draft=True).steps[-1].writes
    assert first is not None
    assert second is not None
    assert drafted is not None
    assert (first.destination, first.registered_as) == (
        "data/reports/closed_ledger",
        "closed_ledger",
    )
    assert (first.mode, first.by_period, first.found and first.found.presence) == (
        "replace",
        True,
        "missing",
    )
    assert second.found == Found("there", 1, 12)
    assert drafted.found is None


def test_an_active_version_pins_what_it_reads(example: Path) -> None:
    from rowbook import Workspace

    with Workspace.open(example) as workspace:
        workspace.apply()
        workspace.activate("monthly_close")
        file = example / "datasets" / "ledger.yaml"
        text = file.read_text(encoding="utf-8").replace("Journal lines of", "All lines of")
        file.write_text(text, encoding="utf-8")
        workspace.apply()
        plan = workspace.plan("monthly_close", "2026-01")
    assert (plan.version, plan.reads[0].dataset, plan.reads[0].version) == (1, "gl_entries", 1)


# --- what is refused


def test_a_period_without_rule_is_refused_with_the_reason(tmp_path: Path) -> None:
    rule = FILES["resolvers/lake.yaml"].replace(
        "strategy:", 'when: "period.year = 1999"\n      strategy:'
    )
    write(tmp_path, FILES, {"resolvers/lake.yaml": rule})
    with pytest.raises(RowbookError) as error:
        plan_of(tmp_path, "close", "2026-01")
    assert [d.code for d in error.value.diagnostics] == ["RESOLVER_003"]


def test_nothing_is_written_and_no_store_is_made(tmp_path: Path) -> None:
    write(tmp_path, FILES, {DATA: "account,Amount (USD)\n"})
    before = sorted(path.as_posix() for path in tmp_path.rglob("*"))
    plan = plan_of(tmp_path, "close", "2026-01")
    assert sorted(path.as_posix() for path in tmp_path.rglob("*")) == before
    write_ = plan.steps[0].writes
    assert write_ is not None
    assert re.fullmatch(r"\.rowbook/sandbox/<run id>/out/closed", write_.destination)


def test_a_plan_says_which_sheet_is_read_and_which_columns_become_rows(tmp_path: Path) -> None:
    dataset = """\
dataset:
  name: gl
  main_table:
    name: gl
    unpivot: {columns: [USD, GBP], name: currency, value: amount}
    columns:
      - {name: account, type: string}
      - {name: currency, type: string}
      - {name: amount, type: "decimal(18,2)"}
"""
    source = "datasource: {name: lake, type: excel, options: {root: data}}\n"
    changed = {"datasets/gl.yaml": dataset, "datasources/lake.yaml": source}
    write_files(tmp_path, {**FILES, **TWO_MONTHS, **changed})
    cells = [["account", "USD", "GBP", "note"], [1000, 1, 2, "x"]]
    write_book(tmp_path / "data" / "gl.xlsx", ("Chart", cells), ("Notes", [["n"]]))
    planned = read(tmp_path)
    (location,) = planned.locations
    note = "sheet 'Chart', as none is named; beside it Notes"
    assert (location.found.presence, location.found.note) == ("there", note)
    assert (location.undeclared, location.lacking) == (("note",), ())
    assert planned.unpivot is not None
    assert unpivot_text(planned.unpivot) == (
        "a row for each of USD, GBP, where it is not empty: currency is its name, amount its value"
    )
