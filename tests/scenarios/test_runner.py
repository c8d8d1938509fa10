"""Which scenarios are run at all, and what becomes of faults."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from rowbook.definitions.folder import WorkspaceFiles
from rowbook.definitions.loading import Entry
from rowbook.definitions.scenario import ScenarioDefinition
from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions import types as t
from rowbook.planning.scenarios import ScenarioSetting
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.runner import ScenarioResult, run_scenarios
from rowbook.scenarios.selection import select

from .samples import FILE, WORKSPACE, failed, scenario, table, text_of, workspace, written

RESULT = written(table({"id": t.STRING, "amount": t.decimal(18, 2)}, ("J1", Decimal("1.00"))))


class Executor:
    """Gives one outcome, and remembers for which scenarios."""

    def __init__(self, outcome: Outcome | Callable[[], Outcome] = RESULT) -> None:
        self.outcome = outcome
        self.called: list[str] = []

    def __call__(self, entry: Entry[ScenarioDefinition], setting: ScenarioSetting) -> Outcome:
        assert setting.planned.plan is not None
        self.called.append(entry.model.name)
        return self.outcome if isinstance(self.outcome, Outcome) else self.outcome()


def run(files: WorkspaceFiles, execute: Executor | None = None) -> list[ScenarioResult]:
    return run_scenarios(select(files), files, execute or Executor())


def run_one(
    folder: Path, text: str, execute: Executor | None = None, **files: str
) -> ScenarioResult:
    (result,) = run(workspace(folder, text, **files), execute)
    return result


def codes(result: ScenarioResult) -> list[str]:
    return [d.code for d in result.diagnostics]


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


INLINE = "{{input_dataset_id: entries, operations: [{}]}}"
COMPILE_TIME = {
    "UPDATE_001": {"project": INLINE.format("{seq: 1, name: a, type: update}")},
    "EXPR_002": {"project": INLINE.format("{seq: 1, name: a, type: delete, selector: amout > 0}")},
    "PROJECT_001": {"project": "{input_dataset_id: nothing}"},
    "PROJECT_004": {"project": INLINE.format("{seq: 1, name: a, type: upsert}")},
    "YAML_002": {"project": INLINE.format("{seq: 1, name: a, type: delete, were: x}")},
    "YAML_003": {"project": "{operations: []}"},
    "DATASET_002": {
        "datasets": "[{name: entries, main_table: {name: gl, columns: [{name: id, type: text}]}}]",
        "input": "{entries: {rows: []}}",
    },
    "YAML_004": {"datasets": "[{name: entries, main_table: gl}]"},
    "PERIOD_001": {"period": "'2026-13'"},
    "SCENARIO_001": {"input": "{}"},
    "SCENARIO_002": {"project": "clothes"},
    "SCENARIO_004": {"input": "{entries: {rows: [{id: J1, amount: much}]}}"},
}


@pytest.mark.parametrize(("code", "parts"), COMPILE_TIME.items(), ids=COMPILE_TIME)
def test_an_expected_error_that_needs_no_run_is_met_without_one(
    tmp_path: Path, code: str, parts: dict[str, str]
) -> None:
    execute = Executor()
    text = scenario("x", **{"expect": f"{{error: {{code: {code}}}}}", **parts})
    result = run_one(tmp_path, text, execute)
    assert (result.status, codes(result), execute.called) == ("passed", [], [])


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("UPDATE_001", "failed"),
        ("EXPR_002", "failed"),
        ("PROJECT_001", "failed"),
        ("PROJECT_004", "failed"),
        ("YAML_002", "failed"),
        ("DATASET_002", "failed"),
        ("YAML_003", "error"),
        ("YAML_004", "error"),
        ("PERIOD_001", "error"),
        ("SCENARIO_001", "error"),
        ("SCENARIO_002", "error"),
        ("SCENARIO_004", "error"),
    ],
)
def test_the_same_error_unexpected_is_shown_without_a_run(
    tmp_path: Path, code: str, status: str
) -> None:
    execute = Executor()
    parts = {"expect": "{working: {rows: []}}", **COMPILE_TIME[code]}
    result = run_one(tmp_path, scenario("x", **parts), execute)
    assert result.status == status
    assert code in codes(result)
    assert execute.called == []


@pytest.mark.parametrize("code", ["YAML_003", "UPDATE_001", "DATASET_002"])
def test_another_error_than_the_expected_one_fails(tmp_path: Path, code: str) -> None:
    parts = {**COMPILE_TIME[code], "expect": "{error: {code: APPEND_003}}"}
    result = run_one(tmp_path, scenario("x", **parts))
    assert result.status == "failed"
    assert result.mismatches[0].message == f"expected error APPEND_003, got {code}"


FAULTY = {
    "expects nothing": ({"expect": "{}"}, "SCENARIO_005"),
    "expects both": (
        {"expect": "{error: {code: RUN_001}, outputs: {result: {rows: []}}}"},
        "SCENARIO_005",
    ),
    "expects what it is itself": ({"expect": "{error: {code: SCENARIO_005}, x: 1}"}, "YAML_002"),
    "no such code": ({"expect": "{error: {code: RUM_001}}"}, "SCENARIO_005"),
    "no such output": ({"expect": "{outputs: {resul: {rows: []}}}"}, "SCENARIO_003"),
    "no such file": ({"expect": "{outputs: {result: {file: gone.csv}}}"}, "YAML_001"),
    "unknown key": ({"matches": "{}"}, "YAML_002"),
    "faulty part": ({"match": "{mode: fuzzy}"}, "YAML_004"),
}


@pytest.mark.parametrize(("parts", "code"), FAULTY.values(), ids=FAULTY)
def test_a_scenario_with_faults_of_its_own_is_not_run(
    tmp_path: Path, parts: dict[str, str], code: str
) -> None:
    execute = Executor()
    result = run_one(tmp_path, scenario("x", **parts), execute)
    assert (result.name, result.status) == ("x", "error")
    assert code in codes(result)
    assert execute.called == []


def test_expected_rows_may_stand_in_a_file(tmp_path: Path) -> None:
    expect = "{outputs: {result: {file: result.csv}}}"
    text = scenario("x", expect=expect)
    assert run_one(tmp_path, text, result__csv="id,amount\nJ1,1.0\n").status == "passed"
    assert run_one(tmp_path, text, result__csv="id,amount\nJ1,1.1\n").status == "failed"


class TestBrokenWorkspace:
    def broken(self, folder: Path, old: str, new: str) -> ScenarioResult:
        base = WORKSPACE.replace(old, new)
        (result,) = run(workspace(folder, scenario("x"), base=base))
        return result

    def test_a_faulty_operation_of_the_project_is_an_error_of_the_scenario(
        self, tmp_path: Path
    ) -> None:
        result = self.broken(tmp_path, "type: output", "type: outputs")
        assert (result.status, codes(result)) == ("failed", ["PROJECT_004"])

    def test_a_faulty_column_of_its_dataset_too(self, tmp_path: Path) -> None:
        result = self.broken(tmp_path, '"decimal(18,2)"', "money")
        assert (result.status, codes(result)) == ("failed", ["DATASET_002"])

    def test_a_dataset_that_cannot_be_read_too(self, tmp_path: Path) -> None:
        result = self.broken(tmp_path, "name: gl", "name: [gl]")
        assert (result.status, codes(result)) == ("failed", ["YAML_004"])

    def test_a_project_that_cannot_be_read_too(self, tmp_path: Path) -> None:
        result = self.broken(tmp_path, "input_dataset_id: entries", "input_dataset_id: [x]")
        assert (result.status, codes(result)) == ("failed", ["YAML_004"])

    def test_a_faulty_calendar_too(self, tmp_path: Path) -> None:
        calendar = (
            "calendar: {name: fiscal, levels: [{name: year, identifier: '{x}'}]}\n---\nproject:"
        )
        result = self.broken(tmp_path, "project:", f"{calendar}\n  calendar_id: fiscal")
        assert result.status == "failed"
        assert set(codes(result)) == {"PERIOD_003"}

    def test_what_the_scenario_does_not_use_does_no_harm(self, tmp_path: Path) -> None:
        other = "dataset: {name: other, main_table: {name: t, columns: []}}\n---\nproject:"
        assert self.broken(tmp_path, "project:", other).status == "passed"
