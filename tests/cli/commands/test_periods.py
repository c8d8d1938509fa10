"""`rowbook periods`: SPEC section 6. Open, closed, locked, and never back."""

from __future__ import annotations

import re

import pytest

from rowbook.definitions.models.entity import derived_id
from tests.support.ledger import applied, in_json, opened
from tests.support.shell import Shell, spawn

FISCAL = """\
calendar:
  name: fiscal
  id: 00000000-0000-4000-8000-000000000007
  levels:
    - {name: year, identifier: "FY{year}"}
    - {name: month, parent: year, identifier: "FY{year}-{n:02}"}
  rule: {type: months, start_month: 7}
  periods:
    - {identifier: FY2026-13, level: month, start: 2026-06-30, end: 2026-06-30, parent: FY2026}
"""
FILES = {"rowbook.yaml": "workspace: {name: acme}\n", "calendars/fiscal.yaml": FISCAL}


def statuses(shell: Shell, *arguments: str) -> dict[str, str]:
    """The periods that a list shows, with their status."""
    found = in_json(shell, "periods", "list", *arguments)["periods"]
    return {each["period"]: each["status"] for each in found}


def test_the_months_of_a_year_are_open_at_first(shell: Shell) -> None:
    shell.write(FILES)
    found = statuses(shell, "--year", "2026")
    assert found == {f"2026-{month:02}": "open" for month in range(1, 13)}
    assert not (shell.folder / ".rowbook").exists()


def test_without_a_year_it_is_the_current_one(shell: Shell) -> None:
    shell.write(FILES)
    periods = in_json(shell, "periods", "list")["periods"]
    assert len(periods) == 12
    assert {each["period"][4:] for each in periods} == {f"-{month:02}" for month in range(1, 13)}


def test_a_period_is_closed_with_who_and_why(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ann")
    shell.write(FILES)
    ended = shell.run("periods", "close", "2026-01", "--reason", "[books] closed")
    assert (ended.code, ended.out, ended.err) == (
        0,
        "period 2026-01 of calendar gregorian is closed\n",
        "",
    )
    assert statuses(shell, "--year", "2026")["2026-01"] == "closed"
    lines = shell.run("periods", "list", "--year", "2026").out.splitlines()
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines]
    assert cells[0] == [
        "period", "level", "first day", "last day", "status", "when (UTC)", "by", "reason",
    ]  # fmt: skip
    assert cells[2][:5] == ["2026-01", "month", "2026-01-01", "2026-01-31", "closed"]
    assert cells[2][6:] == ["ann", "[books] closed"]
    assert cells[3] == ["2026-02", "month", "2026-02-01", "2026-02-28", "open"]


def test_a_closed_period_is_locked(shell: Shell) -> None:
    shell.write(FILES)
    shell.run("periods", "close", "2026-01")
    found = in_json(shell, "periods", "lock", "2026-01", "--yes", "--reason", "audited")
    assert (found["period"], found["status"], found["reason"]) == ("2026-01", "locked", "audited")
    assert statuses(shell, "--year", "2026")["2026-01"] == "locked"


def test_locking_asks_and_without_a_terminal_stops(shell: Shell) -> None:
    shell.write(FILES)
    shell.run("periods", "close", "2026-01")
    ended = spawn("periods", "lock", "2026-01", folder=shell.folder)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(
        "USAGE_001  there is no terminal to ask: Lock 2026-01 of calendar gregorian for good?\n"
    )
    assert statuses(shell, "--year", "2026")["2026-01"] == "closed"


@pytest.mark.parametrize(
    ("before", "arguments", "message"),
    [
        ([], ["lock", "2026-01", "--yes"], "period 2026-01 is open, and must be closed before"),
        (["close"], ["close", "2026-01"], "period 2026-01 is closed already (by "),
        (["close", "lock"], ["close", "2026-01"], "period 2026-01 is locked (by "),
        (["close", "lock"], ["lock", "2026-01", "--yes"], "period 2026-01 is locked already"),
    ],
)
def test_the_way_back_is_refused(
    before: list[str], arguments: list[str], message: str, shell: Shell
) -> None:
    shell.write(FILES)
    for word in before:
        yes = ["--yes"] if word == "lock" else []
        assert shell.run("periods", word, "2026-01", *yes).code == 0
    ended = shell.run("periods", *arguments)
    assert (ended.code, ended.out) == (4, "")
    assert ended.err.startswith(f"PERIOD_006  {message}")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["close", "2026-13"], "PERIOD_001"),
        (["lock", "January", "--yes"], "PERIOD_001"),
        (["close", "2026-01", "--calendar", "lunar"], "PERIOD_002"),
        (["list", "--calendar", "lunar"], "PERIOD_002"),
        (["list", "--year", "soon"], "USAGE_001"),
        (["history", "2026-13"], "PERIOD_001"),
        (["history", "--calendar", "lunar"], "PERIOD_002"),
        (["open", "2026-01"], "USAGE_001"),
    ],
)
def test_what_is_no_period_is_2(arguments: list[str], code: str, shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run("periods", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"{code}  ")


# --- history


def test_the_history_says_who_closed_and_locked_a_period_and_why(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(FILES)
    monkeypatch.setenv("LOGNAME", "ann")
    shell.run("periods", "close", "2026-01", "--reason", "books are closed")
    monkeypatch.setenv("LOGNAME", "ben")
    shell.run("periods", "lock", "2026-01", "--yes")
    found = in_json(shell, "periods", "history", "2026-01")
    assert found["calendar"] == "gregorian"
    assert all(each.pop("changed_at") for each in found["changes"])
    assert found["changes"] == [
        {
            "period": "2026-01",
            "status": "closed",
            "changed_by": "ann",
            "reason": "books are closed",
        },
        {"period": "2026-01", "status": "locked", "changed_by": "ben", "reason": None},
    ]
    lines = shell.run("periods", "history", "2026-01").out.splitlines()
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines]
    assert cells[0] == ["period", "status", "when (UTC)", "by", "reason"]
    assert cells[2][:2] + cells[2][3:] == ["2026-01", "closed", "ann", "books are closed"]
    assert cells[3][:2] + cells[3][3:] == ["2026-01", "locked", "ben"]


def test_without_a_period_the_history_is_that_of_the_calendar(shell: Shell) -> None:
    shell.write(FILES)
    shell.run("periods", "close", "2026-02")
    shell.run("periods", "close", "2026-01")
    shell.run("periods", "close", "FY2026-01", "--calendar", "fiscal")
    changes = in_json(shell, "periods", "history")["changes"]
    assert [each["period"] for each in changes] == ["2026-02", "2026-01"]
    changes = in_json(shell, "periods", "history", "--calendar", "fiscal")["changes"]
    assert [each["period"] for each in changes] == ["FY2026-01"]


def test_what_was_never_closed_is_open_and_no_store_is_made(shell: Shell) -> None:
    shell.write(FILES)
    one, all_ = shell.run("periods", "history", "2026-01"), shell.run("periods", "history")
    assert (one.code, one.out) == (0, "period 2026-01 of calendar gregorian is open\n")
    assert (all_.code, all_.out) == (0, "every period of calendar gregorian is open\n")
    assert in_json(shell, "periods", "history")["changes"] == []
    assert not (shell.folder / ".rowbook").exists()


# --- calendars


def test_calendars_have_their_own_periods(shell: Shell) -> None:
    shell.write(FILES)
    shell.run("periods", "close", "FY2026-13", "--calendar", "fiscal")
    found = statuses(shell, "--calendar", "fiscal", "--year", "2026")
    assert found == {f"FY2026-{n:02}": "open" for n in range(1, 13)} | {"FY2026-13": "closed"}
    assert set(statuses(shell, "--year", "2026").values()) == {"open"}
    assert "FY2026-13" not in statuses(shell, "--calendar", "fiscal", "--year", "2027")


def test_the_store_knows_calendars_by_their_ids(shell: Shell) -> None:
    shell.write(FILES)
    shell.run("periods", "close", "FY2026-01", "--calendar", "fiscal")
    shell.run("periods", "close", "2026-01")
    with opened(shell) as store:
        stated = store.periods.states("00000000-0000-4000-8000-000000000007")
        derived = store.periods.states(derived_id("calendar", "gregorian"))
    assert [each.period for each in (*stated, *derived)] == ["FY2026-01", "2026-01"]


def test_a_calendar_that_only_the_store_has_is_the_same(shell: Shell) -> None:
    applied(shell, FILES)
    shell.run("periods", "close", "FY2026-01", "--calendar", "fiscal")
    (shell.folder / "calendars" / "fiscal.yaml").unlink()
    found = statuses(shell, "--calendar", "fiscal", "--year", "2026")
    assert (found["FY2026-01"], found["FY2026-02"]) == ("closed", "open")


def test_closed_periods_of_other_years_and_levels_are_listed(shell: Shell) -> None:
    shell.write(FILES)
    shell.run("periods", "close", "2019-Q1")
    assert statuses(shell)["2019-Q1"] == "closed"
    assert "2019-Q1" in statuses(shell, "--year", "2019")
    assert "2019-Q1" not in statuses(shell, "--year", "2020")


def test_a_calendar_of_listed_periods_alone_is_listed(shell: Shell) -> None:
    text = """\
calendar:
  name: terms
  levels: [{name: term, identifier: "T{n}"}]
  periods:
    - {identifier: T1, level: term, start: 2026-01-01, end: 2026-05-31}
    - {identifier: T2, level: term, start: 2026-06-01, end: 2026-12-31}
"""
    shell.write(FILES | {"calendars/terms.yaml": text})
    assert shell.run("validate").code == 0
    assert statuses(shell, "--calendar", "terms", "--year", "2026") == {"T1": "open", "T2": "open"}
