"""What the footer of a parquet file says: columns, rows, types as Spark reads them, and which
columns hold no NULL. It is read once for a file, without Spark.

Spark would start a job to find the types, which takes longer than reading a small table; and a
column without NULLs need not be read to see that. Spark, too, skips row groups by these figures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.errors import RowbookError
from rowbook.sources.stores.object_path import DataPath, openable

MOST_FILES = 1_000
"""Of more files than this nothing is known of NULLs: asking each takes longer than reading."""
_MAGIC = b"PAR1"
_OF_SPARK = b"org.apache.spark.sql.parquet.row.metadata"
_PLAIN = {
    ("BOOLEAN", "None"): "boolean",
    ("INT32", "None"): "integer",
    ("INT32", "Date"): "date",
    ("INT64", "None"): "long",
    ("FLOAT", "None"): "float",
    ("DOUBLE", "None"): "double",
    ("BYTE_ARRAY", "None"): "binary",
    ("BYTE_ARRAY", "String"): "string",
}
_INTEGERS = {8: "byte", 16: "short", 32: "integer", 64: "long"}
_UNITS = ("milliseconds", "microseconds")


@dataclass(frozen=True, slots=True)
class ParquetFooter:
    """`signature` is equal for files of one physical schema, whether or not columns hold NULL."""

    columns: tuple[str, ...]
    rows: int
    signature: str
    metadata: pq.FileMetaData

    def types(self) -> tuple[tuple[str, str], ...] | None:
        """The types that Spark would find, in its json. None where it must be asked: where not
        everybody reads a column alike, or Spark wrote the file and says otherwise."""
        leaves = tuple(_leaves(self.metadata))
        found = tuple((leaf.name, kind) for leaf in leaves if (kind := _type_of(leaf)))
        if len(found) < len(leaves):
            return None
        told = (self.metadata.metadata or {}).get(_OF_SPARK)
        return found if told is None or _types_told(told) == found else None

    def never_null(self) -> frozenset[str]:
        """The columns that hold no NULL; columns inside of others are not looked at."""
        every = (self.metadata.row_group(i) for i in range(self.metadata.num_row_groups))
        groups = [group for group in every if group.num_rows]
        return frozenset(
            leaf.name
            for i, leaf in enumerate(_leaves(self.metadata))
            if "." not in leaf.path
            and (
                leaf.max_definition_level == 0
                or all(_has_no_null(group.column(i)) for group in groups)
            )
        )


def read_footer(path: DataPath, label: str) -> ParquetFooter:
    """DATASOURCE_007 where it is no parquet file."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - len(_MAGIC)))
            if file.read() != _MAGIC:
                raise ValueError("it does not end as a parquet file does")
        metadata = pq.read_metadata(openable(path))
        leaves = [
            (leaf.path, leaf.name, leaf.physical_type, leaf.logical_type.to_json(), leaf.length)
            for leaf in _leaves(metadata)
        ]
        return ParquetFooter(_names(metadata), metadata.num_rows, repr(leaves), metadata)
    except (OSError, ValueError, pa.ArrowException) as cause:
        reason = str(cause).strip().split("\n", 1)[0]
        message = f"{label} is not a parquet file: {reason}"
        raise RowbookError.of("DATASOURCE_007", message) from cause


def never_null(footers: Sequence[ParquetFooter]) -> frozenset[str]:
    if not footers or len(footers) > MOST_FILES:
        return frozenset()
    return frozenset.intersection(*(footer.never_null() for footer in footers))


def _leaves(metadata: pq.FileMetaData) -> Iterator[pq.ColumnSchema]:
    return (metadata.schema.column(i) for i in range(metadata.num_columns))


def _names(metadata: pq.FileMetaData) -> tuple[str, ...]:
    leaves = list(_leaves(metadata))
    if all(leaf.path == leaf.name for leaf in leaves):
        return tuple(leaf.name for leaf in leaves)
    try:
        return tuple(metadata.schema.to_arrow_schema().names)
    except pa.ArrowException:
        return tuple(dict.fromkeys(leaf.path.partition(".")[0] for leaf in leaves))


def _type_of(leaf: pq.ColumnSchema) -> str | None:
    if leaf.max_repetition_level or leaf.path != leaf.name:
        return None
    logical: dict[str, Any] = json.loads(leaf.logical_type.to_json())
    match logical["Type"]:
        case "Decimal":
            return f"decimal({logical['precision']},{logical['scale']})"
        case "Int" if logical["isSigned"]:
            return _INTEGERS[logical["bitWidth"]]
        case "Timestamp" if logical["timeUnit"] in _UNITS:
            return "timestamp" if logical["isAdjustedToUTC"] else "timestamp_ntz"
        case kind:
            return _PLAIN.get((leaf.physical_type, kind))


def _types_told(text: bytes) -> tuple[tuple[str, object], ...] | None:
    try:
        return tuple((field["name"], field["type"]) for field in json.loads(text)["fields"])
    except (ValueError, KeyError, TypeError):
        return None


def _has_no_null(chunk: pq.ColumnChunkMetaData) -> bool:
    found = chunk.statistics
    return found is not None and found.has_null_count and found.null_count == 0
