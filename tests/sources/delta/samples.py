"""Small Delta tables, written by Rowbook and looked at by a reader that is neither it nor Spark."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable as LakeTable
from pyspark.sql import DataFrame, SparkSession

from rowbook.errors import RowbookError
from rowbook.sources.delta.delta_table import DeltaTable, DeltaTarget
from rowbook.sources.delta.source import DeltaSource
from rowbook.sources.source import Mode, WriteRequest, WriteResult
from tests.sources.tables import RUN

Found = list[tuple[Any, ...]]


def target(path: Path, **options: str) -> DeltaTarget:
    return DeltaTarget(path, options, f"data/{path.name}")


def place(path: Path, **how: Any) -> DeltaTable:
    return DeltaTable(path, f"data/{path.name}", **how)


def put(
    frame: DataFrame,
    path: Path,
    mode: Mode = "replace",
    periods: tuple[str, ...] | None = None,
    run_id: str = RUN,
    announce: Callable[[WriteResult], None] = lambda _: None,
    **options: str,
) -> WriteResult:
    order = WriteRequest(mode, periods, run_id, 1, announce)
    return DeltaSource().write(frame, target(path, **options), order)


def read(spark: SparkSession, path: Path, **how: Any) -> DataFrame:
    with ExitStack() as held:
        (raw,) = DeltaSource().read(spark, [place(path, **how)], held)
    return raw.frame


def found(path: Path, *columns: str, version: int | None = None) -> Found:
    """The rows as another reader sees them, sorted."""
    table = LakeTable(path, version=version).to_pyarrow_table(columns=list(columns) or None)
    return sorted((tuple(row.values()) for row in table.to_pylist()), key=repr)


def commit(path: Path, version: int) -> list[dict[str, Any]]:
    """The actions of a commit."""
    text = (path / "_delta_log" / f"{version:020}.json").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def newest(path: Path) -> int:
    return LakeTable(path).version()


def refusal(error: pytest.ExceptionInfo[RowbookError], code: str = "OUTPUT_006") -> str:
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == code
    return diagnostic.message
