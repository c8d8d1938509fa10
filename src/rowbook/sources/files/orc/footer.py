"""The end of an orc file: its columns and number of rows, without Spark and without its data."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
from pyarrow import orc

from rowbook.errors import RowbookError
from rowbook.sources.stores.object_path import DataPath, openable


@dataclass(frozen=True, slots=True)
class OrcFooter:
    """`signature` is equal for files of the same physical schema."""

    columns: tuple[str, ...]
    rows: int
    signature: str


def read_orc_footer(path: DataPath, label: str) -> OrcFooter:
    """DATASOURCE_007 where it is no orc file, or none that Spark can read."""
    try:
        file = orc.ORCFile(openable(path))
        schema: pa.Schema = file.schema
        rows = int(file.nrows)
    except (OSError, pa.ArrowException, ValueError) as cause:
        reason = str(cause).strip().split("\n", 1)[0]
        message = f"{label} is not an orc file: {reason}"
        raise RowbookError.of("DATASOURCE_007", message) from cause
    zoned = [f.name for f in schema if pa.types.is_timestamp(f.type) and f.type.tz is not None]
    if zoned:
        message = f"{label}: Spark cannot read '{zoned[0]}', a timestamp with local time zone"
        hint = "write it as a timestamp without time zone, in UTC"
        raise RowbookError.of("DATASOURCE_007", message, hint=hint)
    return OrcFooter(tuple(schema.names), rows, schema.to_string(show_schema_metadata=False))
