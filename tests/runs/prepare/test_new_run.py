"""A run that is refused, or would fail, is told all of it at once, before Spark."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.new_run import new_run
from rowbook.runs.prepare.project_version import choose_version
from rowbook.store import this_process
from tests.runs.conversion import FILES
from tests.support.shell import Shell

SERVERS = """\
datasource:
  {name: erp, type: jdbc, options: {url: "jdbc:postgresql://127.0.0.1:1/erp"}}
---
datasource:
  name: hr
  type: jdbc
  options: {url: "jdbc:postgresql://127.0.0.1:1/hr", user: ann}
  credential_ref: env://NO_SUCH_PASSWORD
---
resolver:
  name: erp
  rules: [{name: all, strategy: {type: table, datasource_id: erp, table: "{{table_name}}"}}]
---
resolver:
  name: hr
  rules: [{name: all, strategy: {type: table, datasource_id: hr, table: "{{table_name}}"}}]
---
dataset:
  name: customers
  main_table: {name: customers, columns: [{name: account, type: string}, {name: c, type: string}]}
  resolver_id: erp
---
dataset:
  name: staff
  main_table: {name: staff, columns: [{name: account, type: string}, {name: s, type: string}]}
  resolver_id: hr
"""
JOINS = '{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}'
MORE_JOINS = (
    f'{JOINS}, {{alias: cu, dataset_id: customers, on: "gl.account = cu.account"}},'
    ' {alias: st, dataset_id: staff, on: "gl.account = st.account"}'
)
SETTINGS = (
    "workspace: {name: acme, default_resolver_id: inbox,"
    ' credentials: [{ref: "env://NO_SUCH_PASSWORD", host: "127.0.0.1:1"}]}\n'
)
PROJECT = (
    FILES["projects/close.yaml"]
    .replace(JOINS, MORE_JOINS)
    .replace("amount * fx.rate", "amount * fx.rate + LEN(cu.c) + LEN(st.s)")
    .replace("columns: [account, usd", "mode: error_if_exists\n        columns: [account, usd")
)
RUN = ("run", "close", "--period", "2026-01", "--trust")
ALL = [
    *("PERIOD_007", "RUN_003", "DATASET_010", "DATASOURCE_006"),
    *("DATASOURCE_010", "DATASOURCE_009", "OUTPUT_006"),
]
"""Closed, at work, a column and a file missing, a server out of reach, a credential not set, a
table that must not be there."""


@pytest.fixture
def troubled(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """A project that is active, with all that can be in its way."""
    monkeypatch.delenv("NO_SUCH_PASSWORD", raising=False)
    files = {**FILES, "rowbook.yaml": SETTINGS, "projects/close.yaml": PROJECT}
    shell.write({**files, "datasources/servers.yaml": SERVERS})
    shell.write({"data/gl/2026-01.csv": "acount,amount\n4000,1.00\n", "out/closed/a.parquet": ""})
    (shell.folder / "data/rates.csv").unlink()
    for command in (["apply", "--yes"], ["activate", "close"], ["periods", "close", "2026-01"]):
        ended = shell.run(*command, "--trust")
        assert ended.code == 0, ended.err
    with OpenWorkspace(shell.folder, trust=True) as workspace:
        held = new_run(choose_version(workspace, "close", "2026-01"))
        leases, minute = workspace.store.leases, timedelta(minutes=1)
        leases.begin(held, this_process(), at=at_present(), ttl=minute, reopened="a test")
        yield shell


def codes(text: str) -> list[str]:
    return [error["code"] for error in json.loads(text)["errors"]]


def test_run_reports_all_that_is_in_its_way_at_once_and_without_spark(troubled: Shell) -> None:
    code = (
        "import sys\n"
        "from rowbook.cli.app import run\n"
        "begun = []\n"
        "processes = ('subprocess.Popen', 'os.posix_spawn', 'os.fork', 'os.exec')\n"
        "sys.addaudithook(lambda event, _: begun.append(event) if event in processes else None)\n"
        f"ended = run({[*RUN, '--format', 'json']!r})\n"
        "print(ended, begun, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=troubled.folder, capture_output=True, text=True, check=True)
    assert codes(done.stdout) == ALL
    assert done.stderr.splitlines()[-1] == "3 []", "no JVM was begun"
    with OpenWorkspace(troubled.folder, trust=True) as workspace:
        assert len(workspace.store.runs.newest()) == 1, "nothing is left of what was refused"


def test_what_is_refused_alone_is_4(active: Shell) -> None:
    assert active.run("periods", "close", "2026-01").code == 0
    ended = active.run("run", "close", "--period", "2026-01")
    assert ended.code == 4
    assert ended.err.count("PERIOD_007") == 1


def test_plan_ends_with_the_same_list(troubled: Shell) -> None:
    plan = ("plan", *RUN[1:])
    asked = troubled.run(*plan, "--connect", "--format", "json")
    assert asked.code == 1
    assert [each["code"] for each in json.loads(asked.out)["problems"]] == ALL
    unasked = troubled.run(*plan)
    assert unasked.code == 1
    last = unasked.out[unasked.out.index("6 problems that a run would fail of:") :]
    assert [c for c in ALL if c in last] == [c for c in ALL if c != "DATASOURCE_010"]


def test_a_reason_reopens_a_closed_period(troubled: Shell) -> None:
    ended = troubled.run(*RUN, "--reopen-closed", "late invoice", "--format", "json")
    assert codes(ended.out) == [code for code in ALL if code != "PERIOD_007"]


def test_a_draft_is_refused_by_nobody(troubled: Shell) -> None:
    with OpenWorkspace(troubled.folder, trust=True) as workspace:
        request = choose_version(workspace, "close", "2026-01", draft=True)
        refusals = workspace.store.leases.refusals(new_run(request), at=at_present())
        version = replace(request, version=1)
        assert refusals == ()
        found = workspace.store.leases.refusals(new_run(version), at=at_present())
        assert [each.code for each in found] == ["PERIOD_007", "RUN_003"]
