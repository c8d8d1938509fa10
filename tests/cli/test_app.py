"""What ends a command is told to people and to programs, all of it."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator

import pytest

from rowbook.cli.app import heed_termination
from rowbook.cli.render.diagnostics import as_json, lines
from rowbook.errors import Diagnostic, OperationRef, RowbookError
from rowbook.errors.termination import TerminationError
from tests.support.shell import Shell

TWO = RowbookError(Diagnostic("STORE_001", "first"), Diagnostic("STORE_002", "second"))


@pytest.fixture
def broken(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A workspace whose check ends with two errors that have no place in a file."""

    def fail(*_: object, **__: object) -> None:
        raise TWO

    monkeypatch.setattr("rowbook.runs.open_workspace.OpenWorkspace", fail)
    shell.write({"rowbook.yaml": "workspace: {name: acme}\n"})
    return shell


@pytest.mark.parametrize("words", [("--format", "json"), ("--format=json",)])
def test_all_errors_are_in_the_json(words: tuple[str, ...], broken: Shell) -> None:
    ended = broken.run("validate", *words)
    found = json.loads(ended.out)
    assert (ended.code, found["ok"]) == (2, False)
    assert [error["message"] for error in found["errors"]] == ["first", "second"]


def test_all_errors_are_on_stderr(broken: Shell) -> None:
    ended = broken.run("validate")
    assert ended.out == ""
    assert [line for line in ended.err.splitlines() if not line.startswith(" ")] == [
        "STORE_001  first",
        "STORE_002  second",
    ]


def test_wrong_words_are_json_too(shell: Shell) -> None:
    ended = shell.run("validate", "--format", "json", "--colour")
    (error,) = json.loads(ended.out)["errors"]
    assert (ended.code, error["code"]) == (2, "USAGE_001")


def test_a_preview_of_faulty_definitions_has_all_errors_in_its_json(shell: Shell) -> None:
    shell.run("init", ".")
    project = shell.folder / "projects" / "monthly_close.yaml"
    text = project.read_text(encoding="utf-8").replace("gl.amount", "gl.amout")
    project.write_text(text.replace("amount = 0", "amont = 0"), encoding="utf-8")
    ended = shell.run("preview", "monthly_close", "--period", "2026-01", "--format", "json")
    found = json.loads(ended.out)
    assert (ended.code, found["ok"]) == (1, False)
    assert len(found["errors"]) > 1
    ran = shell.run("run", "monthly_close", "--period", "2026-01", "--format", "json")
    result = json.loads(ran.out)
    assert (ran.code, result["run_id"], result["error"]) == (1, None, result["errors"][0])
    assert result["errors"] == found["errors"]


def test_the_operation_is_a_field_of_its_own() -> None:
    found = Diagnostic("RUN_001", "it does not fit", operation=OperationRef(20, "count"))
    assert as_json(found)["operation"] == {"seq": 20, "name": "count"}
    assert as_json(found)["message"] == "it does not fit"
    assert next(lines(found)) == "RUN_001  operation 20 'count': it does not fit"


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
def test_who_ends_the_process_is_told_from_who_says_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    heed_termination()
    with pytest.raises(KeyboardInterrupt) as interrupted:
        signal.raise_signal(signal.SIGINT)
    assert interrupted.type is KeyboardInterrupt
    with pytest.raises(TerminationError):
        signal.raise_signal(signal.SIGTERM)


@pytest.mark.usefixtures("handlers")
def test_a_process_that_is_deaf_to_ctrl_c_is_ended_all_the_same() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    heed_termination()
    signal.raise_signal(signal.SIGINT)
    with pytest.raises(TerminationError):
        signal.raise_signal(signal.SIGTERM)
