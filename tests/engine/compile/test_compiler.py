"""The engine against the plain-Python evaluator: the same expressions on the same rows."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import types as s

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler, literal
from rowbook.engine.compile.spark_types import spark_type
from rowbook.expressions import types
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import EvaluationError, Value, evaluate
from rowbook.expressions.scope import Field, Scope
from rowbook.expressions.types import Kind
from rowbook.periods import GREGORIAN
from rowbook.planning.run_context import RunContext
from tests.engine.random_expressions import FIELDS, KINDS, TABLE, Maker, random_row

pytestmark = pytest.mark.spark

NOW = datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=UTC)
PERIOD = GREGORIAN.parse("2026-01")
CONTEXT = RunContext("run", "project", NOW, PERIOD, GREGORIAN, PERIOD.end)
MOMENT = CONTEXT.moment
SCOPE = Scope(TABLE, "t")
ROWS = 40
SEEDS = 1


def differences(
    spark: SparkSession, rows: list[dict[str, Value]], trees: dict[str, Bound]
) -> list[str]:
    """Where the engine and the evaluator disagree, one line each."""
    schema = s.StructType([s.StructField(f.name, spark_type(f.type)) for f in FIELDS])
    frame = spark.createDataFrame([tuple(row[f.name] for f in FIELDS) for row in rows], schema)
    compiler = Compiler(CONTEXT)
    names = {f"x{i}": text for i, text in enumerate(trees)}
    made = frame.select(*(compiler.compile(trees[t]).alias(n) for n, t in names.items()))
    fields = [Field(n, trees[t].type) for n, t in names.items()]
    for field in fields:
        assert made.schema[field.name].dataType == spark_type(field.type), names[field.name]
    found = []
    for row, actual in zip(rows, collect(made, fields), strict=True):
        for name, text in names.items():
            expected = evaluate(trees[text], {(None, k): v for k, v in row.items()}, MOMENT)
            if not same(expected, actual[name]):
                found.append(f"{text}\n  on {row}\n  expected {expected!r}, got {actual[name]!r}")
    return found


def same(a: Value, b: Value) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-12) or (math.isnan(a) and math.isnan(b))
    return type(a) is type(b) and a == b


def batch(seed: int, count: int, depth: int) -> tuple[list[dict[str, Value]], dict[str, Bound]]:
    """Rows, and expressions that bind and do not overflow on any of them."""
    pick = random.Random(seed)
    rows = [random_row(pick) for _ in range(ROWS)]
    maker = Maker(pick)
    trees: dict[str, Bound] = {}
    while len(trees) < count:
        text = maker.make(pick.choice(KINDS), depth)
        binding = bind(text, SCOPE)
        if not binding.usable or binding.tree.type.kind is Kind.NULL:
            continue
        try:
            for row in rows:
                evaluate(binding.tree, {(None, k): v for k, v in row.items()}, MOMENT)
        except EvaluationError:
            continue
        trees[text] = binding.tree
    return rows, trees


def test_engine_and_evaluator_agree_on_random_expressions(spark: SparkSession, seed: int) -> None:
    rows, trees = batch(seed, count=60, depth=1 + seed % 3)
    assert differences(spark, rows, trees) == []


def test_literals_that_are_equal_but_not_the_same_are_told_apart(spark: SparkSession) -> None:
    cases: dict[str, tuple[float | Decimal | bool, types.Type]] = {
        "0.0": (0.0, types.FLOAT),
        "-0.0": (-0.0, types.FLOAT),
        "1.0": (Decimal("1.0"), types.decimal(2, 1)),
        "1.00": (Decimal("1.00"), types.decimal(3, 2)),
        "true": (True, types.BOOLEAN),
    }
    made = [literal(*case) for case in cases.values()]
    (row,) = spark.range(1).select(*(each.cast("string") for each in made)).collect()
    assert list(row) == list(cases)
    assert literal(-0.0, types.FLOAT) is made[1]
