"""`rowbook init`: what it says, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rowbook.starter.template_files import template_files, workspace_name
from tests.support.shell import Shell, spawn


def test_it_says_what_it_made_and_what_to_do_next(shell: Shell) -> None:
    ended = shell.run("init", "acme close")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "made workspace acme_close in acme close, 20 files\n"
        "\n"
        "  README.md         where to begin, step by step\n"
        "  rowbook.yaml      name and settings of the workspace\n"
        "  projects/         the rules: what happens to the rows, step by step\n"
        "  scenarios/        tests of the rules\n"
        "  datasets/         tables with their columns and types\n"
        "  datasources/      places that hold tables\n"
        "  resolvers/        which place has the data of a period\n"
        "  data/             data to work on\n"
        "  .gitignore        keeps out of git what runs make\n"
        "  .rowbook-schema/  lets editors complete and check the YAML\n"
        "\n"
        "what to do next:\n"
        "\n"
        "  cd 'acme close'\n"
        "  rowbook validate\n"
        "  rowbook run monthly_close --period 2026-01\n"
        "  rowbook test\n"
    )


def test_without_a_folder_the_current_one_becomes_the_workspace(shell: Shell) -> None:
    ended = shell.run("init", "--template", "minimal")
    assert ended.code == 0
    assert f"made workspace {workspace_name(shell.folder.name)} here, 10 files\n" in ended.out
    assert "  cd " not in ended.out
    assert "  rowbook run sales_report --period 2026-01\n" in ended.out
    assert shell.run("validate").out.startswith("0 errors, 0 warnings")


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        (["acme"], "acme"),
        (["-C", "there"], "there"),
        (["acme", "-C", "there"], "there/acme"),
        (["a/b/c"], "a/b/c"),
    ],
)
def test_where_it_goes(arguments: list[str], folder: str, shell: Shell) -> None:
    (shell.folder / "there").mkdir()
    ended = shell.run("init", *arguments, "--template", "minimal", "--format", "json")
    place = shell.folder / folder
    assert json.loads(ended.out) == {
        "folder": str(place),
        "name": place.name,
        "template": "minimal",
        "files": list(template_files("minimal", place.name)),
        "resumed": False,
    }
    assert (place / "rowbook.yaml").exists()


def test_a_second_time_is_refused_with_2(shell: Shell) -> None:
    assert shell.run("init", "acme").code == 0
    ended = shell.run("init", "acme", "--template", "minimal", "--format", "json")
    assert ended.code == 2
    found = json.loads(ended.out)
    assert (found["ok"], [each["code"] for each in found["errors"]]) == (False, ["USAGE_001"])
    assert ended.err == (
        f"USAGE_001  {shell.folder}/acme is a workspace already\n"
        "    nothing was written; name an empty folder, or one that does not exist yet\n"
    )
    assert (shell.folder / "acme" / "projects" / "monthly_close.yaml").exists()


def test_a_folder_with_something_in_it_is_refused_by_name(shell: Shell) -> None:
    shell.write({f"file-{n}": "" for n in range(7)})
    ended = shell.run("init")
    assert ended.code == 2
    assert ended.err.startswith(
        f"USAGE_001  {shell.folder} is not empty: file-0, file-1, file-2, file-3, file-4 …\n"
    )
    assert len(list(shell.folder.iterdir())) == 7


def test_an_unknown_template_is_2(shell: Shell) -> None:
    ended = shell.run("init", "acme", "--template", "big")
    assert ended.code == 2
    assert "'big' is not one of" in ended.err
    assert list(shell.folder.iterdir()) == []


def test_the_folder_to_be_in_must_exist(shell: Shell) -> None:
    ended = shell.run("init", "acme", "-C", "nowhere")
    assert ended.code == 2
    assert ended.err == "USAGE_001  nowhere is not a folder\n    name a folder that exists\n"


def test_as_a_process_it_starts_no_spark(shell: Shell, tmp_path: Path) -> None:
    ended = spawn("init", "acme", folder=shell.folder, environment={"JAVA_HOME": "/nowhere"})
    assert (ended.code, ended.err) == (0, "")
    assert spawn("validate", folder=tmp_path / "acme").code == 0
