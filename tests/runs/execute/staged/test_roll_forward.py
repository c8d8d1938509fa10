"""Killed while it publishes two outputs of two kinds, a run has published nothing, or all of it.
Who reads the tables meanwhile, each by itself and again and again, sees its old or its new rows."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable

from rowbook.cli.app import main
from rowbook.errors import RowbookError
from rowbook.runs.execute.execute_run import RunOptions
from rowbook.runs.execute.run_execution import Execution
from rowbook.runs.open_workspace import OpenWorkspace
from tests.runs.whole_runs import activate, lent, no_spark, resume, run
from tests.store.samples import intents_of
from tests.support.forked import forked
from tests.support.postgres_server import PASSWORD, Server
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

KILLS = 3
"""Of a usual run, spread over the write points; a campaign kills at each of them."""
MOST = 60
PROJECT = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 20
      name: first
      type: output
      arguments: {destination: FIRST, columns: [account, amount, _period]}
    - seq: 30
      name: second
      type: output
      arguments: {destination: SECOND, columns: [account, amount, _period]}
"""
INPUT = "data/gl/2026-01.csv"
LINES = 3
"""Of a month: a mixture of two states would show."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two destinations, and the amounts that each holds."""

    shell: Shell
    tables: tuple[Callable[[], list[str]], Callable[[], list[str]]]

    def amounts(self) -> tuple[str, str]:
        first, second = (one_amount(read()) for read in self.tables)
        return first, second

    def staged(self, amount: str, options: RunOptions) -> str:
        """A run that was stopped when all was staged; its id."""
        lines = "".join(f"400{number},{amount}\n" for number in range(LINES))
        self.shell.write({INPUT: f"account,amount\n{lines}"})

        def refuse(*_: object) -> None:
            raise RowbookError.of("RUN_002", "stopped")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Execution, "_may_publish", refuse)
            return run(self.shell, options).run_id

    def resume_in_a_process(self, run_id: str, **environment: str) -> int | None:
        said = self.shell.folder.with_name("said")
        said.mkdir(exist_ok=True)
        words = ("runs", "resume", run_id, "-C", str(self.shell.folder))
        given = {**os.environ, "ROWBOOK_LEASE_SECONDS": "600", **environment}
        process = forked(main, words, given, said / "out", said / "err")
        process.join(120)
        return process.exitcode

    def is_decided(self, run_id: str) -> bool:
        with OpenWorkspace(self.shell.folder) as workspace:
            return bool(intents_of(workspace.store, run_id))

    @contextmanager
    def polled(self, old: str, new: str) -> Iterator[None]:
        """Each table is read again and again, by a thread of its own: it holds one state, and where
        the new one was seen, the old one does not come back."""
        done = threading.Event()
        looks: list[list[str]] = [[], []]
        faults: list[BaseException] = []

        def look(read: Callable[[], list[str]], seen: list[str]) -> None:
            missed = 0
            while not done.wait(0.01):
                try:
                    seen.append(one_amount(read()))
                    missed = 0
                except FileNotFoundError as fault:  # it was listed and is gone: one looks again
                    missed += 1
                    if missed > 2:
                        faults.append(fault)
                except BaseException as fault:
                    faults.append(fault)

        readers = [
            threading.Thread(target=look, args=each)
            for each in zip(self.tables, looks, strict=True)
        ]
        for reader in readers:
            reader.start()
        try:
            yield
        finally:
            done.set()
            for reader in readers:
                reader.join()
        assert faults == []
        for seen in looks:
            assert len(seen) > 1
            assert seen == sorted(seen, key=[old, new].index)

    def status(self, run_id: str) -> str:
        assert self.shell.run("runs", "list").code == 0
        with OpenWorkspace(self.shell.folder) as workspace:
            return workspace.store.runs.get(run_id).status


def sweep(pair: Pair, tmp_path: Path, options: RunOptions, kills: int) -> None:
    """What was staged is published by commands that have no Spark."""
    finish = RunOptions(session=no_spark)
    counted = tmp_path / "points"
    first = pair.staged("1.00", options)
    assert pair.resume_in_a_process(first, ROWBOOK_COUNT_WRITES=str(counted)) == 0
    names = counted.read_text(encoding="utf-8").splitlines()
    assert {"all outputs are staged", "decided", "between two publications"} <= set(names)
    assert len(names) <= MOST
    decision = names.index("decided") + 1
    later = range(decision, len(names), max(1, (len(names) - decision) // (kills - 1)))
    old = "1.00"
    for number, point in enumerate((names.index("all outputs are staged") + 1, *later), start=2):
        new = f"{number}.00"
        run_id = pair.staged(new, options)
        assert pair.amounts() == (old, old)
        with pair.polled(old, new):
            ended = pair.resume_in_a_process(run_id, ROWBOOK_KILL_AT_WRITE=str(point))
            assert ended == -signal.SIGKILL, names[point - 1]
            assert set(pair.amounts()) <= {old, new}
            is_decided = pair.is_decided(run_id)
            assert is_decided == (point >= decision)
            status = pair.status(run_id)
        if not is_decided:
            assert (status, pair.amounts()) == ("failed", (old, old))
        else:
            assert (status, pair.amounts()) == ("completed", (new, new)), names[point - 1]
        if status == "failed":
            assert resume(pair.shell, run_id, finish).status == "completed"
        assert pair.amounts() == (new, new), names[point - 1]
        assert pair.status(run_id) == "completed"
        names = [path.name for path in (pair.shell.folder / "out").glob(".*")]
        assert [name for name in names if ".replaced-" not in name] == []
        old = new


def one_amount(rows: list[str]) -> str:
    """Of a table that holds one state and nothing else."""
    (amount,) = set(rows)
    assert len(rows) == LINES, rows
    return amount


def parquet_amounts(table: Path) -> list[str]:
    return sorted(str(row["amount"]) for row in pq.read_table(table).to_pylist())


def csv_amounts(table: Path) -> list[str]:
    def gone(fault: OSError) -> None:
        raise fault

    folders = os.walk(table, onerror=gone)
    files = [Path(at, name) for at, _, names in folders for name in names if name.endswith(".csv")]
    lines = [path.read_text().splitlines()[1:] for path in files]
    return sorted(line.split(",")[1] for each in lines for line in each)


def delta_amounts(table: Path) -> list[str]:
    return sorted(str(row["amount"]) for row in DeltaTable(table).to_pyarrow_table().to_pylist())


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    return MOST if request.config.getoption("--campaign") else KILLS


@pytest.mark.postgres
def test_parquet_and_postgresql(
    shell: Shell,
    server: Server,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kills: int,
) -> None:
    monkeypatch.setenv("LEDGER_PASSWORD", PASSWORD)
    url = f"jdbc:postgresql://127.0.0.1:{server.port}/postgres"
    options = f'{{url: "{url}", user: {server.user}, schema: swept}}'
    project = PROJECT.replace("FIRST", "{location: {path: out/book, format: parquet}}").replace(
        "SECOND", "{datasource_id: erp, table: book}"
    )

    def execute(text: str) -> list[tuple[str, ...]]:
        with psycopg.connect(
            host="127.0.0.1",
            port=server.port,
            dbname="postgres",
            user=server.user,
            password=PASSWORD,
            autocommit=True,
        ) as connection:
            cursor = connection.execute(text.encode())
            return cursor.fetchall() if cursor.description else []

    execute("DROP SCHEMA IF EXISTS swept CASCADE")
    execute("CREATE SCHEMA swept")
    activate(
        shell,
        project,
        **{
            "rowbook.yaml": "workspace:\n  name: acme\n  default_resolver_id: inbox\n"
            "  credentials:\n"
            f'    - {{ref: env://LEDGER_PASSWORD, host: "127.0.0.1:{server.port}"}}\n',
            "datasources/erp.yaml": f"datasource: {{name: erp, type: jdbc, options: {options},"
            " credential_ref: env://LEDGER_PASSWORD}\n",
        },
    )

    def stored() -> list[str]:
        return [each for (each,) in execute("SELECT amount::text FROM swept.book ORDER BY 1")]

    files = partial(parquet_amounts, shell.folder / "out/book")
    sweep(Pair(shell, (files, stored)), tmp_path, lent(spark), kills)
    stages = "SELECT 1 FROM pg_tables WHERE schemaname = 'swept' AND tablename LIKE '%stage%'"
    assert execute(stages) == []


def test_csv_and_delta(shell: Shell, spark: SparkSession, tmp_path: Path, kills: int) -> None:
    project = PROJECT.replace("FIRST", "{location: {path: out/list, format: csv}}").replace(
        "SECOND", "{location: {path: out/book, format: delta}}"
    )
    activate(shell, project)

    files = partial(csv_amounts, shell.folder / "out/list")
    book = partial(delta_amounts, shell.folder / "out/book")
    sweep(Pair(shell, (files, book)), tmp_path, lent(spark), kills)
