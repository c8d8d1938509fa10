"""A kind of data source in one module: a table is one json file of texts and their types."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, cast

from pyspark.sql import DataFrame, SparkSession

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.columns import PERIOD
from rowbook.sources.addresses import TableAddress, TargetAddress, recorded_path
from rowbook.sources.contents import Content, Keeping, changed_names
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    Publishing,
    Settlement,
    Source,
    StagedOutput,
    Trace,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.source_errors import ContentsChangedError, input_changed
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

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> ToyTarget:
        return ToyTarget(recorded_path(recorded["path"], boundary), recorded["shown"])

    def table_of(self, target: ToyTarget) -> ToyTable:
        return ToyTable(target.path, target.label)

    def columns(self, table: ToyTable) -> tuple[str, ...]:
        return tuple(_file(table).types)

    def contents(self, table: ToyTable) -> tuple[Content, ...]:
        if table.pinned is not None:
            return table.pinned
        last = _file(table).outputs[-1]
        return (Content(table.label, table.path.stat().st_size, version=last),)

    def pin(
        self, table: ToyTable, contents: Sequence[Content] | None, _: Keeping | None
    ) -> ToyTable:
        now = self.contents(table)
        if contents is not None and (changed := changed_names(contents, now)):
            raise ContentsChangedError(changed)
        return replace(table, pinned=now)

    def read(
        self, spark: SparkSession, tables: Sequence[ToyTable], _: ExitStack
    ) -> tuple[Raw, ...]:
        return tuple(self._read(spark, table) for table in tables)

    def check(self, table: ToyTable) -> None:
        if self.contents(table) != self.contents(replace(table, pinned=None)):
            raise input_changed([f"{table.label} changed"])

    def _read(self, spark: SparkSession, table: ToyTable) -> Raw:
        self.check(table)
        file = _file(table)
        texts = spark.createDataFrame(
            [tuple(row) for row in file.rows], ", ".join(f"`{name}` string" for name in file.types)
        )
        frame = texts.select(*(column(n).cast(t).alias(n) for n, t in file.types.items()))
        for name, values in table.only.items():
            if name in file.types:
                frame = frame.where(column(name).isin(*values))
        return Raw(frame, table.label, period=table.period)

    def stage(self, frame: DataFrame, target: ToyTarget, order: WriteRequest) -> StagedOutput:
        _check(target, order.mode)
        types = {each.name: each.dataType.simpleString() for each in frame.schema.fields}
        texts = frame.select(*(column(name).cast("string") for name in types))
        new = ToyFile(types, [list(row) for row in texts.collect()])
        if order.mode == "replace" and order.periods is not None:
            strange = [each for each in new.periods() if each not in order.periods]
            if strange:
                message = f"{target.label}: rows of period {strange[0]} are not of the run's period"
                raise RowbookError.of("OUTPUT_006", message)
        new.save(_staged(target, order.run_id, order.seq))
        return StagedOutput.of(target, order, WriteResult(len(new.rows), 1, 0, 0))

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        return tuple(self._publish(each, publishing) for each in staged)

    def _publish(self, staged: StagedOutput, publishing: Publishing) -> WriteResult:
        target = cast("ToyTarget", staged.target)
        path = _staged(target, staged.run_id, staged.seq)
        before, new = ToyFile.at(target.path), ToyFile.at(path)
        output = f"{staged.run_id}.{staged.seq}"
        if new is None and before is not None and output in before.outputs:
            return staged.written
        _check(target, staged.mode)
        assert new is not None
        kept: list[Sequence[str | None]] = []
        if before is not None and (staged.mode == "append" or staged.periods is not None):
            replaced = (staged.periods or ()) if staged.mode == "replace" else ()
            told = zip(before.rows, before.periods(), strict=True)
            kept = [row for row, period in told if period not in replaced]
        publishing.announce(staged.written)
        outputs = [*(before.outputs if before else ()), output]
        ToyFile(new.types, [*kept, *new.rows], outputs).save(target.path)
        path.unlink()
        return staged.written

    def damage(self, staged: StagedOutput) -> str | None:
        path = _staged(cast("ToyTarget", staged.target), staged.run_id, staged.seq)
        return None if path.exists() else "its staged file is gone"

    def discard(self, staged: StagedOutput) -> None:
        target = cast("ToyTarget", staged.target)
        _staged(target, staged.run_id, staged.seq).unlink(missing_ok=True)

    def settle(self, target: ToyTarget, run_id: str, seq: int) -> Settlement:
        _staged(target, run_id, seq).unlink(missing_ok=True)
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


def _staged(target: ToyTarget, run_id: str, seq: int) -> Path:
    return target.path.with_name(f".{target.path.name}.staged-{run_id}-{seq}")


def _check(target: ToyTarget, mode: str) -> None:
    if mode == "error_if_exists" and target.path.exists():
        raise RowbookError.of("OUTPUT_006", f"{target.label} exists already")


def _file(table: ToyTable) -> ToyFile:
    found = ToyFile.at(table.path)
    if found is None:
        raise RowbookError.of("DATASOURCE_006", f"no data at {table.label}")
    return found
