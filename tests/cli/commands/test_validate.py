"""`rowbook validate`: SPEC section 10. Exit codes, JSON, and which findings are printed."""

from __future__ import annotations

import json

import pytest

from tests.cli.faulty_books import WARNED, WRONG, deleting
from tests.support.paths import EXAMPLE
from tests.support.shell import Shell


def test_a_sound_workspace_is_0(shell: Shell) -> None:
    shell.write(deleting('"amount = 0"'))
    ended = shell.run("validate")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "0 errors, 0 warnings  (1 dataset, 1 resolver, 1 project)\n"


def test_the_example_is_sound(shell: Shell) -> None:
    ended = shell.run("validate", "-C", str(EXAMPLE))
    assert (ended.code, ended.out) == (
        0,
        "0 errors, 0 warnings  (4 datasets, 2 datasources, 1 resolver, 1 calendar, 1 project,"
        " 2 scenarios)\n",
    )


def test_errors_are_1(shell: Shell) -> None:
    shell.write(WRONG)
    assert shell.run("validate").code == 1


def test_warnings_alone_are_0(shell: Shell) -> None:
    shell.write(WARNED)
    ended = shell.run("validate")
    assert ended.code == 0
    assert ended.out.endswith("0 errors, 1 warning  (1 dataset, 1 resolver, 1 project)\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["validate"], "WORKSPACE_001  no rowbook.yaml in . or above it"),
        (["validate", "-C", "nowhere"], "WORKSPACE_001  nowhere is not a folder"),
        (["validate", "nowhere.yaml"], "USAGE_001  nowhere.yaml does not exist"),
        (["validate", "a" * 5000], f"USAGE_001  {'a' * 5000} does not exist"),
        (["validate", "--nope"], "USAGE_001  No such option: --nope"),
        (["validate", "--format", "xml"], "USAGE_001  Invalid value for '--format'"),
        (["nope"], "USAGE_001  No such command 'nope'"),
        ([], "Usage: rowbook"),
    ],
)
def test_wrong_usage_is_2_and_goes_to_stderr(
    arguments: list[str], message: str, shell: Shell
) -> None:
    ended = shell.run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(message)
    assert "fault of Rowbook" not in ended.err


def test_a_rowbook_yaml_without_workspace_is_2(shell: Shell) -> None:
    shell.write({"rowbook.yaml": "# empty\n"})
    ended = shell.run("validate")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "WORKSPACE_001  rowbook.yaml has no 'workspace:' document\n"
        "    start it with workspace: and its name\n"
    )


def test_help_is_0(shell: Shell) -> None:
    ended = shell.run("validate", "--help")
    assert (ended.code, ended.err) == (0, "")
    assert "Check every definition of a workspace" in ended.out


def test_an_interrupt_is_130(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rowbook.runs.open_workspace.OpenWorkspace", interrupted)
    shell.write(WRONG)
    assert shell.run("validate").code == 130


def test_json_of_an_error(shell: Shell) -> None:
    shell.write(WRONG)
    ended = shell.run("validate", "--format", "json")
    assert (ended.code, ended.err) == (1, "")
    assert json.loads(ended.out) == {
        "ok": False,
        "errors": [
            {
                "code": "EXPR_002",
                "message": "unknown column 'amout'",
                "file": "projects/close.yaml",
                "line": 8,
                "column": 18,
                "hint": "did you mean 'amount'?  columns: currency, amount, _row_id,"
                " _source_dataset_id, _source_table, _operation_seq, _created_by_project_id,"
                " _created_by_run_id, _created_at, _updated_at, _deleted, _labels",
                "operation": None,
            }
        ],
        "warnings": [],
        "notes": [],
    }


def test_json_of_a_warning(shell: Shell) -> None:
    shell.write(WARNED)
    ended = shell.run("validate", "--format", "json")
    assert ended.code == 0
    assert json.loads(ended.out) == {
        "ok": True,
        "errors": [],
        "warnings": [
            {
                "code": "UPDATE_007",
                "message": "storing decimal(22,5) in 'net', decimal(20,2), cuts 3 digits of scale",
                "file": "projects/close.yaml",
                "line": 6,
                "column": 92,
                "hint": "round in the expression, or give the column more scale where it is made",
                "operation": None,
            }
        ],
        "notes": [],
    }


def test_json_of_nothing(shell: Shell) -> None:
    shell.write(deleting('"amount = 0"'))
    ended = shell.run("validate", "--format", "json")
    assert json.loads(ended.out) == {"ok": True, "errors": [], "warnings": [], "notes": []}


def test_files_in_json_are_named_from_the_workspace(shell: Shell) -> None:
    shell.write({f"deep/{name}": text for name, text in WRONG.items()})
    ended = shell.run("validate", "-C", "deep", "--format", "json")
    assert json.loads(ended.out)["errors"][0]["file"] == "projects/close.yaml"


def test_text_in_json_is_readable(shell: Shell) -> None:
    shell.write(deleting("\"currency = '€' AND größe = 1\""))
    ended = shell.run("validate", "--format", "json")
    assert "größe" not in ended.out
    assert json.loads(ended.out)["errors"][0]["code"] == "EXPR_001"
    assert "'ö'" in ended.out


TWO = {
    **WRONG,
    "projects/other.yaml": WRONG["projects/close.yaml"].replace("name: close", "name: other"),
    "datasets/d.yaml": "dataset: {name: d}\n",
}


def found_in(shell: Shell, *arguments: str) -> list[str]:
    """The files of all findings."""
    ended = shell.run("validate", "--format", "json", *arguments)
    return [error["file"] for error in json.loads(ended.out)["errors"]]


def test_all_findings_of_all_files(shell: Shell) -> None:
    shell.write(TWO)
    assert found_in(shell) == ["datasets/d.yaml", "projects/close.yaml", "projects/other.yaml"]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["projects/close.yaml"], ["projects/close.yaml"]),
        (["projects"], ["projects/close.yaml", "projects/other.yaml"]),
        (["datasets", "projects/other.yaml"], ["datasets/d.yaml", "projects/other.yaml"]),
        (["rowbook.yaml"], []),
        (["."], ["datasets/d.yaml", "projects/close.yaml", "projects/other.yaml"]),
        (["./projects/../datasets/d.yaml"], ["datasets/d.yaml"]),
    ],
)
def test_paths_choose_what_is_shown(paths: list[str], expected: list[str], shell: Shell) -> None:
    shell.write(TWO)
    assert found_in(shell, *paths) == expected


def test_a_path_without_findings_is_0(shell: Shell) -> None:
    shell.write(TWO)
    ended = shell.run("validate", "rowbook.yaml")
    assert ended.code == 0
    assert ended.out.startswith("0 errors, 0 warnings")


def test_a_path_finds_its_workspace(shell: Shell) -> None:
    shell.write({f"deep/{name}": text for name, text in TWO.items()})
    ended = shell.run("validate", "deep/datasets/d.yaml")
    assert ended.code == 1
    assert ended.out.startswith("deep/datasets/d.yaml:1:10  YAML_003")


def test_a_folder_that_is_a_workspace_is_checked_whole(shell: Shell) -> None:
    shell.write({f"deep/{name}": text for name, text in TWO.items()})
    assert len(found_in(shell, "deep")) == 3


def test_dash_c_names_the_workspace(shell: Shell) -> None:
    shell.write({f"deep/{name}": text for name, text in TWO.items()})
    ended = shell.run("validate", "-C", "deep", "deep/projects/close.yaml")
    assert ended.out.startswith("deep/projects/close.yaml:8:18  EXPR_002")


def test_paths_may_be_taken_from_there(shell: Shell) -> None:
    shell.write({f"deep/{name}": text for name, text in TWO.items()})
    assert found_in(shell, "-C", "deep", "projects/close.yaml") == ["projects/close.yaml"]


def test_the_workspace_may_be_above(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write(TWO)
    monkeypatch.chdir(shell.folder / "projects")
    ended = shell.run("validate")
    assert ended.out.startswith("../datasets/d.yaml:1:10")


def test_paths_of_two_workspaces_are_refused(shell: Shell) -> None:
    shell.write({f"{folder}/{name}": text for folder in "ab" for name, text in TWO.items()})
    ended = shell.run("validate", "a/projects", "b/projects")
    assert (ended.code, ended.err.splitlines()[0]) == (
        2,
        "USAGE_001  the paths belong to different workspaces",
    )
