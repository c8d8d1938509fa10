"""What our rules make of a file, without Spark: the measure for every other way to read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from rowbook.errors import RowbookError
from rowbook.reference.loading.dataset_rows import SourceTables, load
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import FileKind
from rowbook.sources.files.plain_tables import read_places
from rowbook.sources.source_errors import NotPlainError
from tests.sources.tables import context, dataset

COLUMNS = (
    *("s string", "i integer", "m decimal(6,2)", "f float", "b boolean", "d date", "t timestamp"),
)
DATASET = dataset(*COLUMNS)
TYPES = {field.name: field.type for field in DATASET.fields}


def by_rules(kind: FileKind, path: Path) -> list[list[Any]] | None:
    """The cells of each row; None where something is wrong with them."""
    try:
        tables = SourceTables(read_places([FileTable(kind, path, label=path.name)]))
        rows = load(DATASET, tables, context(), keep_deleted=True).rows
    except (RowbookError, NotPlainError):
        return None
    return [[row[name] for name in TYPES] for row in rows]


def cells(table: pa.Table) -> list[list[Any]]:
    return [list(row.values()) for row in table.to_pylist()]
