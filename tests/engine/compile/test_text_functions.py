"""Text functions on Spark at their edges: counts beyond 32 bits, parts, paddings, patterns."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.local_frames import frame_of
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.evaluate import EvaluationError, Value
from rowbook.expressions.scalars.texts import like
from rowbook.expressions.scope import Field
from rowbook.spark.markers import found_in
from tests.engine.compile.values import plain_value, spark_values
from tests.support.small_plans import CONTEXT

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


def meaning(text: str, pattern: str) -> bool:
    """LIKE, tried in every way."""
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(meaning(text[i:], pattern[1:]) for i in range(len(text) + 1))
    if pattern[0] == "_":
        return bool(text) and meaning(text[1:], pattern[1:])
    at = 1 if re.match(r"\\[%_\\]", pattern) else 0
    return text[:1] == pattern[at] and meaning(text[1:], pattern[at + 1 :])


def test_like_means_the_same_however_it_is_computed(spark: SparkSession) -> None:
    chance = random.Random(7)
    patterns = [
        "".join(chance.choices("%%%_ab\\.\n😀é", k=chance.randint(0, 7))) for _ in range(60)
    ]
    patterns += ["%a%b%", "a%a%a", r"%\%%\_%a", r"a\\%%b%", "%(a%b)%", "%\0%b%"]
    texts = ["".join(chance.choices("aab%_\\.\n😀é", k=chance.randint(0, 6))) for _ in range(30)]
    rows: list[dict[str, Value]] = [
        {"text": text, "pattern": p} for text in texts for p in patterns
    ]
    fields = (Field("text", t.STRING), Field("pattern", t.STRING))
    column, result = bound.Column(None, "text", t.STRING, True), Field("of_row", t.BOOLEAN)
    of_row = bound.Call(
        "LIKE", (column, bound.Column(None, "pattern", t.STRING, True)), t.BOOLEAN, True
    )
    constants = {
        f"x{i}": bound.Call("LIKE", (column, bound.Constant(p, t.STRING)), t.BOOLEAN, True)
        for i, p in enumerate(patterns)
    }
    compiler = Compiler(CONTEXT)
    made = {"of_row": of_row, **constants}
    frame = frame_of(spark, rows, fields).select(
        *(compiler.compile(n).alias(c) for c, n in made.items())
    )
    names = [result, *(Field(name, t.BOOLEAN) for name in constants)]
    for row, found in zip(rows, collect(frame, names), strict=True):
        text, pattern = str(row["text"]), str(row["pattern"])
        expected = meaning(text, pattern)
        of_constant = found[f"x{patterns.index(pattern)}"]
        computed = like(text, pattern), found["of_row"], of_constant
        assert computed == (expected, expected, expected), (text, pattern)


@pytest.mark.parametrize("last", ["b", "_b_", "%"])
def test_a_pattern_of_many_parts_ends_on_a_long_text(spark: SparkSession, last: str) -> None:
    """Each way to place thirty parts, tried one after the other, would take for ever."""
    long, pattern = "a" * 100_000, "%a" * 30 + "%" + last
    fields = (Field("text", t.STRING), Field("pattern", t.STRING))
    column = bound.Column(None, "text", t.STRING, True)
    others = (bound.Column(None, "pattern", t.STRING, True), bound.Constant(pattern, t.STRING))
    calls = [bound.Call("LIKE", (column, other), t.BOOLEAN, True) for other in others]
    compiler = Compiler(CONTEXT)
    made = [compiler.compile(call).alias(f"x{i}") for i, call in enumerate(calls)]
    rows: list[dict[str, Value]] = [{"text": long, "pattern": pattern}]
    (row,) = frame_of(spark, rows, fields).select(*made).collect()
    assert tuple(row) == (last == "%", last == "%")
    assert like(long, pattern) is (last == "%")
