"""A run is resolved once: its tables with what is in them, its targets, what its session needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook.engine.session.session import Engine, adopt_session
from rowbook.engine.session.sizing import Volume
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution import locate, period_places
from rowbook.runs.execute import run_execution
from rowbook.runs.execute.execute_run import RunOptions, start_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare import resolve
from rowbook.runs.prepare.project_version import choose_version
from rowbook.runs.prepare.request import request_draft
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_snapshot import take_snapshot
from rowbook.sources.files import file_table
from rowbook.sources.files.listing import list_table
from tests.runs.conversion import FILES, MADE_ON_THE_WAY
from tests.support.shell import Shell
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.planning.resolution.locate import ResolvedLocation


def resolved(folder: Path, period: str, *, draft: bool = False) -> ResolvedRun:
    with OpenWorkspace(folder) as workspace:
        request = choose_version(workspace, "close", period, draft=draft)
        return resolve_run(request, workspace.store)


def test_every_table_is_there_with_what_is_in_it(active: Shell) -> None:
    found = resolved(active.folder, "2026-Q1")
    assert [(each.dataset.name, each.periods) for each in found.inputs] == [
        ("gl", ("2026-Q1", "2026-01", "2026-02", "2026-03")),
        ("rates", ("2026-Q1",)),
    ]
    assert [
        (each.location.location, [(c.name, c.size) for c in each.contents]) for each in found.tables
    ] == [
        ("gl/2026-01.csv", [("data/gl/2026-01.csv", 26)]),
        ("gl/2026-02.csv", [("data/gl/2026-02.csv", 25)]),
        ("gl/2026-03.csv", []),
        ("rates", [("data/rates.csv", 20)]),
    ]
    assert (found.volume, found.extras) == (Volume(71), frozenset())


def test_what_is_missing_is_an_answer_until_somebody_reads_it(active: Shell) -> None:
    found = resolved(active.folder, "2026-03")
    (missing, rates) = found.tables
    assert (missing.table, missing.contents) == (None, ())
    assert rates.source().label == "data/rates.csv"
    with pytest.raises(RowbookError, match=r"DATASOURCE_006.*no data at data/gl/2026-03.csv"):
        missing.source()
    (gl, _) = take_snapshot(found)["datasets"]
    (location,) = gl["locations"]
    assert list(location) == ["location", "periods", "contents", "missing"]
    assert location["missing"].startswith("DATASOURCE_006")


def test_an_output_that_replaces_what_is_read_while_the_run_is_at_work_is_known(
    active: Shell,
) -> None:
    together = resolved(active.folder, "2026-01")
    assert [each.rewrites for each in together.outputs] == [False, False]
    project = active.folder / "projects" / "close.yaml"
    text = project.read_text()
    as_written = text.replace("name: close\n", "name: close\n  publish: as_written\n", 1)
    project.write_text(as_written)
    assert active.run("activate", "close").code == 0
    found = resolved(active.folder, "2026-01")
    assert [(each.step.seq, each.target.label, each.rewrites) for each in found.outputs] == [
        (20, "out/closed", False),
        (30, "data/rates", True),
    ]


def test_a_draft_writes_into_its_sandbox_and_replaces_nothing(active: Shell) -> None:
    found = resolved(active.folder, "2026-01", draft=True)
    sandbox = f".rowbook/sandbox/{found.request.context.run_id}"
    assert [(each.target.label, each.rewrites) for each in found.outputs] == [
        (f"{sandbox}/out/closed", False),
        (f"{sandbox}/rates", False),
    ]


def test_what_the_session_needs_is_known_before_it_starts(tmp_path: Path) -> None:
    kinds = {
        "datasources/inbox.yaml": "datasource: {name: inbox, type: delta, options: {root: data}}\n"
    }
    write_files(tmp_path, {**FILES, **kinds})
    with OpenWorkspace(tmp_path) as workspace:
        request = request_draft(workspace, "close", "2026-01")
        assert resolve_run(request).extras == {"delta"}
        assert resolve.extras_of(request) == {"delta"}


def test_data_that_an_output_makes_may_be_missing_before_it(tmp_path: Path) -> None:
    write_files(tmp_path, {**FILES, "projects/close.yaml": MADE_ON_THE_WAY})
    with OpenWorkspace(tmp_path) as workspace:
        draft = request_draft(workspace, "close", "2026-01")
        found = resolve_run(replace(draft, version=1))
        made = next(each.dataset for each in found.inputs if each.dataset.name == "made")
        (missing,) = found.input_after(made, []).tables
        assert missing.table is None
        write_files(tmp_path, {"data/made.csv": "account\n4000\n"})
        (there,) = found.input_after(made, [10]).tables
        assert there.source().label == "data/made.csv"


class Counts:
    """How often datasets were resolved, and their files listed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.resolved: Counter[str] = Counter()
        self.listed: Counter[str] = Counter()

        def resolving(dataset: Dataset, *rest: object) -> tuple[ResolvedLocation, ...]:
            self.resolved[dataset.name] += 1
            return locate.resolve(dataset, *rest)  # type: ignore[arg-type]

        def listing(table: Path, *rest: object) -> object:
            self.listed[table.name] += 1
            return list_table(table, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(period_places, "resolve", resolving)
        monkeypatch.setattr(file_table, "list_table", listing)


def test_each_dataset_is_resolved_and_listed_once(
    active: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = Counts(monkeypatch)
    found = resolved(active.folder, "2026-01")
    take_snapshot(found)
    assert counts.resolved == {"gl": 1, "rates": 1}
    assert counts.listed == {"2026-01.csv": 1, "rates.csv": 1}


def test_a_run_of_few_rows_resolves_each_dataset_once_and_starts_no_spark(
    active: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, started = Counts(monkeypatch), list[str]()
    options = RunOptions(on_session=lambda: started.append("told"))
    with OpenWorkspace(active.folder) as workspace:
        request = choose_version(workspace, "close", "2026-01")
        assert start_run(workspace, request, options).status == "completed"
    assert counts.resolved == {"gl": 1, "rates": 1}
    assert counts.listed == {"2026-01.csv": 1, "rates.csv": 1}
    assert started == []


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_resolves_each_dataset_once_and_says_when_spark_starts(
    active: Shell, monkeypatch: pytest.MonkeyPatch, spark: SparkSession
) -> None:
    project = active.folder / "projects" / "close.yaml"
    project.write_text(project.read_text().replace("format: parquet", "format: json"))
    assert active.run("activate", "close").code == 0
    counts, started = Counts(monkeypatch), list[str]()

    def lend(_: object, on_start: Callable[[], None]) -> nullcontext[Engine]:
        on_start()
        started.append("lent")
        return nullcontext(adopt_session(spark))

    options = RunOptions(session=lend, on_session=lambda: started.append("told"))
    with OpenWorkspace(active.folder) as workspace:
        request = choose_version(workspace, "close", "2026-01")
        assert start_run(workspace, request, options).status == "completed"
    assert counts.resolved == {"gl": 1, "rates": 1}
    assert counts.listed == {"2026-01.csv": 1, "rates.csv": 1}
    assert started == ["told", "lent"]


def test_a_run_whose_input_is_missing_ends_before_spark_starts(active: Shell) -> None:
    started: list[str] = []
    options = RunOptions(on_session=lambda: started.append("told"))
    with OpenWorkspace(active.folder) as workspace:
        request = choose_version(workspace, "close", "2026-03")
        result = start_run(workspace, request, options)
        snapshot = workspace.store.runs.snapshot(result.run_id)
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.code == "DATASOURCE_006"
    assert snapshot is not None
    assert started == []


@pytest.mark.parametrize(
    "arguments",
    [
        "run close --period 2026-03",
        "run close --period 2026-01",
        "preview close --period 2026-03",
        "diff close --period 2026-01",
    ],
)
def test_spark_is_not_announced_where_it_does_not_start(active: Shell, arguments: str) -> None:
    assert active.run("periods", "close", "2026-01").code == 0
    ended = active.run(*arguments.split())
    assert ended.code != 0
    assert "starting Spark" not in ended.err


def add(folder: Path) -> None:
    write_files(folder, {"data/rates/later.csv": "account,rate\n5000,3\n"})


def change(folder: Path) -> None:
    write_files(folder, {"data/gl/2026-01.csv": "account,amount\n4000,10.51\n"})


def remove(folder: Path) -> None:
    (folder / "data" / "rates" / "rates.csv").unlink()


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (add, "data/rates/later.csv is new"),
        (change, "data/gl/2026-01.csv changed"),
        (remove, "data/rates/rates.csv is gone"),
    ],
)
def test_input_that_changes_after_the_snapshot_ends_the_run(
    act: Callable[[Path], None], said: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a run checks before it computes lies between the snapshot and the first read."""
    files = {name: text for name, text in FILES.items() if name != "data/rates.csv"}
    shell.write({**files, "data/rates/rates.csv": FILES["data/rates.csv"]})
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0

    monkeypatch.setattr(run_execution, "check_run", lambda _: act(shell.folder))
    with OpenWorkspace(shell.folder) as workspace:
        request = choose_version(workspace, "close", "2026-01")
        result = start_run(workspace, request, RunOptions())
    assert result.error is not None
    assert (result.status, result.error.code) == ("failed", "RUN_011")
    assert said in result.error.message
    assert result.outputs == ()
    assert not (shell.folder / "out").exists()


def test_sheets_that_become_one_are_refused(active: Shell) -> None:
    sheet = "{{location: {{path: out/a.xlsx, format: excel, options: {{sheet: '{}'}}}}}}"
    output = (
        "    - {{seq: {}, name: a, type: output, arguments: {{columns: [usd], destination: {}}}}}\n"
    )
    project = FILES["projects/close.yaml"]
    for seq, name in ((40, "close {{YYYY}}"), (50, "Close 2026")):
        project += output.format(seq, sheet.format(name))
    write_files(active.folder, {"projects/close.yaml": project})
    with pytest.raises(RowbookError, match=r"OUTPUT_009.*a.xlsx!Close 2026 is also that of .* 40"):
        resolved(active.folder, "2026-01", draft=True)
