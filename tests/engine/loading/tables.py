"""Tables in parquet files, and datasets whose rows belong to periods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.sources.files.file_table import FileTable
from tests.sources.tables import Rows, dataset


def parquet(path: Path, period: str | None = None, **columns: Any) -> FileTable:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return FileTable("parquet", path, {}, period, f"lake/{path.name}")


def ids(rows: Rows) -> list[Any]:
    return sorted(row["id"] for row in rows)


PERIODIC = dataset("id string", mode="period")
RENAMED = dataset("_period string <- month", "id string", mode="period")
