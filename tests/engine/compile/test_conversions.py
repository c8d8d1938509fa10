"""Conversions on Spark: what fits exactly is converted, everything else is NULL."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from rowbook.expressions.evaluate import Value
from tests.engine.compile.values import plain_value, spark_values

VALUES: Mapping[str, Value] = {
    "TO_INTEGER(' 7 ')": 7,
    "TO_INTEGER('-7.9')": -7,
    "TO_INTEGER('1e3')": None,
    "TO_INTEGER('7.')": None,
    "TO_INTEGER('9223372036854775808')": None,
    "TO_INTEGER(none)": None,
    "TO_INTEGER(amount)": -10,
    "TO_INTEGER(weight)": -2,
    "TO_DECIMAL('10.555', 18, 2)": Decimal("10.56"),
    "TO_DECIMAL('-1e2', 18, 2)": Decimal("-100.00"),
    "TO_DECIMAL('1,5', 18, 2)": None,
    "TO_DECIMAL('1000', 5, 2)": None,
    "TO_STRING(at)": "2026-01-31T23:30:00Z",
    "TO_STRING(day)": "2024-02-29",
    "TO_STRING(amount)": "-10.55",
    "TO_DATE('31.01.2026', 'dd.MM.yyyy')": date(2026, 1, 31),
    "TO_DATE('20260131', 'yyyyMMdd')": date(2026, 1, 31),
    "TO_DATE('1.1.2026', 'dd.MM.yyyy')": None,
    "TO_DATE('29.02.2026', 'dd.MM.yyyy')": None,
    "TO_DATE('31x01x2026', 'dd.MM.yyyy')": None,
    "DATE('2024-02-29')": date(2024, 2, 29),
    "DATE(none)": None,
    "TIMESTAMP('2026-01-31 10:05')": datetime(2026, 1, 31, 10, 5, tzinfo=UTC),
}


@pytest.mark.spark
def test_a_conversion_is_what_the_language_says(spark: SparkSession) -> None:
    assert spark_values(spark, VALUES) == VALUES
    assert {text: plain_value(text) for text in VALUES} == VALUES
