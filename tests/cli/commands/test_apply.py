"""`rowbook apply`: SPEC section 1. A plan first, then versions, and conflicts where they break."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from rowbook.store.database.tables import VERSION_TABLE
from tests.support.ledger import (
    CLOSE,
    FILES,
    GL,
    RATES,
    WITH_ENTITY,
    WITHOUT_AMOUNT,
    WITHOUT_NOTE,
    active,
    applied,
    in_json,
    opened,
    project,
)
from tests.support.shell import Shell, spawn


def versions(shell: Shell) -> dict[str, int]:
    """The latest version of each dataset."""
    with opened(shell) as store:
        return {each.name: each.version for each in store.definitions.latest("dataset")}


def test_the_first_apply_records_everything_but_projects(shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run("apply", "--yes")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "+ datasource lake  version 1\n"
        "+ resolver lake  version 1\n"
        "+ dataset gl  version 1\n"
        "+ dataset rates  version 1\n"
        "4 new, 0 changed, 0 unchanged\n"
        "applied\n"
    )
    assert versions(shell) == {"gl": 1, "rates": 1}


def test_applying_twice_changes_nothing_and_asks_nothing(shell: Shell) -> None:
    applied(shell)
    ended = shell.run("apply")
    assert (ended.code, ended.out, ended.err) == (0, "0 new, 0 changed, 4 unchanged\n", "")
    assert versions(shell) == {"gl": 1, "rates": 1}


def test_a_change_is_shown_and_becomes_the_next_version(shell: Shell) -> None:
    applied(shell)
    shell.write(WITH_ENTITY)
    ended = shell.run("apply", "--yes")
    assert ended.out == (
        "~ dataset gl  version 2\n"
        "      column 'entity' added\n"
        "0 new, 1 changed, 3 unchanged\n"
        "applied\n"
    )
    assert versions(shell) == {"gl": 2, "rates": 1}


def test_who_applied_is_recorded(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ann")
    applied(shell)
    with opened(shell) as store:
        assert {each.recorded_by for each in store.definitions.latest("dataset")} == {"ann"}


# --- asking


def test_without_a_terminal_it_shows_the_plan_and_stops(shell: Shell) -> None:
    shell.write(FILES)
    ended = spawn("apply", folder=shell.folder)
    assert ended.code == 2
    assert "4 new, 0 changed, 0 unchanged\n" in ended.out
    assert "applied" not in ended.out
    assert ended.err == (
        "USAGE_001  there is no terminal to ask: Apply 4 changes?\n"
        "    nothing was changed; say --yes\n"
    )
    assert not (shell.folder / ".rowbook").exists()


@pytest.mark.parametrize(
    ("answer", "code", "expected"), [(True, 0, {"gl", "rates"}), (False, 2, set())]
)
def test_on_a_terminal_it_asks(
    answer: bool, code: int, expected: set[str], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("typer.confirm", lambda question, err: answer)
    shell.write(FILES)
    ended = shell.run("apply")
    assert ended.code == code
    assert versions(shell).keys() == expected
    assert ("nothing was changed" in ended.err) is not answer


def test_json_without_yes_is_the_plan_and_2(shell: Shell) -> None:
    applied(shell)
    shell.write(WITHOUT_NOTE)
    plan = in_json(shell, "apply", code=2)
    assert plan == {
        "applied": False,
        "changes": [
            {
                "kind": "dataset",
                "name": "gl",
                "version": 2,
                "action": "changed",
                "breaking": True,
                "differences": [{"text": "column 'note' removed", "breaking": True}],
            }
        ],
        "unchanged": 3,
        "without_file": [],
        "conflicts": [],
        "ok": False,
        "errors": [
            {
                "code": "USAGE_001",
                "message": "1 change not applied",
                "file": None,
                "line": None,
                "column": None,
                "hint": "say --yes to apply what was printed",
                "operation": None,
            }
        ],
    }
    assert versions(shell) == {"gl": 1, "rates": 1}
    del plan["ok"], plan["errors"]
    done = in_json(shell, "apply", "--yes")
    assert done == plan | {"applied": True}
    assert in_json(shell, "apply") == {
        "applied": False,
        "changes": [],
        "unchanged": 4,
        "without_file": [],
        "conflicts": [],
    }


# --- what is refused


def test_faults_of_definitions_are_all_reported_and_nothing_is_applied(shell: Shell) -> None:
    broken = {
        "datasets/gl.yaml": GL.replace("decimal(18,2)", "money"),
        "datasets/rates.yaml": RATES.replace("string", "text"),
    }
    shell.write(FILES | broken)
    ended = shell.run("apply", "--yes")
    assert (ended.code, ended.out) == (1, "")
    assert "datasets/gl.yaml:8:30  DATASET_002  'money' is not a type\n" in ended.err
    assert "datasets/rates.yaml:6:31  DATASET_002  'text' is not a type\n" in ended.err
    assert not (shell.folder / ".rowbook").exists()
    found = in_json(shell, "apply", "--yes", code=1)
    assert (found["applied"], found["changes"]) == (False, [])
    assert [each["code"] for each in found["errors"]] == ["DATASET_002", "DATASET_002"]


def test_a_faulty_project_is_no_reason_not_to_apply(shell: Shell) -> None:
    shell.write(FILES | {"projects/close.yaml": CLOSE.replace("amount = 0", "amout = 0")})
    ended = shell.run("apply", "--yes")
    assert ended.code == 0
    assert (
        "1 error in projects and scenarios, which are not applied: see `rowbook validate`\n"
        in ended.out
    )
    assert versions(shell) == {"gl": 1, "rates": 1}


def test_a_stated_version_that_it_does_not_become_is_a_finding(shell: Shell) -> None:
    applied(shell)
    text = WITH_ENTITY["datasets/gl.yaml"].replace("  name: gl\n", "  name: gl\n  version: 5\n", 1)
    shell.write({"datasets/gl.yaml": text})
    ended = shell.run("apply", "--yes")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        "datasets/gl.yaml:3:12  DATASET_013  dataset 'gl' states version 5, but it becomes"
        " version 2\n"
        "    state version 2, or leave `version` out\n"
    )
    shell.write({"datasets/gl.yaml": text.replace("version: 5", "version: 2")})
    assert shell.run("apply", "--yes").code == 0
    assert versions(shell)["gl"] == 2


def test_a_store_of_a_newer_rowbook_is_refused(shell: Shell) -> None:
    applied(shell)
    with closing(sqlite3.connect(shell.folder / ".rowbook" / "store.db")) as connection, connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '0999'")
    ended = shell.run("apply", "--yes")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("STORE_003  ")


def test_outside_a_workspace_is_2(shell: Shell) -> None:
    assert shell.run("apply").code == 2


# --- what only the store has


def test_what_has_no_file_is_left_alone_and_named(shell: Shell) -> None:
    applied(shell)
    (shell.folder / "datasets" / "rates.yaml").unlink()
    ended = shell.run("apply", "--yes")
    assert ended.out == (
        "0 new, 0 changed, 3 unchanged\n"
        "in the store without a file, and left as they are: dataset rates\n"
    )
    assert versions(shell) == {"gl": 1, "rates": 1}


# --- conflicts


def test_a_breaking_change_says_what_it_breaks_and_puts_the_project_into_conflict(
    shell: Shell,
) -> None:
    active(shell)
    shell.write(WITHOUT_AMOUNT)
    ended = shell.run("apply", "--yes")
    assert ended.code == 0
    assert ended.out == (
        "~ dataset gl  version 2\n"
        "    ! column 'amount' removed\n"
        "! project close comes into conflict: dataset 'gl' version 2: column 'amount' removed\n"
        "      operation 10 (convert)  EXPR_002  unknown column 'amount'\n"
        "      operation 20 (drop zeros)  EXPR_002  unknown column 'amount'\n"
        "0 new, 1 changed (1 breaking), 3 unchanged\n"
        "2 errors in projects and scenarios, which are not applied: see `rowbook validate`\n"
        "applied\n"
    )
    found = project(shell)
    assert (found.status, found.version) == ("conflict", 1)
    assert found.reason == "dataset 'gl' version 2: column 'amount' removed"
    assert found.report is not None
    assert [(b["seq"], b["operation"], b["code"]) for b in found.report["broken"]] == [
        (10, "convert", "EXPR_002"),
        (20, "drop zeros", "EXPR_002"),
    ]


def test_a_breaking_change_that_breaks_no_operation_is_a_conflict_too(shell: Shell) -> None:
    active(shell)
    applied(shell, WITHOUT_NOTE)
    found = project(shell)
    assert found.status == "conflict"
    assert found.report is not None
    assert found.report["broken"] == []
    (change,) = found.report["changes"]
    assert (change["dataset"], change["pinned"], change["version"], change["differences"]) == (
        "gl",
        1,
        2,
        ["column 'note' removed"],
    )


def test_a_change_that_breaks_nothing_leaves_the_project_active(shell: Shell) -> None:
    active(shell)
    applied(shell, WITH_ENTITY)
    assert project(shell).status == "active"


def test_a_joined_dataset_that_is_disabled_is_a_conflict(shell: Shell) -> None:
    active(shell)
    shell.write({"datasets/rates.yaml": RATES + "  status: disabled\n"})
    (conflict,) = in_json(shell, "apply", "--yes")["conflicts"]
    assert (conflict["project"], conflict["reason"]) == (
        "close",
        "dataset 'rates' version 2: disabled",
    )
    assert [(b["seq"], b["code"]) for b in conflict["broken"]] == [(10, "JOIN_003")]
    assert project(shell).status == "conflict"


def test_a_second_breaking_change_adds_to_the_report(shell: Shell) -> None:
    active(shell)
    applied(shell, WITHOUT_NOTE)
    applied(shell, {"datasets/rates.yaml": RATES.replace("decimal(9,4)", "decimal(9,2)")})
    report = project(shell).report
    assert report is not None
    assert [(c["dataset"], c["version"]) for c in report["changes"]] == [("gl", 2), ("rates", 2)]


def test_an_inactive_project_comes_into_no_conflict(shell: Shell) -> None:
    active(shell)
    shell.run("deactivate", "close")
    applied(shell, WITHOUT_NOTE)
    assert project(shell).status == "inactive"


def test_a_project_that_does_not_use_the_dataset_stays_active(shell: Shell) -> None:
    active(shell)
    other = RATES.replace("name: rates", "name: other")
    applied(shell, {"datasets/other.yaml": other})
    applied(shell, {"datasets/other.yaml": other.replace("decimal(9,4)", "date")})
    assert project(shell).status == "active"


def test_a_lookup_that_no_longer_fits_is_part_of_the_report(shell: Shell) -> None:
    """The ledger is pinned at version 1, whose lookup names a column that the rates lost."""
    lookup = '  lookups: [{{alias: fx, dataset_id: rates, on: "gl.account = fx.{}"}}]\n'
    joins = '        joins: [{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}]\n'
    applied(
        shell,
        FILES
        | {
            "datasets/gl.yaml": GL + lookup.format("account"),
            "projects/close.yaml": CLOSE.replace(joins, ""),
        },
    )
    assert shell.run("activate", "close").code == 0
    shell.write(
        {
            "datasets/gl.yaml": GL + lookup.format("code"),
            "datasets/rates.yaml": RATES.replace("name: account", "name: code"),
        }
    )
    (conflict,) = in_json(shell, "apply", "--yes")["conflicts"]
    assert [change["dataset"] for change in conflict["changes"]] == ["rates"]
    messages = [broken["message"] for broken in conflict["broken"]]
    assert "lookup 'fx' of dataset 'gl': unknown column 'fx.account'" in messages
    assert shell.run("activate", "close").code == 0
    assert project(shell).status == "active"


def test_control_characters_do_not_reach_the_terminal(shell: Shell) -> None:
    applied(shell)
    text = GL.replace("note, type: string", 'note, type: string, source: "a\\e[31mb"')
    shell.write({"datasets/gl.yaml": text})
    ended = shell.run("apply", "--yes")
    assert ended.code == 0
    assert "column 'note': source none → 'a·[31mb'\n" in ended.out
