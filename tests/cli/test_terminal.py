"""Terminals and pipes: what fits, what is alive, what is said first."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from rowbook.cli.render.diagnostics import lines
from rowbook.cli.render.progress import Progress
from rowbook.cli.render.text_tables import print_table
from rowbook.errors import Diagnostic, Snippet
from rowbook.text.table_layout import TextColumn
from rowbook.text.visible import width
from tests.support.shell import Shell, spawn


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    @contextmanager
    def shown(self) -> Iterator[None]:
        """What is printed meanwhile is on it."""
        with redirect_stdout(self), redirect_stderr(self):
            yield


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 60 columns, without colours."""
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    return Terminal()


LEDGER = (
    TextColumn("seq", numeric=True),
    TextColumn("operation", long="cut"),
    TextColumn("type", spare=2),
    TextColumn("rows in", numeric=True, spare=1),
    TextColumn("rows out", numeric=True),
)
ROW = (10, "Convert everything to the currency of the group", "update", 1234567, None)


def plain(stream: Terminal) -> list[str]:
    """The lines without how they look."""
    return re.sub(r"\033\[[0-9;]*m", "", stream.getvalue()).splitlines()


def test_a_table_on_a_terminal_cuts_what_is_long(terminal: Terminal) -> None:
    with terminal.shown():
        assert print_table(LEDGER, [ROW]) == ()
    head, rule, row = plain(terminal)
    assert head.split() == ["seq", "operation", "type", "rows", "in", "rows", "out"]
    assert rule == "─" * 60
    assert row == " 10  Convert everything to the…  update  1,234,567      NULL"


def test_a_table_leaves_out_spare_columns_where_there_is_no_room(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "36")
    with terminal.shown():
        assert print_table(LEDGER, [ROW]) == (LEDGER[2], LEDGER[3])
    assert plain(terminal)[0].split() == ["seq", "operation", "rows", "out"]
    assert all(width(line) <= 36 for line in plain(terminal))


def test_a_table_in_a_pipe_is_whole_and_plain(capsys: pytest.CaptureFixture[str]) -> None:
    wide = "x" * 300
    assert print_table(LEDGER, [(10, wide, "update", 1, 2)]) == ()
    out = capsys.readouterr().out
    assert wide in out
    assert "\033" not in out


def test_a_table_shows_no_control_characters_of_its_values(terminal: Terminal) -> None:
    with terminal.shown():
        print_table([TextColumn("name")], [["a\033[31mb\rc"]])
    assert plain(terminal)[2] == "a·[31mb·c"


def test_work_on_a_terminal_is_a_live_line_that_ends_with_its_time(terminal: Terminal) -> None:
    with terminal.shown(), Progress(quiet=False) as progress:
        progress.begin("starting Spark")
        time.sleep(0.3)
        progress.begin(f"  10  {'long ' * 30}")
        time.sleep(0.2)
    first, second, *_ = terminal.getvalue().split("\n")
    alive, ended = first.split("\r\033[K")[1:-1], first.split("\r\033[K")[-1]
    assert len(alive) > 1
    assert all(line.endswith(" starting Spark") for line in alive)
    assert re.fullmatch(r" +\d+\.\d s   starting Spark", ended)
    assert all(width(line) < 60 for line in second.split("\r\033[K")[1:-1])
    assert second.split("\r\033[K")[-1].endswith("long ")


def test_a_watched_line_leaves_nothing(terminal: Terminal) -> None:
    with terminal.shown(), Progress(quiet=False) as progress:
        progress.watch("a scenario")
        time.sleep(0.2)
    assert terminal.getvalue().endswith("a scenario\r\033[K")


@pytest.mark.parametrize("name", ["dumb", None])
def test_work_in_a_pipe_is_plain_lines(
    name: str | None, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name is None:
        monkeypatch.setattr(Terminal, "isatty", lambda _: False)
    else:
        monkeypatch.setenv("TERM", name)
    with terminal.shown(), Progress(quiet=False) as progress:
        progress.say("close for 2026-01")
        progress.begin("starting Spark")
        progress.watch("a scenario")
    assert re.fullmatch(r"close for 2026-01\nat +\d+\.\d s  starting Spark\n", terminal.getvalue())


def test_quiet_work_says_nothing(terminal: Terminal) -> None:
    with terminal.shown(), Progress(quiet=True) as progress:
        progress.say("close for 2026-01")
        progress.begin("starting Spark")
        progress.watch("a scenario")
    assert terminal.getvalue() == ""


def test_a_line_that_is_alive_ends_when_the_work_fails(terminal: Terminal) -> None:
    def fail() -> None:
        with terminal.shown(), Progress(quiet=False) as progress:
            progress.begin("starting Spark")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert terminal.getvalue().endswith("starting Spark\n")


LONG = Diagnostic(
    "EXPR_002",
    "unknown column 'gl.amout', which no table of this operation has under any name",
    hint="did you mean 'gl.amount'?  columns: account_code, amount, currency, description",
    snippet=Snippet(f"IF({'a + ' * 20}gl.amout > 0, 1, {'b + ' * 20}2)", 83, 91),
)


def test_a_finding_wraps_at_words_and_shows_the_text_around_the_fault() -> None:
    assert list(lines(LONG, columns=60)) == [
        "EXPR_002  unknown column 'gl.amout', which no table of this",
        "    operation has under any name",
        '    expression: "… a + a + a + a + gl.amout > 0, 1, b + b …"',
        "                                   ^^^^^^^^",
        "    did you mean 'gl.amount'?  columns: account_code,",
        "    amount, currency, description",
    ]


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 100, 200, 300])
@pytest.mark.parametrize("start", [0, 3, 83, 170])
def test_the_underlined_part_is_the_faulty_one(columns: int, start: int) -> None:
    text = "".join(f"{i:03}_" for i in range(45))
    found = Diagnostic("EXPR_002", "a", snippet=Snippet(text, start, start + 5))
    shown, underline = list(lines(found, columns=columns))[1:3]
    begin = underline.index("^")
    marked = shown[begin : begin + underline.count("^")]
    assert text[start:].startswith(marked)
    assert 0 < len(marked) <= 5
    assert len(shown) <= max(columns, 40)


def test_a_finding_in_a_pipe_has_one_line_for_each_part() -> None:
    assert len(list(lines(LONG))) == 4


IMPORTS = {"PYTHONPROFILEIMPORTTIME": "1"}
"""Prints on stderr, line by line, what is imported."""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("run", "nothing", "--period", "2026-01"), "nothing for 2026-01"),
        (("preview", "nothing", "--period", "2026-01"), "nothing for 2026-01"),
        (("diff", "nothing", "--period", "2026-01"), "comparing the last run of nothing"),
        (("runs", "repeat", "0199c0"), "repeating run 0199c0"),
    ],
)
def test_the_first_line_comes_before_what_takes_time_to_import(
    command: tuple[str, ...], said: str, shell: Shell
) -> None:
    shell.write({"rowbook.yaml": "workspace: {name: acme}\n"})
    printed = spawn(*command, folder=shell.folder, environment=IMPORTS).err
    before, found, after = printed.partition(said)
    assert found
    heavy = ("rowbook.definitions.workspace_files", "sqlalchemy", "pyspark", "rich.console", "yaml")
    assert [name for name in heavy if re.search(rf"\| +{name}$", before, re.MULTILINE)] == []
    assert re.search(r"\| +rowbook.definitions.workspace_files$", after, re.MULTILINE)


def test_planning_does_not_wait_for_a_store_that_is_not_there(shell: Shell) -> None:
    shell.run("init", ".")
    command = ("plan", "monthly_close", "--period", "2026-01")
    ended = spawn(*command, folder=shell.folder, environment=IMPORTS)
    assert ended.code == 0
    for name in ("sqlalchemy", "pyspark", "pyarrow"):
        assert not re.search(rf"\| +{name}$", ended.err, re.MULTILINE)


def test_the_path_of_the_workspace_stands_before_its_files(shell: Shell) -> None:
    shell.run("init", "acme")
    project = Path("acme/projects/monthly_close.yaml")
    text = project.read_text(encoding="utf-8").replace("gl.amount", "gl.amout")
    project.write_text(text, encoding="utf-8")
    ended = shell.run("preview", "monthly_close", "--period", "2026-01", "-C", "acme")
    assert ended.code == 1
    assert "\nacme/projects/monthly_close.yaml:" in ended.err
