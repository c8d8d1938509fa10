"""Findings for people: the place, the text around it, and colour."""

from __future__ import annotations

import sys

import pytest

from rowbook.cli.app import run
from rowbook.cli.render.diagnostics import lines
from rowbook.errors import Diagnostic
from tests.cli.faulty_books import BASE, HEAD, WRONG, deleting
from tests.support.shell import Shell


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
        "    did you mean 'selector'?  keys: id, description, selector, must_match, arguments\n"
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
