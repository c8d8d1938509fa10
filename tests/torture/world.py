"""What is disturbed: a workspace whose figures tell which input they were made from, and what must
hold of it whatever happened.

Each input file has a generation: all its amounts are that number. So the rows of an output say
which generation of each file was read, and the digests in a run's snapshot say which were recorded.
"""

from __future__ import annotations

import csv
import hashlib
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow.parquet as pq

from rowbook.runs.execute.dead_runs import recover_dead_runs
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.sources.files.listing import MARK
from rowbook.sources.publishing.marks import marked_outputs
from tests.store.samples import intents_of, lease_of
from tests.support.write_files import write_files

LINES = 3
"""Rows of a file."""
FIRST = ("a.csv", "b.csv")
PERIODS = ("2026-01", "2026-02")
Generations: TypeAlias = Mapping[str, int]
"""Of each file, by its name."""
Mark: TypeAlias = tuple[str, int]
"""An output: its run and its seq."""
Rows: TypeAlias = list[dict[str, Any]]
Published: TypeAlias = Mapping[Mark, tuple[str, Generations]]
"""Of each output that is recorded its period, and what was read for it."""

PROJECT = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: lines
      type: output
      arguments:
        destination: {datasource_id: lake, table: lines}
        columns: [file, amount, _row_id, _period]
    - seq: 20
      name: sum up
      type: aggregate
      arguments:
        group_by: [_period, file]
        aggregations: [{column: total, expression: "SUM(amount)"}]
    - seq: 30
      name: totals
      type: output
      selector: "total IS NOT NULL"
      arguments:
        destination: {location: {path: "TOTALS", format: csv}}
        columns: [file, total, _period]
    - seq: 40
      name: log
      type: output
      selector: "total IS NOT NULL"
      arguments:
        destination: {datasource_id: lake, table: log}
        columns: [file, total, _period]
        mode: append
        register_as_dataset: totals
"""
FILES = {
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns: [{name: file, type: string}, {name: amount, type: "decimal(18,2)"}]
""",
    "resolvers/inbox.yaml": """\
resolver:
  name: inbox
  rules:
    - name: a folder a month
      strategy: STRATEGY
""",
}


@dataclass(slots=True)
class World:
    """`tables` is where outputs go: maybe those of `others` too, which are other workspaces. What
    `settings` say goes into rowbook.yaml, and `secret` into a file."""

    folder: Path
    tables: Path
    settings: str = ""
    secret: str = ""
    generation: int = 0
    digests: dict[str, int] = field(default_factory=dict)
    others: list[World] = field(default_factory=list)
    points: int = 60
    """About as many write points as a run has."""

    def make(self) -> None:
        settings = f"workspace:\n  name: torture\n  default_resolver_id: inbox\n{self.settings}"
        settings += f"  allowed_locations: [{self.tables}]\n"
        given = {name: text.replace("STRATEGY", self.strategy) for name, text in FILES.items()}
        given |= {"rowbook.yaml": settings, "datasources/all.yaml": self.sources}
        given |= {"secrets/password": self.secret}
        project = PROJECT.replace("TOTALS", str(self.tables / "totals"))
        write_files(self.folder, {**given, "projects/close.yaml": project})
        self.tables.mkdir(parents=True, exist_ok=True)
        for period in PERIODS:
            for name in FIRST:
                self.put(period, name)

    @property
    def sources(self) -> str:
        return (
            "datasource: {name: inbox, type: csv, options: {root: inbox}}\n---\n"
            f"datasource: {{name: lake, type: parquet, options: {{root: {self.tables}}}}}\n"
        )

    @property
    def strategy(self) -> str:
        return '{type: path, datasource_id: inbox, path: "gl/{{YYYY}}-{{MM}}"}'

    def open(self) -> OpenWorkspace:
        return OpenWorkspace(self.folder, trust=True)

    # --- the input

    def inbox(self, period: str) -> Path:
        return self.folder / "inbox" / "gl" / period

    def put(self, period: str, name: str, *, in_place: bool = False, quietly: bool = False) -> None:
        """The next generation of a file, whole at once under its name, or written into it; quietly:
        with the size and time that it had."""
        self.generation += 1
        rows = f"{name},{self.generation:08}.00\n" * LINES
        text = f"file,amount\n{rows}"
        self.digests[hashlib.sha256(text.encode()).hexdigest()] = self.generation
        path = self.inbox(period) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.stat() if path.exists() else None
        if in_place:
            path.write_text(text)
        else:
            path.with_name(f".{name}").write_text(text)
            path.with_name(f".{name}").replace(path)
        if quietly and before is not None:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def change(self, chance: random.Random, period: str) -> None:
        act, name = chance.choice(("rename", "in place", "quietly", "add")), chance.choice(FIRST)
        extra = self.inbox(period) / "c.csv"
        if act == "add" and extra.exists():
            extra.unlink()
        elif act == "add":
            self.put(period, extra.name)
        else:
            self.put(period, name, in_place=act != "rename", quietly=act == "quietly")

    # --- what must hold

    def check(self) -> None:
        """AssertionError where something does not hold."""
        with self.open() as workspace:
            recover_dead_runs(workspace)
        for world in (self, *self.others):
            world.check_record()
        self._check_tables()
        self._check_leftovers()

    def check_record(self) -> None:
        """Runs have ended, and nothing that one announced is open."""
        with self.open() as workspace:
            store = workspace.store
            for run in store.runs.newest():
                assert run.status in ("completed", "failed", "cancelled"), run
                assert lease_of(store, run.id) is None, run
                states = {intent.state for intent in intents_of(store, run.id)}
                assert states <= {"done", "undone"}, (run, states)
                if run.status == "completed":
                    assert len(store.runs.record(run.id).outputs) == 3, run

    def _check_tables(self) -> None:
        """Each table is what the outputs that are recorded made it, of one state of the input."""
        published = dict(self._published())
        expected_log: Counter[tuple[str, str, Decimal]] = Counter()
        for (_, seq), (period, read) in published.items():
            if seq == 40:
                expected_log.update((n, period, Decimal(g * LINES)) for n, g in read.items())
        log = Counter((r["file"], r["_period"], r["total"]) for r in self._rows("log"))
        assert log == expected_log, (log, expected_log)
        for name, seq in (("lines", 10), ("totals", 30)):
            for period in PERIODS:
                self._check_table(name, seq, period, published)

    def _check_table(self, name: str, seq: int, period: str, published: Published) -> None:
        marks = self._marks(name)
        for run, number in marks:
            assert (run, number) in published, f"{name} is of {run}, whose record has no output"
        last = next((m for m in marks if published[m][0] == period), None)
        recorded = [m for m, (p, _) in published.items() if m[1] == seq and p == period]
        assert (last is None) == (not recorded), (name, period, recorded)
        if last is None:
            return
        read = published[last][1]
        rows = [row for row in self._rows(name) if row["_period"] == period]
        if name == "lines":
            found = Counter((r["file"], r["amount"]) for r in rows)
            assert found == {(n, Decimal(g)): LINES for n, g in read.items()}, (found, read)
        else:
            totals = {(r["file"], Decimal(r["total"])) for r in rows}
            assert totals == {(n, Decimal(g * LINES)) for n, g in read.items()}, (totals, read)

    def _published(self) -> Iterator[tuple[Mark, tuple[str, Generations]]]:
        """Of this and the other workspaces."""
        for world in (self, *self.others):
            with world.open() as workspace:
                store = workspace.store
                for run in store.runs.newest():
                    record, snapshot = store.runs.record(run.id), store.runs.snapshot(run.id)
                    for output in record.outputs:
                        assert snapshot is not None
                        read = dict(self._read(snapshot, record))
                        yield (run.id, output.seq), (run.period, read)

    def _read(self, snapshot: Mapping[str, Any], record: Any) -> Iterator[tuple[str, int]]:
        datasets = snapshot["datasets"]
        for resumption in record.resumptions:
            if resumption.accepted_input:
                raise AssertionError("nobody accepted changed input")
        contents = datasets[0]["locations"][0]["contents"]
        for content in contents:
            assert content.get("digest"), f"published, and {content['name']} has no digest"
        yield from self._recorded(contents)

    def _check_leftovers(self) -> None:
        """Only what is staged of runs that can be resumed."""
        staged = {name for world in (self, *self.others) for name in world._staged()}
        assert [each for each in self._left() if not _begins(each, staged)] == []
        for world in (self, *self.others):
            kept = world.folder / ".rowbook" / "inputs"
            assert not kept.exists() or not list(kept.iterdir()), "input is still kept"

    # --- what is there

    def _marks(self, name: str) -> list[Mark]:
        """Newest first."""
        return list(marked_outputs(self.tables / name))

    def _rows(self, name: str) -> Rows:
        table = self.tables / name
        return _csv(table) if name == "totals" else _parquet(table)

    def _recorded(self, contents: list[Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
        """Which generations were read, as a snapshot says it."""
        known = {d: g for world in (self, *self.others) for d, g in world.digests.items()}
        for content in contents:
            yield Path(content["name"]).name, known[content["digest"].removeprefix("sha256:")]

    def _staged(self) -> Iterator[str]:
        """How the names of what is staged begin, of files and of tables in a database."""
        with self.open() as workspace:
            store = workspace.store
            for run in store.runs.newest():
                for each in store.runs.record(run.id).unpublished:
                    table = Path(str(each.staged["target"].get("path", ""))).name
                    yield f".{table}.staging-{run.id}-{each.seq}"
                    yield str(each.staged["details"].get("stage", ""))

    def _left(self) -> list[str]:
        """What stands beside tables, but for what they were before."""
        names = (p.name for p in self.tables.rglob(".*") if p.name not in (MARK, ".gitkeep"))
        return [name for name in names if ".replaced-" not in name]


def _begins(name: str, beginnings: set[str]) -> bool:
    return any(each and name.startswith(each) for each in beginnings)


def _parquet(table: Path) -> Rows:
    return [
        row
        for path in sorted(table.rglob("*.parquet"))
        for row in pq.ParquetFile(path).read().to_pylist()
    ]


def _csv(table: Path) -> Rows:
    rows: Rows = []
    for path in sorted(table.rglob("*.csv")):
        with path.open(newline="") as file:
            rows += list(csv.DictReader(file))
    return rows
