"""A small workspace whose project is active: input of two months, a table that is replaced month by
month and one that is appended to, both registered as datasets."""

from __future__ import annotations

import contextlib
import io
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from rowbook.cli.app import run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.sources.files.listing import MARK
from rowbook.store import Store
from tests.runs.processes import Ended, Running
from tests.support.write_files import write_files

NOW = "2026-03-01T08:00:00Z"
"""The clock of runs whose row ids are compared."""

CLOSE = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: convert
      type: update
      arguments: {assignments: [{column: usd, expression: "amount * 2"}]}
    - seq: 20
      name: sum up
      type: aggregate
      arguments:
        group_by: [_period, account]
        aggregations: [{column: total, expression: "SUM(usd)"}]
    - seq: 30
      name: publish
      type: output
      arguments:
        destination: {datasource_id: lake, table: closed}
        register_as_dataset: closed
    - seq: 40
      name: log
      type: output
      selector: "total IS NOT NULL"
      arguments:
        destination: {datasource_id: lake, table: log}
        columns: [account, total, _row_id, _period]
        mode: append
        register_as_dataset: totals
"""
FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: inbox}\n",
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
""",
    "datasources/files.yaml": """\
datasource: {name: inbox, type: csv, options: {root: data/inbox}}
---
datasource: {name: lake, type: parquet, options: {root: data/lake}}
""",
    "resolvers/inbox.yaml": """\
resolver:
  name: inbox
  rules:
    - name: one file a month
      data_level: month
      strategy: {type: path, datasource_id: inbox, path: "{{table_name}}/{{YYYY}}-{{MM}}.csv"}
""",
    "projects/close.yaml": CLOSE,
    "data/inbox/gl/2026-01.csv": "account,amount\n4000,10.50\n4000,2.25\n5000,-3.00\n",
    "data/inbox/gl/2026-02.csv": "account,amount\n4000,7.00\n4000,7.00\n6000,1.10\n",
}
JANUARY = [("4000", "25.50"), ("5000", "-6.00")]
FEBRUARY = [("4000", "28.00"), ("6000", "2.20")]

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Books:
    """A workspace and the commands in it; `engine` is where Spark is."""

    folder: Path
    engine: str

    def write(self, files: Mapping[str, str]) -> None:
        write_files(self.folder, files)

    def do(self, *arguments: str, code: int = 0) -> Ended:
        """A command that needs no Spark, in this process."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            ended = run([*arguments, "-C", str(self.folder)])
        assert ended == code, err.getvalue()
        return Ended(ended, out.getvalue(), err.getvalue())

    def json(self, *arguments: str) -> Any:
        """What a command that needs no Spark prints for programs."""
        return self.do(*arguments, "--format", "json").json

    def start(self, *arguments: str, **environment: str) -> Running:
        """A command as a process of its own. Its lease lasts, so that heartbeats do not change the
        numbers of write points; that it is gone is seen at once."""
        needs_spark = arguments[0] == "run" or arguments[1] in ("resume", "repeat")
        engine = ("--engine", self.engine) if needs_spark else ()
        said = self.folder.with_name(f"{self.folder.name}-said")
        asked = (*arguments, "-C", str(self.folder), *engine)
        return Running(asked, said, {"ROWBOOK_LEASE_SECONDS": "600", **environment})

    def spawn(self, *arguments: str, code: int | None = 0, **environment: str) -> Ended:
        """The same, waited for; `code` is how it shall end (None: anyhow)."""
        with self.start(*arguments, **environment) as running:
            ended = running.end()
        assert code is None or ended.code == code, ended.out + ended.err
        return ended

    def close(self, period: str, *more: str, code: int | None = 0, **environment: str) -> Ended:
        """Runs the project with the usual clock."""
        asked = ("run", "close", "--period", period, "--now", NOW, *more)
        return self.spawn(*asked, code=code, **environment)

    def show(self, run_id: str) -> Any:
        return self.json("runs", "show", run_id)

    def runs(self) -> list[dict[str, Any]]:
        """What `runs list` says, newest first."""
        found: list[dict[str, Any]] = self.json("runs", "list")["runs"]
        return found

    @contextmanager
    def store(self) -> Iterator[Store]:
        with OpenWorkspace(self.folder) as workspace:
            yield workspace.store

    @property
    def lake(self) -> Path:
        return self.folder / "data" / "lake"

    def rows(self, table: str) -> Rows:
        return rows_in(self.lake / table)

    def totals(self, table: str, period: str) -> list[tuple[str, str]]:
        """Account and total of a period's summary rows."""
        found = [r for r in self.rows(table) if r["total"] is not None and r["_period"] == period]
        return sorted((row["account"], str(row["total"])) for row in found)

    def leftovers(self) -> list[str]:
        """What stands beside tables and belongs to none; what they were before is evidence."""
        names = (p.name for p in (self.folder / "data").rglob(".*") if p.name != MARK)
        return sorted(name for name in names if ".replaced-" not in name)

    def copy(self, to: Path) -> Books:
        """The same somewhere else, files as old as they were."""
        shutil.copytree(self.folder, to)
        return Books(to, self.engine)

    def move_leases_elsewhere(self) -> None:
        """As if the processes that hold them were those of another machine."""
        with contextlib.closing(sqlite3.connect(self.folder / ".rowbook" / "store.db")) as store:
            store.execute("UPDATE lease SET machine = 'another boot'")
            store.commit()

    def is_free(self) -> bool:
        """Whether no process holds the store or the tables."""
        with contextlib.closing(sqlite3.connect(self.folder / ".rowbook" / "store.db")) as store:
            store.execute("PRAGMA busy_timeout = 0")
            try:
                store.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                return False
            store.rollback()
        return not any(self.lake.glob(".*.lock"))


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """A run for February that nobody disturbed: the names of the write points that it passed, and
    the tables that it left."""

    books: Books
    points: list[str]
    closed: Rows
    log: Rows

    def number_of(self, name: str, which: int = 0) -> int:
        """The write point of a name, the first or a later one."""
        return [n for n, each in enumerate(self.points, 1) if each == name][which]


def rows_in(table: Path) -> Rows:
    """All rows of a table."""
    return rows_of((path, path.relative_to(table).parts[:-1]) for path in table.rglob("*.parquet"))


def rows_of(files: Iterable[tuple[Path, Iterable[str]]]) -> Rows:
    """All rows of files, each with the folders `column=value` that it is in, but for the run that
    made them: no two runs have the same."""
    rows: Rows = []
    for path, folders in files:
        stored = dict(each.split("=", 1) for each in folders if "=" in each)
        rows += [{**row, **stored} for row in pq.ParquetFile(path).read().to_pylist()]
    for row in rows:
        row.pop("_created_by_run_id", None)
    return sorted(rows, key=repr)
