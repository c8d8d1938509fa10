"""Text functions on Spark at their edges: counts beyond 32 bits, parts, paddings, patterns."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from rowbook.expressions.evaluate import EvaluationError, Value
from rowbook.spark.markers import found_in
from tests.engine.compile.values import plain_value, spark_values

pytestmark = pytest.mark.spark

VALUES: Mapping[str, Value] = {
    "LEFT(text, 3)": "Led",
    "LEFT(text, 0)": "",
    "LEFT(text, -1)": "",
    "LEFT(text, 9000000000)": "Ledger",
    "LEFT(text, missing)": None,
    "RIGHT(text, 2)": "er",
    "RIGHT(text, -9000000000)": "",
    "SUBSTRING(text, 2)": "edger",
    "SUBSTRING(text, 2, 3)": "edg",
    "SUBSTRING(text, -2, 1)": "e",
    "SUBSTRING(text, 9, 1)": "",
    "SUBSTRING(text, 2, -1)": "",
    "SUBSTRING(text, -9000000000, 9000000000)": "Ledger",
    "SUBSTRING(text, -9000000000, 8999999999)": "Ledge",
    "LPAD('7', 3, '0')": "007",
    "LPAD(text, 3)": "Led",
    "RPAD('a', 3)": "a  ",
    "RPAD('a', 3, '')": "a",
    "SPLIT_PART('a,b,,c', ',', 2)": "b",
    "SPLIT_PART('a,b,,c', ',', 3)": "",
    "SPLIT_PART('a,b,,c', ',', 9)": "",
    "SPLIT_PART('a,b,,c', ',', 0)": "",
    "SPLIT_PART('a,b,,c', ',', -1)": "",
    "SPLIT_PART(none, ',', 0)": None,
    "text LIKE 'L%r'": True,
    "text LIKE 'L_r'": False,
    "text LIKE none": None,
    r"'100%' LIKE '100\\%'": True,
    r"'100x' LIKE '100\\%'": False,
    r"'a\\x' LIKE 'a\\x'": True,
    r"'a\\' LIKE '%\\'": True,
    r"'a_\\x' LIKE pattern": True,
    r"'ab\\x' LIKE pattern": False,
}


def test_a_text_is_what_the_language_says(spark: SparkSession) -> None:
    assert spark_values(spark, VALUES) == VALUES
    assert {text: plain_value(text) for text in VALUES} == VALUES


def test_a_text_padded_beyond_all_reason_fails(spark: SparkSession) -> None:
    text = "LPAD(text, 9000000000)"
    with pytest.raises(PySparkException) as failed:
        spark_values(spark, [text])
    marked = found_in(str(failed.value))
    assert marked is not None
    assert marked[0] == "RUN_001"
    with pytest.raises(EvaluationError):
        plain_value(text)
