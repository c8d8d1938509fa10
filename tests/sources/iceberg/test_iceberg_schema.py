"""Types of Spark and of Iceberg, each as the other knows it."""

from __future__ import annotations

import pytest

from rowbook.sources.iceberg.iceberg_schema import iceberg_type, own_name, spark_kind, stored_name


@pytest.mark.parametrize(
    ("kind", "there"),
    [
        ("string", "string"),
        ("long", "long"),
        ("integer", "int"),
        ("double", "double"),
        ("boolean", "boolean"),
        ("date", "date"),
        ("timestamp", "timestamptz"),
        ("timestamp_ntz", "timestamp"),
        ("decimal(18,2)", "decimal(18, 2)"),
    ],
)
def test_types_are_the_same_there_and_back(kind: str, there: str) -> None:
    assert iceberg_type(kind) == there
    assert spark_kind(there) == kind


def test_types_that_no_output_has_are_none() -> None:
    assert iceberg_type({"type": "array", "elementType": "long"}) is None
    assert iceberg_type("interval") is None
    assert iceberg_type("short") == "int"
    assert spark_kind("uuid") == "string"
    assert spark_kind({"type": "list"}) == {"type": "list"}


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("_row_id", "_rowbook_row_id"),
        ("_deleted", "_rowbook_deleted"),
        ("_period", "_period"),
        ("row_id", "row_id"),
    ],
)
def test_names_that_iceberg_has_for_itself_are_stored_as_others(name: str, stored: str) -> None:
    assert stored_name(name) == stored
    assert own_name(stored) == name
    assert own_name("_rowbook_period") == "_rowbook_period"
