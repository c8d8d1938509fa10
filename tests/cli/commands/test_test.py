"""`rowbook test` from end to end, by the reference engine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rowbook.cli import app as command_line
from rowbook.engine.session.settings import EngineSettings
from rowbook.errors import RowbookError
from rowbook.scenarios import reference_execution
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.scenario_run import ScenarioRun
from tests.scenarios.samples import scenario, workspace

GOOD = scenario("one is one")
BAD = scenario("one is two", expect="{outputs: {result: {rows: [{id: J1, amount: 2}]}}}")
REFUSED = scenario("no such column", expect="{error: {code: EXPR_002}}", project="""
    input_dataset_id: entries
    operations: [{seq: 1, name: a, type: delete, selector: amout > 0}]""")  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a scenario that passes, one that fails, and one that needs no run."""
    workspace(tmp_path, GOOD + BAD, refused__yaml=REFUSED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    return command_line.run(["test", *arguments])


def test_results_are_shown_line_by_line_with_details_and_a_summary(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run() == 1
    shown = capsys.readouterr()
    assert shown.out == (
        "✓ no such column\n"
        "✓ one is one\n"
        "✗ one is two\n"
        "\n"
        "✗ one is two\n"
        "  scenarios/trial.yaml:9\n"
        "  output result: expected 1 row, got 1: 1 different  (line 13)\n"
        "    different rows\n"
        "      id 'J1' (line 13)\n"
        "        amount: expected 2.00, got 1.00\n"
        "\n"
        "2 passed, 1 failed\n"
    )
    assert shown.err == ""


def test_the_exit_code_is_0_when_all_pass(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-k", "ONE IS ONE") == 0
    assert capsys.readouterr().out == "✓ one is one\n\n1 passed\n"


def test_quiet_shows_what_failed_and_the_summary(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("-q") == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("\n✗ one is two\n  scenarios/trial.yaml:9\n")
    assert shown.out.endswith("\n2 passed, 1 failed\n")
    assert "✓" not in shown.out
    assert shown.err == ""


def test_json_stands_alone_on_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--format", "json") == 1
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert (found["passed"], found["failed"], shown.err) == (2, 1, "")
    assert found["engine"] == "reference"
    assert [s["status"] for s in found["scenarios"]] == ["passed", "passed", "failed"]
    cells = found["scenarios"][2]["diff"]["mismatches"][0]["different"][0]["cells"]
    assert cells == [{"column": "amount", "expected": "2.00", "got": "1.00"}]


@pytest.mark.parametrize(
    ("arguments", "ran"),
    [
        ([], ["no such column", "one is one", "one is two"]),
        (["scenarios"], ["no such column", "one is one", "one is two"]),
        (["."], ["no such column", "one is one", "one is two"]),
        (["scenarios/refused.yaml"], ["no such column"]),
        (["scenarios/trial.yaml", "-k", "two"], ["one is two"]),
        (
            ["scenarios/refused.yaml", "scenarios/trial.yaml"],
            ["no such column", "one is one", "one is two"],
        ),
    ],
)
def test_paths_and_text_select(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], ran: list[str]
) -> None:
    run("--format", "json", *arguments)
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["scenarios"]] == ran


def test_the_workspace_may_be_elsewhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder.parent)
    assert run("-C", folder.name, "scenarios/trial.yaml", "-k", "two") == 1
    assert f"  {folder.name}/scenarios/trial.yaml:9\n" in capsys.readouterr().out
    assert run(f"{folder.name}/scenarios/trial.yaml", "-k", "is one") == 0


@pytest.fixture
def masters(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The Spark masters that a session was asked of; none starts."""
    asked: list[str] = []

    def refuse(settings: EngineSettings, *, debug: bool) -> None:
        asked.append(settings.master)
        raise RowbookError.of("ENGINE_001", "no suitable Java")

    monkeypatch.setattr("rowbook.scenarios.spark_execution.open_session", refuse)
    return asked


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["--engine", "reference"], []),
        (["--engine", "spark"], ["local[3]"]),
        (["--engine", "local[1]"], ["local[1]"]),
        (["--both"], ["local[3]"]),
        (["--both", "--engine", "local[1]"], ["local[1]"]),
        ([], []),
    ],
)
def test_spark_starts_where_it_is_asked_for(
    folder: Path, masters: list[str], arguments: list[str], asked: list[str]
) -> None:
    settings = (folder / "rowbook.yaml").read_text()
    settings = settings.replace("{name: acme}", "{name: acme, engine: {master: 'local[3]'}}")
    (folder / "rowbook.yaml").write_text(settings)
    assert run("-k", "one is one", *arguments) == (2 if asked else 0)
    assert masters == asked


@pytest.mark.parametrize("module", ["pyspark", "pyarrow", "sqlalchemy", "pandas"])
def test_the_reference_engine_waits_for_no_library_of_spark(folder: Path, module: str) -> None:
    code = (
        "import sys; from rowbook.cli.app import run; run(['test', '-k', 'one is one']);"
        f" sys.exit('{module}' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)


USAGE = {
    "no such path": (["nowhere"], "nowhere does not exist"),
    "no such workspace": (["-C", "nowhere"], "nowhere is not a folder"),
    "no such name": (["-k", "three"], "there is no scenario whose name contains 'three'"),
    "no scenario there": (["rowbook.yaml"], "there is no scenario in rowbook.yaml"),
    "unknown format": (["--format", "xml"], "'xml' is not one of"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_2_with_a_message(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(*arguments) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


def test_a_workspace_without_scenarios_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (folder / "scenarios").iterdir():
        file.unlink()
    assert run() == 2
    assert "the workspace has no scenarios" in capsys.readouterr().err


def test_a_workspace_whose_settings_cannot_be_read_is_2(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "rowbook.yaml").write_text("workspace: {nam: x}\n")
    assert run() == 2
    assert "rowbook.yaml:1:" in capsys.readouterr().err


def test_paths_of_two_workspaces_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace(folder / "inner", GOOD)
    assert run("scenarios", "inner/scenarios") == 2
    assert "different workspaces" in capsys.readouterr().err


def test_junit_is_written_beside_the_text(folder: Path) -> None:
    assert run("--junit", "build/scenarios.xml") == 1
    root = ElementTree.parse(folder / "build" / "scenarios.xml").getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "0")
    assert {case.get("classname") for case in root.iter("testcase")} == {
        "scenarios/refused.yaml",
        "scenarios/trial.yaml",
    }


def test_a_junit_file_that_cannot_be_written_is_a_clear_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("-k", "one is one", "--junit", "scenarios") == 2
    shown = capsys.readouterr()
    assert "1 passed" in shown.out
    assert "USAGE_001  the JUnit file scenarios cannot be written: Is a directory" in shown.err


class TestCrash:
    @pytest.fixture(autouse=True)
    def crashing(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        workspace(folder, scenario("crash") + GOOD)
        usual = reference_execution.compute

        def crash(run: ScenarioRun) -> Outcome:
            if run.entry.model.name == "crash":
                raise ZeroDivisionError("division by zero")
            return usual(run)

        monkeypatch.setattr(reference_execution, "compute", crash)

    def test_it_is_one_scenarios_error(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run() == 1
        out = capsys.readouterr().out
        assert "INTERNAL  ZeroDivisionError: division by zero" in out
        assert "Traceback" not in out
        assert "2 passed, 1 failed" in out

    def test_debug_shows_where(self, capsys: pytest.CaptureFixture[str]) -> None:
        run("--debug")
        assert "Traceback" in capsys.readouterr().out
