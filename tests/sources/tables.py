"""Small tables in files, and what comes out of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from rowbook.definitions.models.dataset import (
    ColumnDefinition,
    ColumnFormat,
    DatasetDefinition,
    TableDefinition,
    TemporalMode,
    UnpivotDefinition,
)
from rowbook.engine.compile.collect import collect
from rowbook.engine.loading.load import Loaded, load
from rowbook.engine.loading.value_checks import explain_bad_values
from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.scope import Field
from rowbook.periods import GREGORIAN
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.run_context import RunContext
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.files.listing import KINDS, MARK, FileKind
from rowbook.sources.files.read_tables import read_places
from rowbook.sources.raw import Raw
from rowbook.sources.registry import write
from rowbook.sources.source import Mode, WriteRequest, WriteResult
from rowbook.sources.stores.object_path import DataPath
from rowbook.spark.column_names import column
from rowbook.spark.markers import found_in

NOW = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
RUN = "0199a000-0000-7000-8000-000000000001"
_COLUMN = re.compile(r"(\w+) ([a-z]+(?:\([^)]*\))?)(!?)(?: <- (.*))?")

Rows = list[dict[str, Any]]


def dataset(
    *columns: str,
    mode: TemporalMode | None = None,
    keys: Sequence[str] = (),
    period_from: str | None = None,
    unpivot: UnpivotDefinition | None = None,
    formats: Mapping[str, ColumnFormat] = MappingProxyType({}),
) -> Dataset:
    """A dataset from columns like `amount decimal(18,2)! <- Amount (USD)`; `!` is not nullable."""
    definitions = []
    for text in columns:
        found = _COLUMN.fullmatch(text)
        assert found, text
        name, kind, strict, source = found.groups()
        definitions.append(
            ColumnDefinition(
                name=name, type=kind, nullable=not strict, source=source, format=formats.get(name)
            )
        )
    table = TableDefinition(
        name="gl",
        temporal_mode=mode,
        period_from=period_from,
        unpivot=unpivot,
        columns=tuple(definitions),
    )
    model = DatasetDefinition(name="gl_entries", main_table=table, natural_key_columns=tuple(keys))
    return typed(Version(model, 1))


def context(period: str = "2026-01", as_of: date | datetime | None = None) -> RunContext:
    found = GREGORIAN.parse(period)
    return RunContext(RUN, "project", NOW, found, GREGORIAN, as_of or found.end)


def csv_file(folder: Path, text: str | bytes, name: str = "gl.csv") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def place(path: Path, kind: str = "csv", period: str | None = None, **options: str) -> FileTable:
    label = f"data/{path.name}"
    return FileTable(kind_named(kind), path, options, period, label)


def local(path: DataPath) -> Path:
    """The path of a table that is on this machine."""
    assert isinstance(path, Path)
    return path


def kind_named(name: str) -> FileKind:
    return next(kind for kind in KINDS if kind == name)


def read(spark: SparkSession, *places: FileTable) -> list[Raw]:
    return list(read_places(spark, places))


def physical(spark: SparkSession, where: FileTable) -> Rows:
    """The rows as the source has them, physical columns only."""
    return [
        row.asDict()
        for raw in read(spark, where)
        for row in raw.frame.select(*map(column, raw.columns)).collect()
    ]


def load_all(
    spark: SparkSession,
    wanted: Dataset,
    *places: FileTable,
    run: RunContext | None = None,
    keep_deleted: bool = True,
    periods: Sequence[str] | None = None,
) -> Loaded:
    raws = read(spark, *places)
    return load(wanted, raws, run or context(), keep_deleted=keep_deleted, periods=periods)


def rows_of(spark: SparkSession, wanted: Dataset, *places: FileTable, **how: Any) -> Rows:
    """The loaded rows: declared columns, and system columns that the source holds."""
    loaded = load_all(spark, wanted, *places, **how)
    fields = {f.name: f for f in wanted.fields}
    extra = [f for f in wanted.working_columns().fields.values() if f.name in loaded.frame.columns]
    return collect(loaded.frame, [*fields.values(), *(f for f in extra if f.name not in fields)])


def faults(spark: SparkSession, wanted: Dataset, *places: FileTable) -> tuple[Diagnostic, ...]:
    """What a run that reads every row fails on."""
    raws = read(spark, *places)
    loaded = load(wanted, raws, context(), keep_deleted=True)
    with pytest.raises(PySparkException) as failed:
        loaded.frame.count()
    marked = found_in(str(failed.value))
    assert marked is not None
    assert marked == ("DATASET_011", "dataset 'gl_entries' holds values that do not fit")
    return explain_bad_values(wanted, raws)


def refused(
    spark: SparkSession, wanted: Dataset, *places: FileTable, **how: Any
) -> tuple[Diagnostic, ...]:
    """What loading refuses before any job runs."""
    with pytest.raises(RowbookError) as error:
        load_all(spark, wanted, *places, **how)
    return error.value.diagnostics


def target(path: Path, kind: str = "parquet", **options: str) -> FileTarget:
    return FileTarget(kind_named(kind), path, options, f"data/{path.name}")


def put(
    frame: DataFrame,
    where: FileTarget,
    mode: Mode = "replace",
    periods: tuple[str, ...] | None = None,
    run_id: str = RUN,
    *,
    ordered: bool = False,
) -> WriteResult:
    return write(frame, where, WriteRequest(mode, periods, run_id, ordered=ordered))


def contents(spark: SparkSession, where: FileTarget, *columns: str) -> list[tuple[Any, ...]]:
    """All rows of a table, sorted, columns as named."""
    source = FileTable(where.kind, where.path, where.options, label=where.label, wanted=columns)
    found = [
        tuple(row)
        for raw in read_places(spark, [source])
        for row in raw.frame.select(*columns).collect()
    ]
    return sorted(found, key=repr)


def names_in(folder: Path) -> list[str]:
    """Everything in a folder, hidden or not, but for the mark that says who wrote it."""
    return sorted(entry.name for entry in folder.iterdir() if entry.name != MARK)


def files_in(folder: Path) -> list[Path]:
    """The same as paths."""
    return [folder / name for name in names_in(folder)]


def field_names(fields: Sequence[Field]) -> list[str]:
    return [f.name for f in fields]
