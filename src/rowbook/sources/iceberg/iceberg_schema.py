"""Columns of a frame as columns of an Iceberg table, each with a number that no other ever had."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowbook.sources.publishing.column_fitting import Kind

_TYPES = {
    "string": "string",
    "long": "long",
    "integer": "int",
    "short": "int",
    "byte": "int",
    "double": "double",
    "float": "float",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamptz",
    "timestamp_ntz": "timestamp",
    "binary": "binary",
}
_OF_SPARK = {
    **{there: here for here, there in _TYPES.items() if here not in ("short", "byte")},
    "uuid": "string",
}
_DECIMAL = re.compile(r"decimal\((\d+), *(\d+)\)")


_OF_ICEBERG = frozenset(
    {
        *("_file", "_pos", "_deleted", "_spec_id", "_partition", "_row_id"),
        "_last_updated_sequence_number",
    }
)
"""Names of what Iceberg itself says of a row: a column that has one is written, and never read."""
_OURS = "_rowbook"


@dataclass(frozen=True, slots=True)
class FrameColumn:
    name: str
    kind: Kind


def stored_name(name: str) -> str:
    """What a column is called in a table: `_row_id` is `_rowbook_row_id`."""
    return f"{_OURS}{name}" if name in _OF_ICEBERG else name


def own_name(stored: str) -> str:
    """What a column of a table is called here."""
    name = stored.removeprefix(_OURS)
    return name if name in _OF_ICEBERG else stored


def iceberg_type(kind: Kind) -> str | None:
    """None for a type that no output has."""
    if not isinstance(kind, str):
        return None
    decimal = _DECIMAL.fullmatch(kind)
    return f"decimal({decimal[1]}, {decimal[2]})" if decimal else _TYPES.get(kind)


def spark_kind(there: Any) -> Kind:
    """The type that Spark has for one of Iceberg's."""
    if not isinstance(there, str):
        return dict(there)
    decimal = _DECIMAL.fullmatch(there)
    return f"decimal({decimal[1]},{decimal[2]})" if decimal else _OF_SPARK.get(there, there)


def schema_with(
    there: Mapping[str, Any] | None, columns: Sequence[FrameColumn], last: int, *, whole: bool
) -> tuple[dict[str, Any], int]:
    """The schema that a table needs for these columns, and the highest number in use: what it has,
    and columns that are new, behind it. A table that is replaced as a `whole` keeps of its columns
    those of the same name and type."""
    fields = [] if there is None else list(there["fields"])
    by_name = {each["name"]: each for each in fields}
    kept = [] if whole else fields
    for column in columns:
        old, kind = by_name.get(column.name), iceberg_type(column.kind)
        if old is None or (whole and (old["type"] != kind or old["required"])):
            last += 1
            kept.append({"id": last, "name": column.name, "required": False, "type": kind})
        elif whole:
            kept.append(old)
    number = 0 if there is None else there["schema-id"]
    return {"type": "struct", "schema-id": number, "fields": kept}, last
