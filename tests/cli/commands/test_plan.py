"""`rowbook plan`: SPEC section 10. Goldens of the sample workspace: docs/plan.md has its text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ledger
from tests.support.ledger import applied, in_json
from tests.support.paths import EXAMPLE
from tests.support.shell import Shell, spawn

GOLDENS = Path(__file__).parent / "goldens"
CLOSE = ("plan", "monthly_close", "--period", "2026-01", "--draft", "-C", str(EXAMPLE))
FILES = {
    **ledger.FILES,
    "datasources/lake.yaml": "datasource: {name: lake, type: csv, options: {root: data}}\n",
    "data/gl.csv": "account,amount,note,_period\n4000,1.00,,2026-01\n",
    "data/rates.csv": "account,rate\n4000,2\n",
}
PLAN = ("plan", "close", "--period", "2026-01")
NEVER = "this project was never activated: it would run as a draft\n"


def active(shell: Shell) -> None:
    applied(shell, FILES)
    assert shell.run("activate", "close").code == 0


def test_the_text_of_an_active_version(shell: Shell) -> None:
    active(shell)
    ended = shell.run(*PLAN)
    assert (ended.code, ended.err) == (0, "")
    assert (
        ended.out
        == """\
close (version 1) for 2026-01
2026-01-01 to 2026-01-31, as of 2026-01-31

Reads
  gl version 1: the input, rows of 2026-01
    data/gl.csv: 1 file, 47 bytes
    by rule 'all' of resolver lake
  rates version 1: all rows
    data/rates.csv: 1 file, 20 bytes
    by rule 'all' of resolver lake

Starts with 3 columns, and 11 of the system
  account string not null, amount decimal(18,2), note string

Steps
  10 update    convert
     join      fx: rates version 1, on gl.account = fx.account
     +         usd decimal(28,6) = amount * fx.rate
  20 delete    drop zeros
     where     amount = 0
  30 output    publish
     writes    data/closed
               replaces the rows of 2026-01; 15 columns: account, amount, note,
               usd, and 11 of the system
     there now nothing yet
"""
    )


LEVELS = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: totals
      type: aggregate
      arguments:
        levels:
          - {name: class, group_by: [note, {column: class, expression: "LEFT(account, 1)"}]}
          - {name: "007", group_by: [class]}
          - {name: all, group_by: []}
        aggregations: [{column: total, expression: "SUM(amount)"}]
        assignments: [{column: level, expression: "LEVEL()"}]
    - seq: 20
      name: publish
      type: output
      arguments: {destination: {datasource_id: lake, table: closed}}
"""


def test_levels_of_an_active_version_are_shown_as_they_were_written(shell: Shell) -> None:
    applied(shell, {**FILES, "projects/close.yaml": LEVELS})
    assert shell.run("activate", "close").code == 0
    assert (
        """\
  10 aggregate totals
     level     class: note, class
     level     007: class
     level     all: over all
     +         class string = LEFT(account, 1)
     +         total decimal(28,2) = SUM(amount)
     +         level string = LEVEL()
     nullable  from here on: account
"""
        in shell.run(*PLAN).out
    )
    drawn = shell.run(*PLAN, "--format", "mermaid").out
    assert "level class: note, class" in drawn
    assert "level all: over all" in drawn
    page = shell.run(*PLAN, "--format", "html").out
    assert "level 007" in page
    steps = in_json(shell, *PLAN)["steps"]
    assert (steps[0]["group_by"], [each["name"] for each in steps[0]["levels"]]) == (
        [],
        ["class", "007", "all"],
    )


def test_no_line_of_text_is_longer_than_80_columns(shell: Shell) -> None:
    name = "n" * 200
    long = {
        "projects/close.yaml": FILES["projects/close.yaml"]
        .replace("name: convert", f"name: {name}")
        .replace("amount * fx.rate", "amount * fx.rate" + " + amount * fx.rate" * 30)
    }
    shell.write({**FILES, **long})
    ended = shell.run(*PLAN)
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) == 80
    assert not any(line != line.rstrip() for line in ended.out.splitlines())


def test_piped_text_has_no_colours(shell: Shell) -> None:
    ended = spawn(*CLOSE, folder=shell.folder, environment={"COLUMNS": "200"})
    assert (ended.code, ended.err) == (0, "")
    assert "\033" not in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


def test_a_name_that_holds_commands_for_terminals_is_shown_without_them(shell: Shell) -> None:
    project = FILES["projects/close.yaml"].replace("name: convert", 'name: "a\\e[31mb [red]c"')
    shell.write({**FILES, "projects/close.yaml": project})
    ended = shell.run(*PLAN)
    assert ended.code == 0
    assert "  10 update    a·[31mb [red]c\n" in ended.out


def test_the_sample_workspace_as_a_flowchart(shell: Shell) -> None:
    ended = shell.run(*CLOSE, "--format", "mermaid")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (GOLDENS / "plan_close.mermaid").read_text(encoding="utf-8")


def test_json_has_every_step_with_the_columns_after_it(shell: Shell) -> None:
    found = in_json(shell, *CLOSE)
    assert all(
        list(step)
        == [
            *("seq", "name", "type", "description", "selector", "named_selectors", "reads"),
            *("group_by", "values", "loosened", "columns", "writes", "windows", "levels"),
            *("from_working", "spread", "left_out"),
        ]
        for step in found["steps"]
    )
    assert [(step["seq"], step["type"], len(step["columns"])) for step in found["steps"]] == [
        (10, "update", 22),
        (20, "update", 23),
        (30, "delete", 23),
        (40, "append", 23),
        (50, "update", 23),
        (60, "aggregate", 25),
        (70, "output", 25),
        (80, "output", 25),
    ]
    assert found["steps"][5]["columns"][12:14] == [
        {"name": "subtotal_usd", "type": "decimal(35,2)", "nullable": True},
        {"name": "line_count", "type": "integer", "nullable": True},
    ]
    assert found["reads"][0]["locations"] == [
        {
            "location": "data/gl/2026-01.csv",
            "periods": ["2026-01"],
            "found": {
                "presence": "there",
                "files": 1,
                "bytes": 4124,
                "version": None,
                "reason": None,
                "note": None,
            },
            "undeclared": [],
            "lacking": [],
        }
    ]


def test_json_of_the_active_version(shell: Shell) -> None:
    active(shell)
    found = in_json(shell, *PLAN)
    assert list(found) == [
        *("project", "version", "description", "period", "first_day", "last_day", "calendar"),
        *("as_of", "reads", "columns", "steps", "warnings", "problems", "parameters"),
        *("expectations", "quarantine", "draft", "notes"),
    ]
    assert (found["project"], found["version"], found["draft"]) == ("close", 1, False)
    assert (found["first_day"], found["last_day"]) == ("2026-01-01", "2026-01-31")
    assert [(read["dataset"], read["version"]) for read in found["reads"]] == [
        ("gl", 1),
        ("rates", 1),
    ]
    output = found["steps"][-1]["writes"]
    assert (output["destination"], output["mode"]) == ("data/closed", "replace")
    assert output["found"]["presence"] == "missing"


def test_the_draft_is_planned_where_it_is_asked_for(shell: Shell) -> None:
    active(shell)
    text = FILES["projects/close.yaml"].replace("name: convert", "name: another")
    shell.write({"projects/close.yaml": text})
    assert in_json(shell, *PLAN)["steps"][0]["name"] == "convert"
    drafted = in_json(shell, *PLAN, "--draft")
    assert (drafted["version"], drafted["draft"]) == (None, True)
    assert drafted["steps"][0]["name"] == "another"
    assert drafted["steps"][-1]["writes"]["found"] is None


def test_a_project_that_was_never_activated_says_so_beside_the_plan(shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run(*PLAN, "--format", "json")
    assert (ended.code, ended.err) == (0, NEVER)
    assert json.loads(ended.out)["draft"] is True
    assert shell.run(*PLAN, "--draft").err == ""


def test_a_project_that_was_deactivated_is_refused(shell: Shell) -> None:
    active(shell)
    assert shell.run("deactivate", "close", "--reason", "replaced").code == 0
    ended = shell.run(*PLAN)
    assert (ended.code, ended.out) == (4, "")
    assert ended.err.startswith("PROJECT_009  project 'close' was deactivated")
    assert shell.run(*PLAN, "--draft").code == 0


def test_an_as_of_date_is_taken(shell: Shell) -> None:
    shell.write(FILES)
    found = in_json(shell, *PLAN, "--draft", "--as-of", "2026-01-15T10:00:00Z")
    assert found["as_of"] == "2026-01-15T10:00:00Z"


def test_warnings_stand_below_the_plan_with_their_place(shell: Shell) -> None:
    project = FILES["projects/close.yaml"].replace(
        '    - {seq: 20, name: drop zeros, type: delete, selector: "amount = 0"}\n',
        """\
    - seq: 20
      name: cut
      type: update
      arguments: {assignments: [{column: usd, expression: "amount / 7 / 7"}]}
""",
    )
    shell.write({**FILES, "projects/close.yaml": project})
    assert "projects/close.yaml:14:" in shell.run(*PLAN).out
    (warning,) = in_json(shell, *PLAN)["warnings"]
    assert (warning["code"], warning["line"]) == ("UPDATE_007", 14)


# --- problems, findings and wrong usage


def test_it_ends_with_all_that_a_run_would_fail_of(shell: Shell) -> None:
    shell.write({**FILES, "data/gl.csv": "acount,amount,note\n4000,1.00,\n"})
    (shell.folder / "data" / "rates.csv").unlink()
    ended = shell.run(*PLAN, "--draft")
    assert ended.code == 1
    assert (
        ended.out.partition("\n3 problems")[2]
        == """\
 that a run would fail of:
DATASET_010  dataset 'gl': column 'account' is missing in data/gl.csv
    did you mean 'acount' for 'account'?  columns: acount, amount, note
DATASET_015  dataset 'gl': data/gl.csv does not say which of its rows are of the \
run's period: it has no column '_period', and other periods have the same place
    say `period_from:` with the column that holds a date; or keep each period at a place of \
its own, by {{identifier}} in the rule's path, or {{YYYY}} and {{MM}}
DATASOURCE_006  no data at data/rates nor data/rates.csv, where rule 'all' of \
resolver 'lake' says that it is for 2026-01
    check the data source's root, the resolver's rule and the period
"""
    )


@pytest.mark.parametrize("words", [["--stages"], ["--format", "svg"], ["-o", "plan.txt"]])
def test_every_form_of_a_plan_says_its_problems(words: list[str], shell: Shell) -> None:
    shell.write(FILES)
    (shell.folder / "data" / "rates.csv").unlink()
    ended = shell.run(*PLAN, "--draft", *words)
    assert ended.code == 1
    assert "1 problem that a run would fail of" in ended.out + ended.err
    found = in_json(shell, *PLAN, "--draft", code=1)
    assert [each["code"] for each in found["problems"]] == ["DATASOURCE_006"]


@pytest.mark.parametrize("form", ["text", "svg", "mermaid", "html"])
def test_faults_of_definitions_are_findings(form: str, shell: Shell) -> None:
    wrong = FILES["projects/close.yaml"].replace("amount * fx.rate", "amuont * fx.rate")
    shell.write({**FILES, "projects/close.yaml": wrong})
    ended = shell.run(*PLAN, "--format", form)
    assert (ended.code, ended.out) == (1, "")
    assert "EXPR_002  unknown column 'amuont'" in ended.err


def test_faults_of_definitions_as_json(shell: Shell) -> None:
    wrong = FILES["projects/close.yaml"].replace("amount * fx.rate", "amuont * fx.rate")
    shell.write({**FILES, "projects/close.yaml": wrong})
    found = in_json(shell, *PLAN, code=1)
    assert [error["code"] for error in found["errors"]] == ["EXPR_002"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plan", "clsoe", "--period", "2026-01"], "did you mean 'close'?"),
        (["plan", "close", "--period", "2026-13"], "PERIOD_001"),
        (["plan", "close"], "Missing option '--period'"),
        ([*PLAN, "--format", "png"], "'png' is not one of"),
        ([*PLAN, "--stages", "--format", "svg"], "--stages is for --format text and json"),
        ([*PLAN, "-o", "no/such/folder/plan.txt"], "cannot be written: No such file"),
    ],
)
def test_wrong_usage_is_2(arguments: list[str], said: str, shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


# --- stages


def test_stages_say_how_a_run_would_be_computed_and_why(shell: Shell) -> None:
    active(shell)
    ended = shell.run(*PLAN, "--stages")
    assert (ended.code, ended.err) == (0, "")
    assert (
        ended.out
        == """\
close (version 1) for 2026-01

Stages
  1 start
       few rows: they are loaded here, and Spark starts only where it is needed
       columns that are read later: account, amount, note
  2 layer       10, 20
       one projection for 2 operations: none reads what another of them gave to
       some rows only
       few rows: computed here, up to 60,000 values
  3 checkpoint
       rows are computed once for all that reads and counts them
       few rows: what is computed is brought here, counted, and goes on from
       here
       columns that are read later: account, amount, note, usd
  4 output      30
       few rows: they are written from here where the format allows
  5 end
"""
    )


def test_stages_for_programs(shell: Shell) -> None:
    active(shell)
    assert "stages" not in in_json(shell, *PLAN)
    stages = in_json(shell, *PLAN, "--stages")["stages"]
    assert [(each["kind"], each["operations"]) for each in stages] == [
        *(("start", []), ("layer", [10, 20]), ("checkpoint", []), ("output", [30]), ("end", [])),
    ]
    assert stages[1]["reasons"][0].startswith("one projection for 2 operations")
    assert {"account", "usd"} <= set(stages[1]["needed"])
    assert "usd" not in stages[3]["needed"]


# --- files


@pytest.mark.parametrize("form", ["text", "json", "svg", "mermaid", "html"])
def test_a_file_gets_what_stdout_would(form: str, shell: Shell) -> None:
    printed = shell.run(*CLOSE, "--format", form)
    ended = shell.run(*CLOSE, "--format", form, "--output", "plan.out")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert (shell.folder / "plan.out").read_text(encoding="utf-8") == printed.out
    assert printed.out.endswith("\n")


def test_planning_leaves_no_trace(shell: Shell) -> None:
    shell.write(FILES)
    for form in ("text", "json", "svg", "mermaid", "html"):
        assert shell.run(*PLAN, "--format", form).code == 0
    assert not (shell.folder / ".rowbook").exists()
    assert not (shell.folder / "data" / "closed").exists()


@pytest.mark.parametrize("form", ["text", "json", "svg", "mermaid", "html", "text --stages"])
def test_no_form_needs_spark(form: str) -> None:
    code = (
        "import sys\n"
        "from rowbook.cli.app import run\n"
        f"assert run([*{CLOSE!r}, '--format', *{form.split()!r}]) == 0\n"
        "tops = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(tops & {'pyspark', 'py4j', 'pandas', 'pyarrow', 'numpy'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"


# --- windows

_SHARES = """\
project:
  name: close
  input_dataset_id: gl
  selectors: {booked: "note IS NOT NULL"}
  operations:
    - seq: 10
      name: share
      type: update
      arguments:
        windows:
          - {alias: t, by: [account], selector: "{{booked}}", values: {total: "SUM(amount)"}}
          - {alias: n, order_by: [-amount], values: {number: "ROW_NUMBER()"}}
        assignments:
          - {column: share, expression: "amount / t.total"}
          - {column: number, expression: "n.number"}
    - seq: 20
      name: publish
      type: output
      arguments: {destination: {datasource_id: lake, table: closed}}
"""


def test_windows_of_an_active_version_are_shown_as_written(shell: Shell) -> None:
    applied(shell, {**FILES, "projects/close.yaml": _SHARES})
    assert shell.run("activate", "close").code == 0
    ended = shell.run(*PLAN)
    assert (ended.code, ended.err) == (0, "")
    assert (
        """\
  10 update    share
     selector  booked: note IS NOT NULL
     window    t: by account, where {{booked}}: total = SUM(amount)
     window    n: all rows, order by -amount: number = ROW_NUMBER()
     +         share decimal(38,20) = amount / t.total
     +         number integer = n.number
"""
        in ended.out
    )
    assert in_json(shell, *PLAN)["steps"][0]["windows"][1] == {
        "alias": "n",
        "by": [],
        "selector": None,
        "order_by": ["-amount"],
        "values": {"number": "ROW_NUMBER()"},
    }
    stages = " ".join(shell.run(*PLAN, "--stages").out.split())
    assert "window n: rows are sorted once by amount descending" in stages
    assert "window t: rows are brought together by account" in stages
    for form in ("svg", "html", "mermaid"):
        assert "t: by account" in shell.run(*PLAN, "--format", form).out
