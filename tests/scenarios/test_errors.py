"""Faults that are found before a scenario runs: expected, unexpected, its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.scenarios.runner import ScenarioResult
from tests.scenarios.executing import Executor, codes, run, run_one
from tests.scenarios.samples import WORKSPACE, scenario, workspace

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
    "expects its own fault": (
        {"expect": "{error: {code: SCENARIO_005}, outputs: {result: {rows: []}}}"},
        "SCENARIO_005",
    ),
    "cannot be read, and expects that": (
        {"expect": "{error: {code: YAML_003}}", "period": ""},
        "YAML_003",
    ),
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

    def test_faults_elsewhere_are_not_the_projects(self, tmp_path: Path) -> None:
        (tmp_path / "datasets").mkdir()
        (tmp_path / "datasets" / "x.yaml").write_text("dataset: {name: [x]}")
        result = self.broken(tmp_path, "type: output", "type: outputs")
        assert codes(result) == ["PROJECT_004"]

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
