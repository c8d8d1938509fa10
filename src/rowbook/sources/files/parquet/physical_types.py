"""The columns of a parquet file as Spark reads them, known without asking Spark.

Spark starts a job to find them out, which takes longer than reading a small table.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import types as s

_OF_SPARK = b"org.apache.spark.sql.parquet.row.metadata"
_PLAIN: dict[tuple[str, str], s.DataType] = {
    ("BOOLEAN", "None"): s.BooleanType(),
    ("INT32", "None"): s.IntegerType(),
    ("INT32", "Date"): s.DateType(),
    ("INT64", "None"): s.LongType(),
    ("FLOAT", "None"): s.FloatType(),
    ("DOUBLE", "None"): s.DoubleType(),
    ("BYTE_ARRAY", "None"): s.BinaryType(),
    ("BYTE_ARRAY", "String"): s.StringType(),
}
_INTEGERS = {8: s.ByteType(), 16: s.ShortType(), 32: s.IntegerType(), 64: s.LongType()}
_UNITS = ("milliseconds", "microseconds")


def spark_schema(path: Path) -> s.StructType | None:
    """The schema that Spark would find. None where it must be asked: where a column is of a kind
    that not everybody reads alike, or where the file was written by Spark and says otherwise."""
    try:
        metadata = pq.read_metadata(path)
    except (OSError, pa.ArrowException):
        return None
    columns = [metadata.schema.column(i) for i in range(metadata.num_columns)]
    fields = [s.StructField(each.name, kind) for each in columns if (kind := _type_of(each))]
    if len(fields) < len(columns):
        return None
    found = s.StructType(fields)
    told = (metadata.metadata or {}).get(_OF_SPARK)
    return found if told is None or _types_told(told) == _types(found) else None


def _type_of(column: pq.ColumnSchema) -> s.DataType | None:
    if column.max_repetition_level or column.path != column.name:
        return None
    logical: dict[str, Any] = json.loads(column.logical_type.to_json())
    match logical["Type"]:
        case "Decimal":
            return s.DecimalType(logical["precision"], logical["scale"])
        case "Int" if logical["isSigned"]:
            return _INTEGERS[logical["bitWidth"]]
        case "Timestamp" if logical["timeUnit"] in _UNITS:
            return s.TimestampType() if logical["isAdjustedToUTC"] else s.TimestampNTZType()
        case kind:
            return _PLAIN.get((column.physical_type, kind))


def _types(schema: s.StructType) -> list[tuple[str, object]]:
    return [(field.name, field.dataType.jsonValue()) for field in schema.fields]


def _types_told(text: bytes) -> list[tuple[str, object]] | None:
    """What Spark wrote down when it wrote the file."""
    try:
        return [(field["name"], field["type"]) for field in json.loads(text)["fields"]]
    except (ValueError, KeyError, TypeError):
        return None
