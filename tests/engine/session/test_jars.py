"""Jars: named once, fetched once, checked always."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from rowbook.engine.session import jars
from rowbook.engine.session.jars import EXTRAS, JARS, Extra, Jar, fetch_jars, jars_for, missing_jars
from rowbook.engine.session.settings import EngineSettings, own_session_conf
from tests.support.refusal import refusal


def _jar(content: bytes = b"classes") -> Jar:
    return Jar("org.example", "tool", "1.0", hashlib.sha256(content).hexdigest())


def _maven(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program called mvn; `$into` is where it is told to copy to."""
    program = folder / "bin" / "mvn"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\nfor a in "$@"; do case "$a" in -DoutputDirectory=*) into="${a#*=}";; esac; done'
        f"\n{script}\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def test_what_is_fetched_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _maven(tmp_path, 'printf classes > "$into/tool-1.0.jar"', monkeypatch)
    folder = tmp_path / "jars"
    folder.mkdir()
    fetch_jars([_jar()], folder)
    assert [path.name for path in folder.iterdir()] == ["tool-1.0.jar"]
    assert (folder / "tool-1.0.jar").read_bytes() == b"classes"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ('printf other > "$into/tool-1.0.jar"', "was fetched, but is not what it should be"),
        ("true", "was not among what was fetched"),
        ('echo "[ERROR] no network"; exit 1', "tool-1.0.jar cannot be fetched: no network"),
        ("exit 3", "tool-1.0.jar cannot be fetched: exit code 3"),
    ],
)
def test_a_jar_that_cannot_be_had_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    _maven(tmp_path, script, monkeypatch)
    folder = tmp_path / "jars"
    folder.mkdir()
    found = refusal(lambda: fetch_jars([_jar()], folder))
    assert found.code == "ENGINE_007"
    assert message in found.message
    assert "rowbook jars fetch" in (found.hint or "")
    assert list(folder.iterdir()) == []


def test_a_damaged_jar_counts_as_missing(tmp_path: Path) -> None:
    for jar in JARS["postgresql"]:
        (tmp_path / jar.file_name).write_bytes(b"half of it")
    only: tuple[Extra, ...] = ("postgresql",)
    assert missing_jars(only, tmp_path) == JARS["postgresql"]


def test_without_extras_nothing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jars, "jar_folder", lambda: pytest.fail("asked for the folder"))
    assert jars_for(frozenset()) == ()
    conf = own_session_conf(EngineSettings(), Path("/tmp"), debug=False)
    assert "spark.sql.extensions" not in conf
    assert "spark.driver.extraClassPath" not in conf


def test_a_warm_cache_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jars_for(EXTRAS)  # there by now, as the shared session has them
    _maven(tmp_path, "echo called; exit 9", monkeypatch)
    found = jars_for(EXTRAS)
    assert [path.name for path in found] == [j.file_name for e in EXTRAS for j in JARS[e]]


def test_executors_elsewhere_get_the_jars_from_the_driver() -> None:
    settings = EngineSettings("spark://host:7077", extras=frozenset({"delta"}))
    conf = own_session_conf(settings, Path("/tmp"), [Path("/c/a.jar")], debug=False)
    assert conf["spark.jars"] == "/c/a.jar"
    assert conf["spark.driver.extraClassPath"] == "/c/a.jar"
    assert conf["spark.sql.extensions"] == "io.delta.sql.DeltaSparkSessionExtension"
