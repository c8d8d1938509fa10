"""Expressions on one row, computed by Spark and by the evaluator."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from decimal import Decimal

from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.local_frames import frame_of
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import Value, evaluate
from rowbook.expressions.scope import Field, Scope, Table
from tests.support.small_plans import CONTEXT

FIELDS = (
    Field("text", t.STRING),
    Field("pattern", t.STRING),
    Field("none", t.STRING),
    Field("n", t.INTEGER),
    Field("zero", t.INTEGER),
    Field("missing", t.INTEGER),
    Field("amount", t.decimal(18, 2)),
    Field("weight", t.FLOAT),
    Field("day", t.DATE),
    Field("at", t.TIMESTAMP),
)
ROW: dict[str, Value] = {
    "text": "Ledger",
    "pattern": r"%\_\x",
    "none": None,
    "n": 7,
    "zero": 0,
    "missing": None,
    "amount": Decimal("-10.55"),
    "weight": -2.5,
    "day": date(2024, 2, 29),
    "at": datetime(2026, 1, 31, 23, 30, tzinfo=UTC),
}


def tree_of(text: str) -> Bound:
    binding = bind(text, Scope(Table.of(FIELDS), "t"))
    assert binding.usable, text
    return binding.tree


def plain_value(text: str) -> Value:
    """What an expression is to the evaluator."""
    row: dict[tuple[str | None, str], Value] = {(None, name): value for name, value in ROW.items()}
    return evaluate(tree_of(text), row, CONTEXT.moment)


def spark_values(spark: SparkSession, texts: Iterable[str]) -> dict[str, Value]:
    """What each expression is on Spark, all in one pass."""
    trees = {text: tree_of(text) for text in texts}
    fields = {text: Field(f"x{i}", tree.type) for i, (text, tree) in enumerate(trees.items())}
    compiler = Compiler(CONTEXT)
    made = [compiler.compile(tree).alias(fields[text].name) for text, tree in trees.items()]
    frame = frame_of(spark, [ROW], FIELDS).select(*made)
    (row,) = collect(frame, list(fields.values()))
    return {text: row[field.name] for text, field in fields.items()}
