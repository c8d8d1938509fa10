"""What `--help` says, and what a shell offers after Tab."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from rowbook.cli.app import COMMANDS, GROUPS, make_app
from tests.store.samples import failed
from tests.support.ledger import active, opened
from tests.support.shell import Shell, spawn


def _commands() -> Iterator[tuple[str, TyperCommand]]:
    top = get_command(make_app([]))
    assert isinstance(top, TyperGroup)
    for name, found in top.commands.items():
        inner = found.commands if isinstance(found, TyperGroup) else {"": found}
        for word, command in inner.items():
            assert isinstance(command, TyperCommand)
            yield f"{name} {word}".strip(), command


ALL = dict(_commands())
by_name = pytest.mark.parametrize("name", ALL)


def _help(shell: Shell, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "80")
    ended = shell.run(*name.split(), "--help")
    assert (ended.code, ended.err) == (0, "")
    return ended.out


def _examples(text: str) -> list[list[str]]:
    """The words of each example, without `rowbook`."""
    section = text.partition("  Examples:\n")[2].partition("\nArguments:")[0]
    lines = re.findall(r"^    rowbook (.+)$", section, re.MULTILINE)
    return [shlex.split(line.partition(" > ")[0]) for line in lines]


def test_every_command_is_looked_at() -> None:
    assert {name.split()[0] for name in ALL} == {*COMMANDS, *GROUPS}


@by_name
def test_help_fits_80_columns_and_says_what_the_command_does_in_a_list(
    name: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [line for line in _help(shell, name, monkeypatch).splitlines() if len(line) > 80] == []
    group = _help(shell, name.split()[0] if " " in name else "", monkeypatch)
    (said,) = re.findall(rf"^  {name.split()[-1]} +(.+)$", group, re.MULTILINE)
    assert not said.endswith("...")


@by_name
def test_help_has_examples_that_the_command_takes(
    name: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = _examples(_help(shell, name, monkeypatch))
    assert examples
    for words in examples:
        assert words[: len(name.split())] == name.split()
        ALL[name].make_context("rowbook", words[len(name.split()) :])


def test_examples_of_the_sample_name_what_is_in_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.run("init", ".")
    for command in ("plan", "activate", "deactivate"):
        for words in _examples(_help(shell, command, monkeypatch)):
            if words[0] != "plan":
                shell.run("apply", "--yes")
            ended = shell.run(*words)
            assert ended.code == 0, (words, ended.err)


def _completed(
    shell: Shell, words: Sequence[str], incomplete: str = "", kind: str = "bash"
) -> list[str]:
    line = " ".join(["rowbook", *words, incomplete])
    environment = {
        "_ROWBOOK_COMPLETE": f"complete_{kind}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) + 1),
    }
    if kind == "zsh":
        environment = {"_ROWBOOK_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line}
    ended = spawn(folder=shell.folder, environment=environment)
    assert ended.err == ""
    return ended.out.split()


def test_the_words_of_the_workspace_are_completed(shell: Shell) -> None:
    active(shell)
    with opened(shell) as store:
        failed(store, "0199c0aa", period="1999-12")
    assert _completed(shell, [], "ru") == ["run", "runs"]
    assert _completed(shell, [], "run") == ["run", "runs"]
    assert _completed(shell, ["runs"], "re") == ["report", "resume", "reject", "repeat"]
    assert _completed(shell, ["run"]) == ["close"]
    assert _completed(shell, ["plan"], "x") == []
    assert _completed(shell, ["run", "close", "--period"], "1999") == ["1999-12"]
    assert _completed(shell, ["runs", "show"], "01") == ["0199c0aa"]
    assert _completed(shell, ["datasets", "show"], "g") == ["gl"]
    assert "0199c0aa" in "".join(_completed(shell, ["runs", "show"], kind="zsh"))


def test_months_of_this_year_and_the_last_are_offered_without_a_store(shell: Shell) -> None:
    shell.write({"rowbook.yaml": "workspace: {name: acme}\n"})
    offered = _completed(shell, ["run", "close", "--period"])
    assert len(offered) == 24
    assert all(re.fullmatch(r"\d{4}-\d\d", period) for period in offered)


def test_the_workspace_of_c_is_completed(shell: Shell) -> None:
    shell.run("init", "acme")
    assert _completed(shell, ["run", "-C", "acme"]) == ["monthly_close"]


@pytest.mark.parametrize("text", ["workspace: [", "workspace: {name: a}\nworkspace: {name: b}", ""])
def test_nothing_is_offered_where_the_workspace_is_wrong(text: str, shell: Shell) -> None:
    shell.write({"rowbook.yaml": text})
    assert _completed(shell, ["run"]) == []
    assert _completed(shell, ["runs", "show"]) == []


def test_nothing_is_offered_outside_of_a_workspace(shell: Shell) -> None:
    assert _completed(shell, ["run"]) == []
    assert _completed(shell, ["run", "'a"]) == []
