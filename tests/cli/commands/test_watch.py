"""`rowbook watch`: what it prints, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import IO

import pytest

from tests.support.shell import SCRIPT, Shell
from tests.watch.workspaces import FILES, Watched


def test_one_round_for_people(shell: Shell) -> None:
    shell.write(FILES)
    done = shell.run("watch", "close", "--period", "2026-01", "--once")
    *lines, time = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines == [
        "no errors in the definitions",
        "2 scenarios: 2 passed",
        "close for 2026-01: 2 rows after its last operation",
    ]
    assert time.endswith(" s")


def test_one_round_for_programs_has_one_object_a_line(shell: Shell) -> None:
    shell.write(FILES)
    done = shell.run("watch", "--once", "--format", "json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert [each["event"] for each in events] == ["round", "checked", "scenarios", "end"]
    assert (events[2]["passed"], events[2]["total"]) == (2, 2)
    assert events[3]["ok"]


def test_a_round_with_errors_or_failed_scenarios_is_one_with_findings(shell: Shell) -> None:
    shell.write(FILES)
    shell.write(
        {"scenarios/close.yaml": FILES["scenarios/close.yaml"].replace("twice: 4", "twice: 5")}
    )
    done = shell.run("watch", "--once")
    assert done.code == 1
    assert "twice: expected 5, got 4" in done.out
    assert "2 scenarios: 1 passed, 1 failed" in done.out
    shell.write(
        {"projects/close.yaml": FILES["projects/close.yaml"].replace("amount * 2", "amout")}
    )
    done = shell.run("watch", "--once")
    assert done.code == 1
    assert "projects/close.yaml:10:62  EXPR_002  unknown column 'amout'" in done.out
    assert "scenario" not in done.out


def test_a_project_that_there_is_not_is_wrong_usage(shell: Shell) -> None:
    shell.write(FILES)
    assert shell.run("watch", "clothes", "--period", "2026-01").code == 2
    assert "a period is missing" in shell.run("watch", "close").err


def round_of(output: IO[str]) -> str:
    """What is printed until a save is waited for."""
    lines = []
    for line in iter(output.readline, ""):
        lines.append(line)
        if line.endswith("waiting for a save, Ctrl-C ends\n"):
            break
    return "".join(lines)


@pytest.mark.slow
def test_it_goes_on_until_ctrl_c(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    command = [str(SCRIPT), "watch", "close", "--period", "2026-01"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        assert "2 scenarios: 2 passed" in round_of(watching.stdout)
        watched.save("projects/close.yaml", "amount * 2", "amount * 3")
        second = round_of(watching.stdout)
        watching.send_signal(signal.SIGINT)
    assert "  projects/close.yaml changed\n" in second
    assert "1 of 2 scenarios, by project close: 0 passed, 1 failed\n" in second
    assert "close for 2026-01, operation 10 'double': 3 rows changed (of 3)\n" in second
    assert "  ~ id a: twice 2 → 3\n" in second
    assert watching.returncode == 130
