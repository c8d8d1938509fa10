"""What a run reads is what is recorded, whatever happens to its files meanwhile."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from rowbook.engine.session.session import adopt_session
from rowbook.errors import RowbookError
from rowbook.planning.steps import AnyStep
from rowbook.runs.execute import execute_run, run_execution, run_options
from rowbook.runs.execute.execute_run import RunOptions, resume_run, start_run
from rowbook.runs.execute.input_watch import InputWatch
from rowbook.runs.execute.publication import Publications
from rowbook.runs.execute.result import OutputResult, RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.project_version import choose_version
from rowbook.sources.files import file_pins
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

BEFORE, AFTER = "account,amount\n4000,10.50\n", "account,amount\n4000,77.77\n"


@pytest.fixture
def options(spark: SparkSession) -> Callable[..., RunOptions]:
    def made(on_step: Callable[[AnyStep], None] = lambda _: None) -> RunOptions:
        return RunOptions(
            "local[2]", session=lambda *_: nullcontext(adopt_session(spark)), on_step=on_step
        )

    return made


def run(folder: Path, options: RunOptions) -> RunResult:
    with OpenWorkspace(folder) as workspace:
        return start_run(workspace, choose_version(workspace, "close", "2026-01"), options)


def snapshot(folder: Path, run_id: str) -> Any:
    with OpenWorkspace(folder) as workspace:
        return workspace.store.runs.snapshot(run_id)


def replace_by_rename(path: Path) -> None:
    other = path.with_name(".other")
    other.write_text(AFTER)
    other.replace(path)


def change_quietly(path: Path) -> None:
    before = path.stat()
    path.write_text(AFTER)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [replace_by_rename, change_quietly, Path.unlink])
def test_outputs_of_a_run_agree_with_one_state_of_its_input(
    active: Shell, options: Callable[..., RunOptions], change: Callable[[Path], None]
) -> None:
    """The first output is staged when the input changes; neither is ever published."""

    def acts(step: AnyStep) -> None:
        if step.seq == 30:
            change(active.folder / "data" / "gl" / "2026-01.csv")

    result = run(active.folder, options(acts))
    assert result.error is not None
    assert (result.status, result.error.code) == ("failed", "RUN_011")
    assert result.outputs == ()
    assert (active.folder / "data" / "rates.csv").exists()
    assert not (active.folder / "data" / "rates").exists()
    assert not (active.folder / "out" / "closed").exists()


def test_what_was_read_is_recorded_with_its_digest(
    active: Shell, options: Callable[..., RunOptions]
) -> None:
    rates = (active.folder / "data" / "rates.csv").read_bytes()
    result = run(active.folder, options())
    assert result.status == "completed"
    datasets = snapshot(active.folder, result.run_id)["datasets"]
    found = {
        content["name"]: content["digest"]
        for dataset in datasets
        for location in dataset["locations"]
        for content in location["contents"]
    }
    assert found == {
        "data/gl/2026-01.csv": f"sha256:{hashlib.sha256(BEFORE.encode()).hexdigest()}",
        "data/rates.csv": f"sha256:{hashlib.sha256(rates).hexdigest()}",
    }
    assert not (active.folder / ".rowbook" / "inputs" / result.run_id).exists()


def test_a_touch_is_no_change(
    active: Shell, options: Callable[..., RunOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it is known what was in the file: before, a touch cannot be told from a change."""
    seen: list[str] = []
    counted(monkeypatch, InputWatch, "_look", seen)

    def touch(_: AnyStep) -> None:
        while not seen:
            time.sleep(0.01)
        (active.folder / "data" / "gl" / "2026-01.csv").touch()

    result = run(active.folder, options(touch))
    assert (result.status, result.error) == ("completed", None)


@pytest.mark.campaign
def test_a_resumed_run_looks_at_its_input_once(
    active: Shell, options: Callable[..., RunOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    active.write({"out/closed/notes.txt": "somebody's own"})
    failed = run(active.folder, options())
    (active.folder / "out" / "closed" / "notes.txt").unlink()
    seen: list[str] = []
    counted(monkeypatch, execute_run, "resolve_run", seen)
    counted(monkeypatch, run_options, "engine_settings", seen)
    counted(monkeypatch, file_pins, "_digest_at", seen)
    with OpenWorkspace(active.folder) as workspace:
        resumed = resume_run(workspace, failed.run_id, options(), accept_changed_input=False)
    assert resumed.status == "completed"
    assert sorted(seen) == ["_digest_at", "_digest_at", "engine_settings", "resolve_run"]
    assert not (active.folder / ".rowbook" / "inputs" / failed.run_id).exists()


def counted(
    patch: pytest.MonkeyPatch, place: ModuleType | type, name: str, seen: list[str]
) -> None:
    """A function of a module or class, which leaves its name each time it returns."""
    function = getattr(place, name)

    def call(*given: Any, **named: Any) -> Any:
        result = function(*given, **named)
        seen.append(name)
        return result

    patch.setattr(place, name, call)


def test_an_output_that_was_published_and_not_recorded_is_not_written_again(
    active: Shell, options: Callable[..., RunOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = active.folder / "projects" / "close.yaml"
    before = "columns: [account, usd, _period]"
    text = project.read_text().replace(before, f"{before}\n        mode: append")
    as_written = text.replace("name: close\n", "name: close\n  publish: as_written\n", 1)
    project.write_text(as_written)
    assert active.run("activate", "close").code == 0

    def lose(*_: object) -> OutputResult:
        raise RowbookError.of("STORE_004", "the store failed")

    with monkeypatch.context() as patch:
        patch.setattr(Publications, "record", lose)
        failed = run(active.folder, options())
    assert (failed.status, failed.outputs) == ("failed", ())
    with OpenWorkspace(active.folder) as workspace:
        resumed = resume_run(workspace, failed.run_id, options(), accept_changed_input=False)
    assert (resumed.status, [each.seq for each in resumed.outputs]) == ("completed", [20, 30])
    rows = [
        row
        for path in (active.folder / "out" / "closed").rglob("*.parquet")
        for row in pq.ParquetFile(path).read(columns=["account"]).to_pylist()
    ]
    assert rows == [{"account": "4000"}]


@pytest.mark.campaign
def test_why_a_run_failed_is_told_also_where_its_input_cannot_be_recorded(
    active: Shell, options: Callable[..., RunOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    active.write({"out/closed/notes.txt": "somebody's own"})

    def lose(*_: object) -> None:
        raise RowbookError.of("STORE_004", "the store failed")

    monkeypatch.setattr(run_execution.Execution, "_record_input", lose)
    failed = run(active.folder, options())
    assert failed.error is not None
    assert failed.error.code == "OUTPUT_006"


def test_same_size_and_time_with_other_content_is_not_resumed(
    active: Shell, options: Callable[..., RunOptions]
) -> None:
    active.write({"out/closed/notes.txt": "somebody's own"})
    failed = run(active.folder, options())
    assert failed.error is not None
    assert failed.error.code == "OUTPUT_006"
    (active.folder / "out" / "closed" / "notes.txt").unlink()
    change_quietly(active.folder / "data" / "gl" / "2026-01.csv")
    with OpenWorkspace(active.folder) as workspace:
        with pytest.raises(RowbookError, match=r"RUN_008.*data/gl/2026-01.csv changed"):
            resume_run(workspace, failed.run_id, options(), accept_changed_input=False)
        resumed = resume_run(workspace, failed.run_id, options(), accept_changed_input=True)
        (resumption,) = workspace.store.runs.record(failed.run_id).resumptions
    assert resumed.status == "completed"
    assert resumption.accepted_input is not None
    (gl, _) = resumption.accepted_input["datasets"]
    digest = hashlib.sha256(AFTER.encode()).hexdigest()
    assert gl["locations"][0]["contents"][0]["digest"] == f"sha256:{digest}"
