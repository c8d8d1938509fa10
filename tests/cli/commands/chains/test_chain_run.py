"""`rowbook run --upstream` and `--all`, as far as they go without Spark."""

from __future__ import annotations

import json
import re

import pytest

from tests.runs.chains.ledgers import make_active_ledgers, project
from tests.support.shell import Shell
from tests.support.write_files import write_files

MISSING = (
    "DATASOURCE_006  no data at data/inbox/gl/2026-03.csv, where rule 'one file a month' of"
    " resolver 'inbox' says that it is for 2026-03"
)


@pytest.fixture
def ledgers(shell: Shell) -> Shell:
    make_active_ledgers(shell.folder, "convert", "close", "report", "audit")
    return shell


def test_the_summary_names_what_failed_and_what_was_not_run_because_of_it(ledgers: Shell) -> None:
    ended = ledgers.run("run", "--all", "--period", "2026-03")
    assert ended.code == 1
    summary = [line.split("  ") for line in ended.out.splitlines()[-4:]]
    assert [[cell.strip() for cell in row if cell.strip()] for row in summary] == [
        ["audit", "2026-03", "failed", *MISSING.split("  ")],
        ["convert", "2026-03", "failed", *MISSING.split("  ")],
        ["close", "2026-03", "not run", "because convert failed for 2026-03"],
        ["report", "2026-03", "not run", "because convert failed for 2026-03"],
    ]
    assert ended.err.startswith(
        "4 projects, in order: audit, convert, close, report\n"
        "checked when what they read is there: close, report\n"
    )


def test_programs_are_told_of_each_project(ledgers: Shell) -> None:
    ended = ledgers.run("run", "report", "--upstream", "--period", "2026-03", "--format", "json")
    assert (ended.code, ended.err) == (1, "")
    found = json.loads(ended.out)
    assert (found["ok"], found["notes"]) == (False, [])
    convert, close, report = found["links"]
    assert (convert["project"], convert["version"], convert["period"]) == ("convert", 1, "2026-03")
    assert (convert["status"], convert["because"]) == ("failed", "it never ran for 2026-03")
    assert convert["run"]["status"] == "failed"
    assert [each["code"] for each in convert["errors"]] == ["DATASOURCE_006"]
    assert close == {
        "project": "close",
        "version": None,
        "period": "2026-03",
        "status": "not run",
        "because": "convert failed for 2026-03",
        "run": None,
        "errors": [],
    }
    assert report["status"] == "not run"


def test_a_run_that_is_refused_is_told_with_the_others(ledgers: Shell) -> None:
    assert ledgers.run("periods", "close", "2026-03").code == 0
    ended = ledgers.run("run", "audit", "--upstream", "--period", "2026-03", "--quiet")
    assert ended.code == 1
    assert ended.out.startswith("audit for 2026-03: failed before it began\n")
    assert "PERIOD_007" in ended.err


def test_a_circle_is_shown_with_its_places(ledgers: Shell) -> None:
    circle = project("convert", "closed", "amount", "converted")
    write_files(ledgers.folder, {"projects/convert.yaml": circle})
    ended = ledgers.run("run", "close", "--upstream", "--draft", "--period", "2026-01")
    assert (ended.code, ended.out) == (1, "")
    assert [line for line in ended.err.splitlines() if re.match(r"\S", line)] == [
        "projects/close.yaml:3:21  CHAIN_001  close -> convert -> close: project 'close' reads"
        " dataset 'converted', which project 'convert' registers",
        "projects/convert.yaml:3:21  CHAIN_001  close -> convert -> close: project 'convert' reads"
        " dataset 'closed', which project 'close' registers",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--period", "2026-01"], "no project is named"),
        (["close", "--all", "--period", "2026-01"], "--all is for no project in particular"),
        (["--all", "--upstream", "--period", "2026-01"], "--all is for no project in particular"),
        (["--all", "--set", "a=1", "--period", "2026-01"], "--set is for a project that is named"),
        (["--all"], "no period is named"),
        (["--all", "--period", "2026-01", "--report", "a.html"], "--report is for one run"),
        (
            ["close", "--upstream", "--period", "2026-01", "--report", "a.html"],
            "--report is for one run",
        ),
        (["--all", "--periods", "2026-01..2026-02", "--as-of", "2026-01-31"], "--as-of is for one"),
    ],
)
def test_words_that_do_not_go_together_are_refused(
    words: list[str], message: str, shell: Shell
) -> None:
    ended = shell.run("run", *words)
    assert ended.code == 2
    assert ended.err.startswith(f"USAGE_001  {message}")
