"""What is disturbed: a workspace whose figures tell which input they were made from, and what must
hold of it whatever happened.

Each input file has a generation: all its amounts are that number. So the rows of an output say
which generation of each file was read, and the digests in a run's snapshot say which were recorded.
"""

from __future__ import annotations

import csv
import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

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
Generations = Mapping[str, int]
"""Of each file, by its name."""

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
      strategy: {type: path, datasource_id: inbox, path: "gl/{{YYYY}}-{{MM}}"}
""",
}


@dataclass(slots=True)
class World:
    """`tables` is where outputs go: maybe those of `others` too, which are other workspaces."""

    folder: Path
    tables: Path
    store: str | None = None
    generation: int = 0
    digests: dict[str, int] = field(default_factory=dict)
    others: list[World] = field(default_factory=list)

    def make(self) -> None:
        settings = "workspace:\n  name: torture\n  default_resolver_id: inbox\n"
        if self.tables != self.folder / "lake":
            settings += f"  allowed_locations: [{self.tables}]\n"
        settings += f"  store: {self.store}\n" if self.store else ""
        sources = (
            "datasource: {name: inbox, type: csv, options: {root: inbox}}\n---\n"
            f"datasource: {{name: lake, type: parquet, options: {{root: {self.tables}}}}}\n"
        )
        project = PROJECT.replace("TOTALS", str(self.tables / "totals"))
        given = {"rowbook.yaml": settings, "datasources/all.yaml": sources, **FILES}
        write_files(self.folder, {**given, "projects/close.yaml": project})
        self.tables.mkdir(parents=True, exist_ok=True)
        for period in PERIODS:
            for name in FIRST:
                self.put(period, name)

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

    # --- what must hold

    def check(self) -> None:
        """AssertionError where something does not hold."""
        with OpenWorkspace(self.folder) as workspace:
            recover_dead_runs(workspace)
        for world in (self, *self.others):
            world.check_record()
        self._check_tables()
        self._check_leftovers()

    def check_record(self) -> None:
        """Runs have ended, and nothing that one announced is open."""
        with OpenWorkspace(self.folder) as workspace:
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
        log = Counter((r["file"], r["_period"], r["total"]) for r in _parquet(self.tables / "log"))
        assert log == expected_log, (log, expected_log)
        for name, seq in (("lines", 10), ("totals", 30)):
            for period in PERIODS:
                self._check_table(name, seq, period, published)

    def _check_table(
        self,
        name: str,
        seq: int,
        period: str,
        published: Mapping[tuple[str, int], tuple[str, Generations]],
    ) -> None:
        table = self.tables / name
        marks = marked_outputs(table)
        for run, number in marks:
            assert (run, number) in published, f"{name} is of {run}, whose record has no output"
        last = next((m for m in marks if published[m][0] == period), None)
        recorded = [m for m, (p, _) in published.items() if m[1] == seq and p == period]
        assert (last is None) == (not recorded), (name, period, recorded)
        if last is None:
            return
        read = published[last][1]
        if name == "lines":
            found = Counter((r["file"], r["amount"]) for r in _of(_parquet(table), period))
            assert found == {(n, Decimal(g)): LINES for n, g in read.items()}, (found, read)
        else:
            totals = {(r["file"], Decimal(r["total"])) for r in _of(_csv(table), period)}
            assert totals == {(n, Decimal(g * LINES)) for n, g in read.items()}, (totals, read)

    def _published(self) -> Iterator[tuple[tuple[str, int], tuple[str, Generations]]]:
        """Each output that is recorded, of this and the other workspaces, with its period and what
        was recorded as read for it."""
        for world in (self, *self.others):
            with OpenWorkspace(world.folder) as workspace:
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
        for content in datasets[0]["locations"][0]["contents"]:
            digest = content.get("digest")
            assert digest, f"published, and {content['name']} has no digest"
            known = {d: g for world in (self, *self.others) for d, g in world.digests.items()}
            yield Path(content["name"]).name, known[digest.removeprefix("sha256:")]

    def _check_leftovers(self) -> None:
        beside = [p.name for p in self.tables.rglob(".*") if p.name not in (MARK, ".gitkeep")]
        assert beside == [], beside
        for world in (self, *self.others):
            kept = world.folder / ".rowbook" / "inputs"
            assert not kept.exists() or not list(kept.iterdir()), "input is still kept"


def _parquet(table: Path) -> list[dict[str, Any]]:
    return [
        row
        for path in sorted(table.rglob("*.parquet"))
        for row in pq.ParquetFile(path).read().to_pylist()
    ]


def _csv(table: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for path in sorted(table.rglob("*.csv")):
        with path.open(newline="") as file:
            rows += list(csv.DictReader(file))
    return rows


def _of(rows: list[dict[str, Any]], period: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["_period"] == period]
