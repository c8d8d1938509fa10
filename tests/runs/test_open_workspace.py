"""A command reads a workspace's files once, and opens its store once, if at all."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook.definitions import workspace_files
from rowbook.definitions.yaml.reader import read_file
from rowbook.runs.open_workspace import OpenWorkspace
from tests.runs.books import FILES
from tests.starter.shared_session import shared_session
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.definitions.yaml.nodes import SourceText

DEFINITIONS = {name: 1 for name in FILES if name.endswith(".yaml")}


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each definition file was read."""
    counted: Counter[str] = Counter()

    def counting(path: Path, shown: str) -> SourceText:
        counted[shown] += 1
        return read_file(path, shown)

    monkeypatch.setattr(workspace_files, "read_file", counting)
    return counted


@pytest.fixture
def active(shell: Shell) -> Shell:
    shell.write(FILES)
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    return shell


@pytest.mark.parametrize(
    "command",
    [
        "validate",
        "apply --yes",
        "activate close",
        "deactivate close",
        "plan close --period 2026-01",
        "plan close --period 2026-01 --draft",
        "periods list",
        "periods close 2026-01",
        "datasets list",
        "runs list",
        "gc",
    ],
)
def test_a_command_reads_each_file_once(active: Shell, reads: Counter[str], command: str) -> None:
    reads.clear()
    assert active.run(*command.split()).code == 0
    assert reads == DEFINITIONS


@pytest.fixture
def spark_shell(active: Shell, spark: SparkSession) -> Iterator[Shell]:
    with shared_session(spark):
        yield active


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_and_a_diff_read_each_file_once(spark_shell: Shell, reads: Counter[str]) -> None:
    for command in (
        "run close --period 2026-01",
        "run close --periods 2026-01..2026-02",
        "diff close --period 2026-01 --output 30",
    ):
        reads.clear()
        ended = spark_shell.run(*command.split())
        assert ended.code == 0, ended.err
        assert reads == DEFINITIONS


def test_the_store_is_one_until_it_is_closed(active: Shell) -> None:
    with OpenWorkspace(active.folder) as workspace:
        assert workspace.find_store() is workspace.store
        assert [each.name for each in workspace.applied_versions() if each.kind == "dataset"] == [
            "gl"
        ]


def test_looking_for_a_store_makes_none(tmp_path: Path) -> None:
    (tmp_path / "rowbook.yaml").write_text("workspace: {name: acme}\n", encoding="utf-8")
    with OpenWorkspace(tmp_path) as workspace:
        assert workspace.find_store() is None
        assert workspace.applied_versions() == ()
        assert not (tmp_path / ".rowbook").exists()
        assert workspace.store.projects.all() == ()
        assert workspace.find_store() is workspace.store


def test_without_a_store_its_library_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "rowbook.yaml").write_text("workspace: {name: acme}\n", encoding="utf-8")
    code = """\
import sys
from pathlib import Path
from rowbook.runs.open_workspace import OpenWorkspace
with OpenWorkspace(Path(sys.argv[1])) as workspace:
    assert workspace.checked.known.stored() is None
print([name for name in ("sqlalchemy", "pyspark") if name in sys.modules])
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_runs_registered_is_found_beside_the_files(active: Shell) -> None:
    (active.folder / "datasets" / "gl.yaml").unlink()
    with OpenWorkspace(active.folder) as workspace:
        assert workspace.checked.errors == ()
