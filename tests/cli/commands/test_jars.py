"""`rowbook jars`: which there are, and which are here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rowbook.api import spark_jars
from rowbook.engine.session.jars import EXTRAS, JARS
from tests.support.shell import Shell


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for jars, and nothing to fetch them with but a note of what was asked for."""
    monkeypatch.setattr(spark_jars, "jar_folder", lambda: tmp_path)
    monkeypatch.setattr(spark_jars, "fetch_jars", lambda jars, folder: None)
    return tmp_path


def test_each_jar_is_listed_with_whether_it_is_here(shell: Shell, here: Path) -> None:
    found = json.loads(shell.run("jars", "list", "--format", "json").out)
    assert found["folder"] == str(here)
    names = [jar.file_name for extra in EXTRAS for jar in JARS[extra]]
    assert [(jar["file"], jar["here"]) for jar in found["jars"]] == [(n, False) for n in names]


def test_those_of_one_kind_of_source_are_fetched(shell: Shell, here: Path) -> None:
    found = json.loads(shell.run("jars", "fetch", "--only", "postgresql", "--format", "json").out)
    assert found["fetched"] == [jar.file_name for jar in JARS["postgresql"]]
    assert shell.run("jars", "fetch").out.endswith(f" jars fetched into {here}\n")
