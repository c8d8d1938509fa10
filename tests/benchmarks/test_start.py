"""Commands from the shell: what is timed of them, and that the script does the same close."""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from benchmarks.measuring.results import Measurement, Results
from benchmarks.peers import pyspark_starter
from benchmarks.start import BY_HAND, ROWBOOK, Contestant, Task, report

from rowbook import Workspace
from rowbook.starter.creation import init_workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MONTHS = "import time\nfor _ in range(3): time.sleep(0.05); print('completed', flush=True)\n"
TASK = Task(False, (), ("months.py",), "completed", ("first", None, "third"))


def contestant(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Contestant:
    (folder / "months.py").write_text(script)
    monkeypatch.setattr("benchmarks.start.PEERS", folder)
    return Contestant(BY_HAND, dict(os.environ))


def test_parts_of_a_command_are_told_apart_by_what_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = dict(contestant(tmp_path, monkeypatch, MONTHS).times(TASK, tmp_path))
    assert list(times) == ["first", "third"]
    assert all(seconds >= 0.05 for seconds in times.values())


@pytest.mark.parametrize(
    ("script", "said"),
    [("print('completed')", "only 1 of 3 were done"), ("raise SystemExit('no rows')", "no rows")],
)
def test_a_command_that_does_not_do_its_work_is_not_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    with pytest.raises(SystemExit, match=said):
        list(contestant(tmp_path, monkeypatch, script).times(TASK, tmp_path))


def test_what_has_no_script_is_not_timed(tmp_path: Path) -> None:
    task = Task(False, ("test",), None, "passed", ("test",))
    assert Contestant(BY_HAND, {}).words(task) is None
    assert Contestant(ROWBOOK, {}).words(task) == (sys.executable, "-m", "rowbook", "test")


def test_a_case_is_a_line_and_a_contestant_a_column() -> None:
    results = Results("start", "", "", {}, {}, 0.0)
    results.measurements += [
        Measurement(ROWBOOK, "run", 6.0),
        Measurement(BY_HAND, "run", 12.0),
        Measurement(ROWBOOK, "test", 2.0),
    ]
    assert report(results).table.splitlines() == [
        f"| from the shell | {ROWBOOK} | {BY_HAND} | {ROWBOOK} × script |",
        "| --- | ---: | ---: | ---: |",
        "| run | 6.00 s | 12.0 s | 0.50× |",
        "| test | 2.00 s | – | – |",
    ]


@pytest.mark.campaign
@pytest.mark.spark
@pytest.mark.slow
def test_the_script_writes_the_rows_of_the_run(tmp_path: Path, spark: SparkSession) -> None:
    folder = tmp_path / "close"
    init_workspace(folder, "close")
    pyspark_starter.close(spark, "2026-01", folder)
    with Workspace.open(folder, spark=spark) as workspace:
        written = workspace.run("monthly_close", "2026-01", draft=True).outputs
    ours = {Path(each.destination).name: folder / each.destination for each in written}
    assert lines(ours["closed_ledger"]) == lines(folder / "by_hand" / "ledger" / "2026-01")
    *report, period = zip(*cells(ours["profit_and_loss"]), strict=True)
    assert {*period} == {"_period", "2026-01"}
    by_hand = cells(folder / "by_hand" / "report" / "2026-01")
    assert sorted(map(list, zip(*report, strict=True))) == by_hand


def lines(table: Path) -> list[str]:
    (file,) = table.rglob("*.parquet")
    rows: list[dict[str, Any]] = pq.ParquetFile(file).read(pyspark_starter.LEDGER).to_pylist()
    return sorted(map(repr, rows))


def cells(table: Path) -> list[list[str]]:
    (file,) = (each for each in table.rglob("*.csv") if each.is_file())
    return sorted(csv.reader(file.read_text().splitlines()))
