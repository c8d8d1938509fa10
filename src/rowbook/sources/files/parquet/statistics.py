"""What parquet files know of their values. A column without NULLs need not be read to see that.

Spark, too, skips row groups by these figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

_MOST_FILES = 1_000
"""Of more files than this, nothing is known: asking each would take longer than reading."""


def never_null(paths: Sequence[Path]) -> frozenset[str]:
    """The columns that hold no NULL in any of the files."""
    if not paths or len(paths) > _MOST_FILES:
        return frozenset()
    try:
        return frozenset.intersection(*(_complete(path) for path in paths))
    except (OSError, pa.ArrowException):
        return frozenset()


def _complete(path: Path) -> frozenset[str]:
    """Of one file; columns inside of others are not looked at."""
    metadata = pq.read_metadata(path)
    flat = [i for i in range(metadata.num_columns) if "." not in metadata.schema.column(i).path]
    every = (metadata.row_group(g) for g in range(metadata.num_row_groups))
    groups = [group for group in every if group.num_rows]
    return frozenset(
        metadata.schema.column(i).name
        for i in flat
        if metadata.schema.column(i).max_definition_level == 0
        or all(_has_no_null(group.column(i)) for group in groups)
    )


def _has_no_null(chunk: pq.ColumnChunkMetaData) -> bool:
    found = chunk.statistics
    return found is not None and found.has_null_count and found.null_count == 0
