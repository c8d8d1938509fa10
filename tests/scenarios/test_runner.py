"""What becomes of scenarios that run."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import Diagnostic, RowbookError
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import NoSessionError, run_scenarios
from rowbook.scenarios.selection import select
from tests.scenarios.executing import RESULT, Executor, codes, run, run_one
from tests.scenarios.samples import FILE, failed, scenario, text_of, workspace


def test_a_scenario_that_gets_what_it_expects_has_passed(tmp_path: Path) -> None:
    result = run_one(tmp_path, scenario("all is well"))
    assert (result.name, result.file, result.line) == ("all is well", FILE, 2)
    assert (result.status, result.mismatches, result.diagnostics) == ("passed", (), ())


def test_a_scenario_that_gets_something_else_has_failed(tmp_path: Path) -> None:
    expect = "{outputs: {result: {rows: [{id: J1, amount: 2}]}}}"
    result = run_one(tmp_path, scenario("two", expect=expect))
    assert result.status == "failed"
    assert "amount: expected 2.00, got 1.00" in text_of(list(result.mismatches))


def test_rows_are_told_by_the_natural_key_of_the_input(tmp_path: Path) -> None:
    expect = "{outputs: {result: {rows: [{amount: 2, id: J1}]}}}"
    result = run_one(tmp_path, scenario("two", expect=expect))
    assert "    id 'J1' (line 6)" in text_of(list(result.mismatches)).splitlines()


def test_an_error_of_the_run_that_is_not_expected_fails_and_is_kept(tmp_path: Path) -> None:
    result = run_one(tmp_path, scenario("x"), Executor(failed("RUN_001", "overflow")))
    assert (result.status, codes(result)) == ("failed", ["RUN_001"])


def test_an_error_of_the_run_that_is_expected_passes(tmp_path: Path) -> None:
    text = scenario("x", expect="{error: {code: RUN_001, contains: over}}")
    assert run_one(tmp_path, text, Executor(failed("RUN_001", "overflow"))).status == "passed"


def test_an_error_that_the_executor_raises_is_one_of_the_run(tmp_path: Path) -> None:
    def refuse() -> Outcome:
        raise RowbookError(Diagnostic("JOIN_005", "two matches"))

    text = scenario("x", expect="{error: {code: JOIN_005}}")
    assert run_one(tmp_path, text, Executor(refuse)).status == "passed"


def test_an_unexpected_exception_is_the_scenarios_own_and_the_rest_goes_on(tmp_path: Path) -> None:
    outcomes = iter([None, RESULT])

    def fail_once() -> Outcome:
        outcome = next(outcomes)
        if outcome is None:
            raise KeyError("lost")
        return outcome

    files = workspace(tmp_path, scenario("one") + scenario("two"))
    first, second = run(files, Executor(fail_once))
    assert (first.status, codes(first)) == ("error", ["INTERNAL"])
    assert first.diagnostics[0].message == "KeyError: 'lost'"
    assert "fail_once" in first.trace
    assert second.status == "passed"


def test_no_scenario_is_at_fault_where_spark_does_not_start(tmp_path: Path) -> None:
    def refuse() -> Outcome:
        raise NoSessionError(Diagnostic("ENGINE_001", "no suitable Java"))

    expecting = scenario("two", expect="{error: {code: ENGINE_001}}")
    execute = Executor(refuse)
    with pytest.raises(NoSessionError, match="no suitable Java"):
        run(workspace(tmp_path, scenario("one") + expecting), execute)
    assert execute.called == ["one"]


def test_each_scenario_is_told_of_as_it_begins(tmp_path: Path) -> None:
    files = workspace(tmp_path, scenario("one") + scenario("two"))
    told: list[str] = []
    execute = Executor()
    run_scenarios(
        select(files),
        files,
        execute,
        on_done=lambda result: told.append(f"{result.name} is done"),
        on_begin=told.append,
    )
    assert told == ["one", "one is done", "two", "two is done"]


def test_an_interrupt_ends_the_whole(tmp_path: Path) -> None:
    def interrupt() -> Outcome:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_one(tmp_path, scenario("one"), Executor(interrupt))


def test_each_result_is_told_as_it_comes_with_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter([10.0, 10.5, 20.0, 23.0])
    monkeypatch.setattr("rowbook.scenarios.runner.monotonic", lambda: next(ticks))
    told: list[tuple[str, float]] = []
    files = workspace(tmp_path, scenario("one") + scenario("two"))
    run_scenarios(select(files), files, Executor(), lambda r: told.append((r.name, r.duration)))
    assert told == [("one", 0.5), ("two", 3.0)]


def test_expected_rows_may_stand_in_a_file(tmp_path: Path) -> None:
    expect = "{outputs: {result: {file: result.csv}}}"
    text = scenario("x", expect=expect)
    assert run_one(tmp_path, text, result__csv="id,amount\nJ1,1.0\n").status == "passed"
    assert run_one(tmp_path, text, result__csv="id,amount\nJ1,1.1\n").status == "failed"
