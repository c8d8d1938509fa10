"""Rows brought into the columns that a table of Delta or Iceberg has. Spark would take a column for
one that differs in case, leave out one without a type, and say little of types that do not fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import types as s

from rowbook.sources.source_errors import output_error
from rowbook.spark.column_names import column

Kind: TypeAlias = str | Mapping[str, Any]
"""A type as Spark writes it in JSON: a structure where it is nested."""

_INTEGERS = ("byte", "short", "integer", "long")
"""Each holds all values of those before it."""
_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")


def typed_rows(frame: DataFrame, label: str) -> DataFrame:
    """The frame as it is; OUTPUT_006 where a column has no type."""
    for field in frame.schema.fields:
        if isinstance(field.dataType, s.NullType):
            raise output_error(label, f"cannot be written: column '{field.name}' has no type")
    return frame


def fitted_rows(frame: DataFrame, kinds: Mapping[str, Kind], label: str) -> DataFrame:
    """Values in the table's types, which are given by column, where none can change by that;
    OUTPUT_006 where one does not fit."""
    alike = {each.lower(): each for each in kinds}
    columns = []
    for field in frame.schema.fields:
        name = field.name
        there = kinds.get(name)
        if there is None and name.lower() in alike:
            why = f"has a column '{alike[name.lower()]}', and '{name}' is to be another"
            raise output_error(label, why, "such tables do not tell them apart")
        value = column(name)
        if isinstance(there, str):
            value = _fitted(value, field, there, label)
        columns.append(value)
    return frame.select(*columns)


def _fitted(value: Column, field: s.StructField, kind: str, label: str) -> Column:
    found = field.dataType.jsonValue()
    if found == kind:
        return value
    if not (isinstance(found, str) and _holds(kind, found)):
        told = field.dataType.simpleString()
        why = f"column '{field.name}' is {kind} there, and {told} cannot go into it"
        hint = "convert it in the project, or replace the table as a whole"
        raise output_error(f"{label}:", why, hint)
    return value.cast(kind).alias(field.name)


def _holds(wider: str, kind: str) -> bool:
    if wider in _INTEGERS and kind in _INTEGERS:
        return _INTEGERS.index(wider) >= _INTEGERS.index(kind)
    there, here = _DECIMAL.fullmatch(wider), _DECIMAL.fullmatch(kind)
    if there is None or here is None:
        return False
    (digits, scale), (wanted, needed) = map(int, there.groups()), map(int, here.groups())
    return scale >= needed and digits - scale >= wanted - needed
