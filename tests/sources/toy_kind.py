"""A kind of data source in one module: a table is one json file of texts and their types."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from pyspark.sql import DataFrame, SparkSession

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.columns import PERIOD
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    Content,
    ContentsChangedError,
    Settlement,
    Source,
    Trace,
    WriteRequest,
    WriteResult,
    changed_names,
    input_changed,
)
from rowbook.spark.column_names import column


@dataclass(frozen=True, slots=True)
class ToyTable:
    path: Path
    label: str
    period: str | None = None
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    pinned: tuple[Content, ...] | None = None
    kind: ClassVar[str] = "toy"
    version: ClassVar[int | None] = None


@dataclass(frozen=True, slots=True)
class ToyTarget:
    path: Path
    label: str
    kind: ClassVar[str] = "toy"

    @property
    def key(self) -> str:
        return str(self.path)

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "path": str(self.path), "shown": self.label}


@dataclass(frozen=True, slots=True)
class ToyFile:
    """What a file holds: columns with their types, rows as texts, and who wrote them, last last."""

    types: Mapping[str, str] = field(default_factory=dict)
    rows: Sequence[Sequence[str | None]] = ()
    outputs: Sequence[str] = ()

    @classmethod
    def at(cls, path: Path) -> ToyFile | None:
        return cls(**json.loads(path.read_text())) if path.exists() else None

    def save(self, path: Path) -> None:
        held = {"types": self.types, "rows": self.rows, "outputs": self.outputs}
        staged = path.with_name(f".{path.name}")
        staged.write_text(json.dumps(held))
        staged.replace(path)

    def periods(self) -> list[str | None]:
        at = list(self.types).index(PERIOD.name) if PERIOD.name in self.types else None
        return [None if at is None else row[at] for row in self.rows]


class ToySource(Source[ToyTable, ToyTarget]):
    def table_at(self, address: TableAddress) -> ToyTable:
        path, label = address.local_path(address.location.location)
        return ToyTable(path, label, address.period, address.only)

    def target_at(self, address: TargetAddress) -> ToyTarget:
        return ToyTarget(*address.local_path())

    def target_from_json(self, recorded: Mapping[str, Any], _: Boundary) -> ToyTarget:
        return ToyTarget(Path(recorded["path"]), recorded["shown"])

    def table_of(self, target: ToyTarget) -> ToyTable:
        return ToyTable(target.path, target.label)

    def columns(self, table: ToyTable) -> tuple[str, ...]:
        return tuple(_file(table).types)

    def contents(self, table: ToyTable) -> tuple[Content, ...]:
        if table.pinned is not None:
            return table.pinned
        last = _file(table).outputs[-1]
        return (Content(table.label, table.path.stat().st_size, version=last),)

    def pin(self, table: ToyTable, contents: Sequence[Content] | None) -> ToyTable:
        now = self.contents(table)
        if contents is not None and (changed := changed_names(contents, now)):
            raise ContentsChangedError(changed)
        return replace(table, pinned=now)

    def read(
        self, spark: SparkSession, tables: Sequence[ToyTable], _: ExitStack
    ) -> tuple[Raw, ...]:
        return tuple(self._read(spark, table) for table in tables)

    def _read(self, spark: SparkSession, table: ToyTable) -> Raw:
        if self.contents(table) != self.contents(replace(table, pinned=None)):
            raise input_changed([f"{table.label} changed"])
        file = _file(table)
        texts = spark.createDataFrame(
            [tuple(row) for row in file.rows], ", ".join(f"`{name}` string" for name in file.types)
        )
        frame = texts.select(*(column(n).cast(t).alias(n) for n, t in file.types.items()))
        for name, values in table.only.items():
            if name in file.types:
                frame = frame.where(column(name).isin(*values))
        return Raw(frame, table.label, period=table.period)

    def write(self, frame: DataFrame, target: ToyTarget, order: WriteRequest) -> WriteResult:
        before = ToyFile.at(target.path)
        if before is not None and order.mode == "error_if_exists":
            raise RowbookError.of("OUTPUT_006", f"{target.label} exists already")
        types = {each.name: each.dataType.simpleString() for each in frame.schema.fields}
        texts = frame.select(*(column(name).cast("string") for name in types))
        new = ToyFile(types, [list(row) for row in texts.collect()])
        kept: list[Sequence[str | None]] = []
        if before is not None and (order.mode == "append" or order.periods is not None):
            replaced = (order.periods or ()) if order.mode == "replace" else ()
            told = zip(before.rows, before.periods(), strict=True)
            kept = [row for row, period in told if period not in replaced]
        if order.mode == "replace" and order.periods is not None:
            strange = [each for each in new.periods() if each not in order.periods]
            if strange:
                message = f"{target.label}: rows of period {strange[0]} are not of the run's period"
                raise RowbookError.of("OUTPUT_006", message)
        result = WriteResult(len(new.rows), 1, 0, 0)
        order.announce(result)
        outputs = [*(before.outputs if before else ()), f"{order.run_id}.{order.seq}"]
        ToyFile(types, [*kept, *new.rows], outputs).save(target.path)
        return result

    def settle(self, target: ToyTarget, run_id: str, seq: int) -> Settlement:
        file = ToyFile.at(target.path)
        return Settlement(file is not None and f"{run_id}.{seq}" in file.outputs)

    def trace(
        self,
        target: ToyTarget,
        run_id: str,
        seq: int,
        _: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        file = ToyFile.at(target.path)
        if file is None or f"{run_id}.{seq}" not in file.outputs:
            return None
        later = file.outputs[file.outputs.index(f"{run_id}.{seq}") + 1 :]
        since = [each.rpartition(".") for each in reversed(later)]
        only = {} if periods is None else {PERIOD.name: tuple(periods)}
        table = replace(self.table_of(target), only=only)
        return Trace(table, tuple((run, int(number)) for run, _, number in since))


def _file(table: ToyTable) -> ToyFile:
    found = ToyFile.at(table.path)
    if found is None:
        raise RowbookError.of("DATASOURCE_006", f"no data at {table.label}")
    return found
