"""Files that nobody would write in good faith: a clear finding, exit code 1, at once."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path

import pytest

from rowbook.definitions.yaml import reader
from tests.cli.faulty_books import BASE, HEAD, deleting
from tests.support.shell import Ended, Shell, spawn

SECONDS = 20.0
"""Of processor time; generous: without the limits these take minutes, or never end."""


def validated(shell: Shell) -> Ended:
    """The command, within bounds, with nothing on stderr."""
    begin = time.process_time()
    ended = shell.run("validate", "--format", "json")
    assert time.process_time() - begin < SECONDS
    assert ended.err == ""
    return ended


def found(ended: Ended) -> list[tuple[str, str, int, int]]:
    """Code, file, line and column of each error."""
    errors = json.loads(ended.out)["errors"]
    return [(e["code"], e["file"], e["line"], e["column"]) for e in errors]


BOMB = "a0: &a0 x\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 13)
)
"""9^12 nodes once its aliases are put in."""


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(BOMB, "YAML_007", id="a bomb of aliases"),
        pytest.param("[" * 100_000, "YAML_007", id="100,000 levels, never closed"),
        pytest.param("[" * 100_000 + "]" * 100_000, "YAML_007", id="100,000 levels"),
        pytest.param("- " * 100_000, "YAML_007", id="100,000 lists in lists"),
        pytest.param("{a: " * 100_000, "YAML_007", id="100,000 mappings in mappings"),
        pytest.param("dataset: {name: a\0b}", "YAML_001", id="a NUL"),
        pytest.param("\0" * 1_000_000, "YAML_001", id="nothing but NULs"),
        pytest.param("x: &a *a", "YAML_005", id="an alias of itself"),
        pytest.param("dataset: !!python/object/apply:os.system ['true']", "YAML_008", id="a tag"),
        pytest.param("#" * (17 * 1024 * 1024), "YAML_007", id="17 MB"),
    ],
)
def test_a_hostile_file_is_a_finding(content: str, code: str, shell: Shell) -> None:
    shell.write({"rowbook.yaml": BASE, "projects/hostile.yaml": content})
    ended = validated(shell)
    assert ended.code == 1
    errors = found(ended)
    assert errors[0][:2] == (code, "projects/hostile.yaml")
    assert len(errors) <= 2


@pytest.mark.parametrize(
    ("content", "column"),
    [
        pytest.param(b"dataset: {name: \xff}", 17, id="a lone byte"),
        pytest.param("dataset: {name: ä}".encode("latin-1"), 17, id="Latin-1"),
        pytest.param("dataset: {name: a}".encode("utf-16"), 1, id="UTF-16"),
        pytest.param(b"\x1f\x8b\x08\x00" * 1000, 2, id="a compressed file"),
    ],
)
def test_a_file_that_is_no_text_is_a_finding(content: bytes, column: int, shell: Shell) -> None:
    shell.write({"rowbook.yaml": BASE})
    (shell.folder / "datasets").mkdir()
    (shell.folder / "datasets" / "d.yaml").write_bytes(content)
    ended = validated(shell)
    assert (ended.code, found(ended)) == (1, [("YAML_001", "datasets/d.yaml", 1, column)])


# --- not a file


def make_folder(path: Path) -> None:
    path.mkdir()


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def make_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


def make_unreadable(path: Path) -> None:
    """What nobody may read from, whoever asks."""
    path.symlink_to("/proc/self/mem")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (make_folder, "a folder, not a file"),
        (make_pipe, "not a regular file"),
        (make_socket, "cannot be read: No such device or address"),
        (make_endless, "not a regular file"),
        (make_dangling, "the file does not exist"),
        (make_loop, "cannot be read: Too many levels of symbolic links"),
        (make_unreadable, "cannot be read: Input/output error"),
    ],
)
def test_what_is_not_a_file_is_a_finding(make: object, message: str, shell: Shell) -> None:
    shell.write({"rowbook.yaml": BASE})
    (shell.folder / "datasets").mkdir()
    assert callable(make)
    make(shell.folder / "datasets" / "d.yaml")
    ended = validated(shell)
    assert ended.code == 1
    (error,) = json.loads(ended.out)["errors"]
    assert (error["code"], error["file"], error["message"]) == (
        "YAML_001",
        "datasets/d.yaml",
        message,
    )


def test_a_file_without_permission_is_a_finding(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process: the user who runs the tests may be one to whom nothing is forbidden."""
    shell.write({"rowbook.yaml": BASE, "datasets/d.yaml": "dataset: {name: d}"})
    opened = reader._open_at_once

    def denied(path: str, flags: int) -> int:
        if Path(path).name == "d.yaml":
            raise PermissionError(13, "Permission denied", path)
        return opened(path, flags)

    monkeypatch.setattr(reader, "_open_at_once", denied)
    ended = shell.run("validate")
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.startswith("datasets/d.yaml:1:1  YAML_001  no permission to read the file\n")


def test_a_folder_in_place_of_rowbook_yaml_is_a_finding(shell: Shell) -> None:
    (shell.folder / "rowbook.yaml").mkdir()
    ended = validated(shell)
    assert (ended.code, found(ended)) == (1, [("YAML_001", "rowbook.yaml", 1, 1)])


def test_a_pipe_in_place_of_rowbook_yaml_is_a_finding(shell: Shell) -> None:
    os.mkfifo(shell.folder / "rowbook.yaml")
    ended = validated(shell)
    assert (ended.code, found(ended)) == (1, [("YAML_001", "rowbook.yaml", 1, 1)])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(BOMB, "YAML_007", id="a bomb of aliases"),
        pytest.param("[" * 100_000, "YAML_007", id="100,000 levels"),
        pytest.param("dataset: {name: a\0b}", "YAML_001", id="a NUL"),
        pytest.param(None, "YAML_001", id="a pipe"),
    ],
)
def test_a_process_of_its_own_ends_as_well(content: str | None, code: str, shell: Shell) -> None:
    shell.write({"rowbook.yaml": BASE, "projects/hostile.yaml": content or ""})
    if content is None:
        (shell.folder / "projects" / "hostile.yaml").unlink()
        os.mkfifo(shell.folder / "projects" / "hostile.yaml")
    ended = spawn("validate", folder=shell.folder, seconds=SECONDS)
    assert (ended.code, ended.err) == (1, "")
    assert f"  {code}  " in ended.out.splitlines()[0]


# --- expressions


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param("amount = 1 OR " * 700_000 + "amount = 2", id="10 MB"),
        pytest.param("(" * 50_000 + "1" + ")" * 40_000, id="parentheses"),
        pytest.param("NOT " * 20_000 + "TRUE", id="NOT"),
        pytest.param("-" * 50_000 + "1 > 0", id="minus"),
        pytest.param("amount" + " + 1" * 20_000 + " > 0", id="a chain of sums"),
        pytest.param("ABS(" * 20_000, id="calls"),
        pytest.param("CASE WHEN " * 9_000, id="CASE"),
        pytest.param(f"amount IN ({'1,' * 20_000}1)", id="a list"),
    ],
)
def test_an_expression_beyond_the_limits_is_a_finding(expression: str, shell: Shell) -> None:
    shell.write(deleting(f'"{expression}"'))
    ended = validated(shell)
    assert ended.code == 1
    ((code, file, line, _),) = found(ended)
    assert (code, file, line) == ("EXPR_008", "projects/close.yaml", 8)


def test_selectors_that_double_at_every_step_are_a_finding(shell: Shell) -> None:
    doubling = "".join(f'    s{n}: "{{{{s{n - 1}}}}} AND {{{{s{n - 1}}}}}"\n' for n in range(1, 40))
    text = HEAD.replace(
        "  operations:", f'  selectors:\n    s0: "amount = 0"\n{doubling}  operations:'
    )
    text += '    - {seq: 1, name: a, type: delete, selector: "{{s39}}"}\n'
    shell.write({"rowbook.yaml": BASE, "projects/close.yaml": text})
    ended = validated(shell)
    assert ended.code == 1
    assert [code for code, *_ in found(ended)] == ["EXPR_008"]


def test_thousands_of_faults_in_one_expression_are_all_found(shell: Shell) -> None:
    """Each is placed in a text of nearly 100,000 characters."""
    terms = [f"zz{n} = 1" for n in range(6_500)]
    shell.write(deleting(f'"{" AND ".join(terms)}"'))
    ended = validated(shell)
    assert ended.code == 1
    errors = found(ended)
    assert len(errors) == 6_500
    before = len(" AND ".join(terms[:6_499])) + len(" AND ")
    assert errors[-1] == ("EXPR_002", "projects/close.yaml", 8, 18 + before)


def test_a_chain_of_5000_conditions_is_no_fault(shell: Shell) -> None:
    chain = " AND ".join(f"amount <> {n}" for n in range(5_000))
    assert len(chain) < 100_000
    shell.write(deleting(f'"{chain}"'))
    ended = validated(shell)
    assert (ended.code, json.loads(ended.out)["ok"]) == (0, True)


# --- values


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param(
            'resolver: {name: x, rules: [{name: a, strategy: {type: path, path: "{{'
            + " " * 100_000
            + '"}}]}',
            ["RESOLVER_002", "RESOLVER_004"],
            id="a placeholder of blanks",
        ),
        pytest.param(
            f'datasource: {{name: x, type: csv, options: {{root: "//{":" * 100_000}"}}}}',
            ["DATASOURCE_004"],
            id="a URL of colons",
        ),
        pytest.param(
            f'datasource: {{name: x, type: csv, options: {{quote: "{"?passw" * 50_000}"}}}}',
            [],
            id="a query of passwords",
        ),
        pytest.param(
            f'datasource: {{name: x, type: csv, options: {{root: "{"a/" * 50_000}"}}}}',
            [],
            id="a path of 50,000 folders",
        ),
        pytest.param(
            f"dataset: {{name: {'x' * 1_000_000}/}}",
            ["WORKSPACE_003", "YAML_003"],
            id="a name of 1 MB",
        ),
        pytest.param(
            f"project: {{name: x, input_dataset_id: {'9' * 1_000_000}, operations:"
            f" [{{seq: {'9' * 1_000_000}, name: a, type: delete}}]}}",
            ["PROJECT_001", "YAML_004"],
            id="numbers of a million digits",
        ),
        pytest.param(
            "dataset:\n  name: d\n" + "".join(f"  k{n}: x\n" for n in range(20_000)),
            ["YAML_002", "YAML_003"],
            id="20,000 unknown keys",
        ),
    ],
)
def test_hostile_values_end_at_once(text: str, codes: list[str], shell: Shell) -> None:
    shell.write({"rowbook.yaml": BASE, "projects/hostile.yaml": text})
    ended = validated(shell)
    assert ended.code == (1 if codes else 0)
    assert sorted({code for code, *_ in found(ended)}) == codes
