"""`rowbook check`: expectations alone, by the reference engine where the input is small."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from tests.support.journals import BALANCED, FILES
from tests.support.shell import Shell

CHECK = ("check", "close", "--period", "2026-01")


@pytest.fixture
def journals(shell: Shell) -> Shell:
    shell.write(FILES)
    return shell


@pytest.fixture
def balanced(shell: Shell) -> Shell:
    shell.write(FILES | {"data/gl.csv": BALANCED})
    return shell


def test_what_would_stop_the_run_is_told_with_its_groups(journals: Shell) -> None:
    done = journals.run(*CHECK)
    assert done.code == 1
    lines = [line.rstrip() for line in done.out.splitlines()]
    assert lines[:11] == [
        "expectation                        at     status    otherwise  checked  violated",
        "────────────────────────────────────────────────────────────────────────────────",
        "lines are numbered once            input  passed    stop             6         0",
        "journals balance                   input  violated  stop             3         1",
        "reclassifying loses nothing        10     passed    stop",
        "no suspense account                end    violated  warn             6         1",
        "about as many lines as last month  end    skipped   stop",
        "violated: 'journals balance' (input): 1 of 3 groups violates it: journal 'J-3':"
        " SUM(amount) = 0.01",
        "journal  SUM(amount)",
        "────────────────────",
        "J-3      0.01",
    ]
    assert lines[11] == (
        "violated: 'no suspense account' (end): 1 of 6 rows violates it: account '1999'"
    )
    assert lines[-1] == "1 of 5 expectations would stop a run"


def test_it_says_that_nothing_is_published_and_by_which_engine(journals: Shell) -> None:
    before = sorted(map(str, journals.folder.rglob("*")))
    done = journals.run(*CHECK)
    assert done.err == (
        "close for 2026-01, nothing is published\ncomputed by the reference engine: a small input\n"
    )
    assert sorted(map(str, journals.folder.rglob("*"))) == before


def test_a_month_that_is_ready_exits_with_0(balanced: Shell) -> None:
    done = balanced.run(*CHECK)
    assert done.code == 0
    assert done.out.splitlines()[-1] == "5 expectations: nothing would stop a run"


def test_programs_get_every_expectation(journals: Shell) -> None:
    done = journals.run(*CHECK, "--format", "json")
    found = json.loads(done.out)
    assert (done.code, found["ok"], found["engine"]) == (1, False, "reference")
    _, balance, *_, lines = found["expectations"]
    assert (balance["name"], balance["at"], balance["status"]) == (
        *("journals balance", "input", "violated"),
    )
    assert (balance["checked"], balance["violated"]) == (3, 1)
    assert balance["samples"] == [{"journal": "J-3", "SUM(amount)": "0.01"}]
    assert (lines["status"], lines["measures"]) == ("skipped", {"lines": 6})


def test_build_servers_get_a_file(journals: Shell) -> None:
    assert journals.run(*CHECK, "--junit", "build/month.xml").code == 1
    (suite,) = ElementTree.parse(journals.folder / "build/month.xml").getroot()
    assert suite.attrib == {
        "name": "close 2026-01",
        "tests": "5",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
    }


def test_faults_of_definitions_are_findings(journals: Shell) -> None:
    faulty = FILES["rowbook.yaml"].replace("account <> '1999'", "acount <> '1999'")
    journals.write({"rowbook.yaml": faulty})
    done = journals.run(*CHECK, "--format", "json")
    found = json.loads(done.out)
    assert (done.code, found["ok"], found["expectations"]) == (1, False, [])
    assert found["errors"][0]["code"] == "EXPR_002"


def test_a_project_that_expects_nothing_says_so(journals: Shell) -> None:
    text = FILES["rowbook.yaml"]
    expectless = text[: text.index("  expectations:")] + "---\n" + text[text.index("project:") :]
    journals.write({"rowbook.yaml": expectless[: expectless.rindex("  expectations:")]})
    done = journals.run(*CHECK)
    assert (done.code, done.out) == (0, "the project and its datasets expect nothing\n")
