"""Which scenarios a path or a text selects; none is lost because its text is faulty."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.scenarios.selection import Unread, name_of, select
from tests.scenarios.samples import scenario, workspace


@pytest.fixture
def files(tmp_path: Path) -> WorkspaceFiles:
    (tmp_path / "scenarios" / "deep").mkdir(parents=True)
    (tmp_path / "scenarios" / "deep" / "more.yaml").write_text(scenario("deep Budget"))
    text = scenario("actuals first") + scenario("ÜBERTRAG of budget")
    return workspace(tmp_path, text, other__yaml=scenario("other"))


@pytest.mark.parametrize(
    ("paths", "text", "names"),
    [
        ([], "", ["deep Budget", "other", "actuals first", "ÜBERTRAG of budget"]),
        (["scenarios"], "", ["deep Budget", "other", "actuals first", "ÜBERTRAG of budget"]),
        (["scenarios/trial.yaml"], "", ["actuals first", "ÜBERTRAG of budget"]),
        (["scenarios/deep"], "", ["deep Budget"]),
        (["scenarios/deep", "scenarios/other.yaml"], "", ["deep Budget", "other"]),
        ([], "budget", ["deep Budget", "ÜBERTRAG of budget"]),
        ([], "übertrag", ["ÜBERTRAG of budget"]),
        (["scenarios/trial.yaml"], "BUDGET", ["ÜBERTRAG of budget"]),
        ([], "bud.*t", []),
        (["datasets"], "", []),
    ],
)
def test_scenarios_are_selected_by_path_and_name(
    files: WorkspaceFiles, paths: list[str], text: str, names: list[str]
) -> None:
    selected = select(files, [files.root / path for path in paths], text)
    assert [name_of(each) for each in selected] == names


FAULTY = {
    "a key is missing": ("scenario: {name: lost, period: '2026-01'}", "lost", "YAML_003"),
    "no name": ("scenario: {period: '2026-01'}", "(no name)", "YAML_003"),
    "not YAML": ("scenario: {name: lost", "scenarios/bad.yaml", "YAML_005"),
    "another kind": ("scenari: {name: lost}", "scenarios/bad.yaml", "YAML_009"),
    "a control character": ("scenario: \x01", "scenarios/bad.yaml", "YAML_001"),
}


@pytest.mark.parametrize(("text", "name", "code"), FAULTY.values(), ids=FAULTY)
def test_a_scenario_that_cannot_be_read_is_there_with_its_faults(
    tmp_path: Path, text: str, name: str, code: str
) -> None:
    files = workspace(tmp_path, scenario("good"), bad__yaml=text)
    bad, good = select(files)
    assert isinstance(bad, Unread)
    assert (bad.name, {d.code for d in bad.diagnostics}) == (name, {code})
    assert name_of(good) == "good"


def test_the_good_ones_beside_a_faulty_one_in_a_file_are_kept(tmp_path: Path) -> None:
    files = workspace(
        tmp_path, scenario("one") + "scenario: {name: two}\n---\n" + scenario("three")
    )
    assert [name_of(each) for each in select(files)] == ["one", "two", "three"]


def test_a_faulty_scenario_is_selected_by_its_name(tmp_path: Path) -> None:
    files = workspace(tmp_path, scenario("one") + "scenario: {name: two}\n---\n")
    assert [name_of(each) for each in select(files, text="TWO")] == ["two"]


def test_faults_of_other_files_make_no_scenario(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "bad.yaml").write_text("project: {name: [x]}")
    assert [name_of(each) for each in select(workspace(tmp_path, scenario("one")))] == ["one"]
