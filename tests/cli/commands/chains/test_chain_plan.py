"""`rowbook plan --upstream`: the chain in words, as a picture, for programs."""

from __future__ import annotations

import json
from pathlib import Path

from tests.runs.chains.ledgers import make_active_ledgers
from tests.support.shell import Shell

PLAN = ("plan", "report", "--period", "2026-01", "--upstream")


def test_the_order_and_the_tree(shell: Shell) -> None:
    make_active_ledgers(shell.folder)
    ended = shell.run(*PLAN)
    assert (ended.code, ended.err) == (0, "")
    assert (
        ended.out
        == """\
report for 2026-01, with what it depends on
3 projects, of which 3 would run

Order
  1 convert  version 1  runs: it never ran for 2026-01
  2 close    version 1  runs: after convert, if that changes what it reads
  3 report   version 1  runs: it is asked for

Reads
  report
  └─ closed version 1, registered by close
     └─ converted version 1, registered by convert
        └─ gl version 1

Not checked before others have run: close, report
"""
    )


def test_problems_are_findings(shell: Shell) -> None:
    make_active_ledgers(shell.folder)
    ended = shell.run("plan", "report", "--period", "2026-03", "--upstream")
    assert ended.code == 1
    assert "\n1 problem that runs would fail of:\nDATASOURCE_006  no data at" in ended.out


def test_programs_get_every_link(shell: Shell) -> None:
    make_active_ledgers(shell.folder)
    found = json.loads(shell.run(*PLAN, "--format", "json").out)
    assert (found["project"], found["period"], found["problems"]) == ("report", "2026-01", [])
    assert found["links"][1] == {
        "project": "close",
        "version": 1,
        "reads": [{"dataset": "converted", "version": 1, "producer": "convert"}],
        "registers": ["closed"],
        "runs": True,
        "because": "after convert, if that changes what it reads",
        "checked": False,
        "problems": [],
    }


def test_it_is_drawn_into_a_file(shell: Shell) -> None:
    make_active_ledgers(shell.folder)
    for form, begins in (("svg", "<svg"), ("html", "<!doctype html>"), ("mermaid", "flowchart TD")):
        path = shell.folder / f"chain.{form}"
        ended = shell.run(*PLAN, "--format", form, "-o", str(path))
        assert (ended.code, ended.out, ended.err) == (0, "", "")
        assert Path(path).read_text(encoding="utf-8").startswith(begins)


def test_stages_are_those_of_one_project(shell: Shell) -> None:
    ended = shell.run(*PLAN, "--stages")
    assert ended.code == 2
    assert ended.err.startswith("USAGE_001  --stages is for one project")
