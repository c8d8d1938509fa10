"""Types of Spark and of Iceberg, each as the other knows it."""

from __future__ import annotations

import pytest

from rowbook.sources.iceberg.iceberg_schema import iceberg_type, spark_kind


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
