"""The cases that the evaluator is tested with, on Spark: patterns, and what lies between dates."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.local_frames import frame_of
from rowbook.expressions.evaluate import Value
from rowbook.expressions.scope import Field
from tests.expressions.evaluating import CASES, TYPES, Given, told_apart, tree_of
from tests.expressions.scalars import (
    test_casts,
    test_date_patterns,
    test_dates,
    test_number_patterns,
    test_numbers,
    test_texts,
)
from tests.support.small_plans import CONTEXT

pytestmark = pytest.mark.spark

TABLES = (
    *(test_casts, test_date_patterns, test_dates, test_number_patterns, test_numbers, test_texts),
)
"""Imported for their cases."""
CALLS = ("TO_STRING(", "TO_DATE(", "DATE(", "DATEDIFF(", "EOMONTH(", "POSITION(", "LEAST(")
FIELDS = tuple(Field(name, kind) for name, kind in TYPES.items())


def test_spark_computes_the_cases_of_the_evaluator(spark: SparkSession) -> None:
    chosen = [case for case in CASES if case[0].startswith(CALLS) or "GREATEST(" in case[0]]
    assert len(chosen) > 150
    found = spark_values(spark, [(text, given) for text, given, _ in chosen])
    wrong = [
        (text, given, value, actual)
        for (text, given, value), actual in zip(chosen, found, strict=True)
        if told_apart(value) != told_apart(actual)
    ]
    assert wrong == []


def spark_values(spark: SparkSession, cases: list[tuple[str, Given]]) -> list[Value]:
    """What each expression is on its row, all in one pass: on others it may fail."""
    numbers = {text: i for i, text in enumerate(dict.fromkeys(text for text, _ in cases))}
    trees = {text: tree_of(text) for text in numbers}
    rows = [{**{n: given[None, n] for n in TYPES}, "case": numbers[text]} for text, given in cases]
    frame = frame_of(spark, rows, (*FIELDS, Field("case", TYPES["i"])))
    compiler = Compiler(CONTEXT)
    made = [
        F.when(F.col("case") == i, compiler.compile(trees[text])).alias(f"x{i}")
        for text, i in numbers.items()
    ]
    fields = [Field(f"x{i}", trees[text].type) for text, i in numbers.items()]
    values = collect(frame.select(*made), fields)
    return [row[f"x{numbers[text]}"] for row, (text, _) in zip(values, cases, strict=True)]
