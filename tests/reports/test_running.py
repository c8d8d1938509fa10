"""`rowbook run --report` and `rowbook runs report`, on a ledger with hostile names and values."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reports.browser import loaded, trap
from tests.reports.page_checks import elements_in, in_order
from tests.starter.shared_session import shared_session
from tests.support.shell import Ended, Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EVIL = "<script>document.title='owned'</script><img src=http://127.0.0.1:9/x>\"&\u202e"
SHOWN = EVIL.replace("\u202e", "·")

FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: files}\n",
    "datasources/files.yaml": "datasource: {name: files, type: csv, options: {root: data}}\n",
    "resolvers/files.yaml": """\
resolver:
  name: files
  rules: [{name: all, strategy: {type: table, datasource_id: files, table: "{{table_name}}"}}]
""",
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
      - {name: note, type: string}
---
dataset:
  name: rates
  main_table:
    name: rates
    columns: [{name: account, type: string}, {name: rate, type: "decimal(9,4)"}]
""",
    "projects/close.yaml": f"""\
project:
  name: close
  description: {json.dumps(EVIL)}
  input_dataset_id: gl
  selectors: {{marked: "account BETWEEN '4000' AND '4999' AND note IS NOT NULL"}}
  operations:
    - seq: 10
      name: {json.dumps(EVIL)}
      type: update
      selector: "{{{{marked}}}}"
      arguments:
        joins: [{{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}}]
        assignments: [{{column: amount, expression: "amount * fx.rate"}}]
    - {{seq: 20, name: drop, type: delete, selector: "amount = 0"}}
    - seq: 30
      name: totals
      type: aggregate
      arguments:
        group_by: [note]
        aggregations: [{{column: amount, expression: "SUM(amount)"}}]
    - seq: 40
      name: replace the input
      type: output
      arguments:
        columns: [account, amount, note]
        destination: {{datasource_id: files, table: gl}}
---
project:
  name: broken
  input_dataset_id: gl
  operations:
    - {{seq: 10, name: drop, type: delete, selector: "account = '4000'"}}
    - seq: 20
      name: too much
      type: update
      arguments:
        assignments: [{{column: amount, expression: "amount * 99999999999999999"}}]
    - seq: 30
      name: publish
      type: output
      arguments: {{destination: {{datasource_id: files, table: out}}}}
""",
    "data/rates.csv": "account,rate\n4000,2\n4100,3\n",
}
ROWS = (("4000", "1000.00", EVIL), ("4100", "1.50", "x"), ("5000", "-7.25", "x"), ("6000", "0", ""))


@pytest.fixture
def books(shell: Shell) -> Shell:
    """The definitions applied, both projects active."""
    shell.write(FILES)
    with (shell.folder / "data" / "gl.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("account", "amount", "note"), *ROWS])
    for command in (["apply", "--yes"], ["activate", "close"], ["activate", "broken"]):
        ended = shell.run(*command)
        assert ended.code == 0, ended.err
    return shell


def reported(
    books: Shell, spark: SparkSession, project: str, *options: str, code: int = 0
) -> tuple[Ended, str]:
    """A run on the session that all tests share, and the page it left."""
    page = books.folder / "report.html"
    with shared_session(spark):
        ended = books.run(*("run", project, "--period", "2026-01", "--report", str(page), *options))
    assert ended.code == code, ended.err
    return ended, page.read_text(encoding="utf-8")


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_leaves_a_page_with_its_amounts_rows_and_rules(
    books: Shell, spark: SparkSession
) -> None:
    ended, page = reported(books, spark, "close", "--format", "json")
    run = json.loads(ended.out)
    assert run["warnings"] == []
    texts = elements_in(page).texts
    assert "completed" in texts
    assert run["run_id"] in texts
    assert SHOWN in texts, "the description and a value, as text"
    # the total of amount: read, converted, nothing dropped, subtotals added
    assert in_order(texts, "Input", "994.25", "At the end", "3,994.50")
    assert in_order(texts, "+1,003.00", "1,997.25")
    assert in_order(texts, "20  drop", "0.00", "1,997.25")
    assert in_order(texts, "30  totals", "+1,997.25", "3,994.50")
    assert "4 read + 2 added − 1 deleted = 5" in texts
    assert "5 of 5 rows written" in texts
    assert (
        "994.25 at the start, +4,001.75 in rows that were added or changed,"
        " −1,001.50 that rows held before they were changed or deleted: 3,994.50"
    ) in texts
    assert "does not agree" not in texts
    assert (
        "Where account is between '4000' and '4999' and note has a value:"
        " sets amount to amount × fx.rate."
    ) in texts
    assert "Looks up fx in rates: the row where account is fx.account." in texts
    assert "{{marked}}" in texts
    assert "Deletes the rows where amount is 0." in texts
    assert in_order(texts, "4000", "1,000.00", "2,000.00"), "what was, then what is"
    assert "data/gl" in texts
    assert any(text.startswith("data/gl.csv, ") for text in texts), "what identified the input"
    _check_in_a_browser(page, books.folder)
    again = books.run("runs", "report", run["run_id"][:12], "-o", "again.html")
    assert (again.code, again.out) == (0, "wrote again.html\n")
    later = elements_in((books.folder / "again.html").read_text(encoding="utf-8")).texts
    assert "4 read + 2 added − 1 deleted = 5" in later
    assert not any("994.25" in text for text in later)
    assert any(text.startswith("Amounts and sample rows are not in this report") for text in later)


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_that_fails_leaves_a_page_that_says_why(books: Shell, spark: SparkSession) -> None:
    ended, page = reported(books, spark, "broken", code=3)
    assert "RUN_001" in ended.err
    texts = elements_in(page).texts
    assert "It failed at operation 20, too much" in texts
    assert "RUN_001" in texts
    assert in_order(texts, "10  drop", "−1,000.00", "−5.75"), "as far as it came"
    said = "Amounts and sample rows are missing from operation 20 'too much' on"
    assert any(text.startswith(said) for text in texts)
    assert "Nothing." in texts, "was written"
    assert not (books.folder / "data" / "out").exists()


REFUSED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "no folder": (("--report", "no/page.html"), "there is no such folder"),
    "a folder": (("--report", "data"), "it is a folder"),
    "no such column": (
        ("--report", "page.html", "--report-column", "amout"),
        "the report is to follow column 'amout', which is not there",
    ),
    "not a number": (
        ("--report", "page.html", "--report-column", "note"),
        "the report is to follow column 'note', which is not a number",
    ),
    "a column without a report": (("--report-column", "amount"), "--report-column is for --report"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_reported_is_refused_before_anything_runs(books: Shell, name: str) -> None:
    options, said = REFUSED[name]
    ended = books.run("run", "close", "--period", "2026-01", *options)
    assert ended.code == 2
    assert "USAGE_001" in ended.err
    assert said in ended.err
    assert json.loads(books.run("runs", "list", "--format", "json").out) == {"runs": []}
    assert not list(books.folder.glob("*.html"))


def test_a_report_is_for_one_period(books: Shell) -> None:
    periods = ("--periods", "2026-01..2026-02")
    ended = books.run("run", "close", *periods, "--report", "page.html")
    assert (ended.code, "--report is for one period" in ended.err) == (2, True)


def test_there_is_no_report_of_a_run_that_never_was(books: Shell) -> None:
    ended = books.run("runs", "report", "0199", "-o", "page.html")
    assert (ended.code, "RUN_006" in ended.err) == (2, True)
    assert not (books.folder / "page.html").exists()


def _check_in_a_browser(page: str, folder: Path) -> None:
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        return  # tests/reports/test_browser.py says so
    hostile = folder / "hostile.html"
    with trap() as server:
        hostile.write_text(page.replace("http://127.0.0.1:9/", server.url("")), encoding="utf-8")
        shown = loaded(hostile)
    assert server.asked == []
    assert "<title>owned</title>" not in shown
