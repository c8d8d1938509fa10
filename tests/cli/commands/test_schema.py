"""`rowbook schema`: JSON Schema for editors."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from tests.support.shell import Shell, spawn

KINDS = ["workspace", "dataset", "datasource", "resolver", "calendar", "project", "scenario"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_of_a_kind(kind: str, shell: Shell) -> None:
    ended = shell.run("schema", kind)
    assert (ended.code, ended.err) == (0, "")
    schema = json.loads(ended.out)
    Draft202012Validator.check_schema(schema)
    assert schema["title"] == f"Rowbook {kind}"
    assert schema["required"] == [kind]


def test_the_schema_of_all_kinds(shell: Shell) -> None:
    ended = shell.run("schema")
    assert ended.code == 0
    schema = json.loads(ended.out)
    Draft202012Validator.check_schema(schema)
    assert list(schema["properties"]) == KINDS


def test_it_needs_no_workspace(shell: Shell) -> None:
    assert not (shell.folder / "rowbook.yaml").exists()
    assert shell.run("schema", "project").code == 0


@pytest.mark.parametrize("arguments", [["--format", "json"], ["--format", "text"], ["-C", "."]])
def test_it_takes_the_options_of_every_command(arguments: list[str], shell: Shell) -> None:
    assert shell.run("schema", "dataset", *arguments) == shell.run("schema", "dataset")


def test_an_unknown_kind_is_2_and_suggested(shell: Shell) -> None:
    ended = shell.run("schema", "datset")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "USAGE_001  'datset' is not a kind of definition\n"
        "    did you mean 'dataset'?  kinds: workspace, dataset, datasource, resolver, calendar,"
        " project, scenario\n"
    )


def test_as_a_process(shell: Shell) -> None:
    ended = spawn("schema", "project", folder=shell.folder)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == shell.run("schema", "project").out
