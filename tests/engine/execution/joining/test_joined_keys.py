"""Joined datasets of few rows, grouped by their keys without Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.execution.joining.joined_keys import KeyedRows, keyed_rows
from rowbook.planning.join_condition import join_condition
from rowbook.reference.loading.dataset_rows import LoadedRows
from tests.support.small_plans import CONTEXT, numbered, plan_of, update

pytestmark = pytest.mark.spark

WORKSPACE = """
dataset:
  name: t
  main_table: {{name: t, columns: [{{name: k, type: string}}, {{name: n, type: integer}}]}}
  lookups: [{{alias: names, dataset_id: names, on: "{condition}"}}]
---
dataset:
  name: names
  main_table:
    name: names
    columns: [{{name: code, type: string}}, {{name: n, type: integer}}]
---
project:
  name: p
  input_dataset_id: t
  operations:
"""


def keyed(
    spark: SparkSession, folder: Path, condition: str, *rows: tuple[Any, Any]
) -> KeyedRows | None:
    text = WORKSPACE.format(condition=condition) + numbered(update("k", "names.code"))
    (join,) = plan_of(folder, text).steps[0].joins
    fields = {f.name: f for f in join.dataset.fields}
    named = [dict(zip(fields, row, strict=True)) for row in rows]
    loaded = LoadedRows(fields, named, (), [], unique=False)
    return keyed_rows(spark, loaded, join, join_condition(join), CONTEXT)


def test_a_key_that_is_a_column_stands_for_itself_and_null_is_no_key(
    spark: SparkSession, tmp_path: Path
) -> None:
    found = keyed(spark, tmp_path, "t.k = names.code", ("a", 1), (None, 2), ("b", None))
    assert found is not None
    assert (found.keys, found.added, found.repeated) == (("__names__code",), (), False)
    assert [tuple(row) for row in found.frame.collect()] == [("a", 1), ("b", None)]


def test_a_key_that_stands_there_twice_says_so(spark: SparkSession, tmp_path: Path) -> None:
    found = keyed(spark, tmp_path, "t.k = names.code", ("a", 1), ("a", 2), ("b", 3))
    assert found is not None
    assert (found.added, found.repeated) == (("__matches",), True)
    assert [tuple(row) for row in found.frame.collect()] == [("a", 1, 2), ("b", 3, 1)]


def test_what_is_asked_of_the_dataset_alone_leaves_rows_out(
    spark: SparkSession, tmp_path: Path
) -> None:
    condition = "t.k = UPPER(names.code) AND names.n > 1"
    found = keyed(spark, tmp_path, condition, ("a", 1), ("a", 2))
    assert found is not None
    assert (found.keys, found.added) == (("__key_0",), ("__key_0",))
    assert [tuple(row) for row in found.frame.collect()] == [("a", 2, "A")]


def test_a_key_that_does_not_fit_its_type_is_left_to_spark(
    spark: SparkSession, tmp_path: Path
) -> None:
    largest = 2**63 - 1
    assert keyed(spark, tmp_path, "t.n = names.n + 1", ("a", largest)) is None
