"""Joined datasets whose keys are looked at before rows are joined with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.execution.joining.joined_keys import KeyedRows
from rowbook.engine.execution.joining.unique_keys import JoinKeyProof
from rowbook.planning.datasets import Dataset
from rowbook.reference.loading.dataset_rows import LoadedRows
from tests.support.local_frame import local_frame
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


def looked_at(
    spark: SparkSession,
    folder: Path,
    condition: str,
    *rows: tuple[str | None, int | None],
    uncertain: frozenset[str] = frozenset(),
    here: bool = False,
) -> KeyedRows | None:
    """With `here` the rows are loaded without Spark."""
    text = WORKSPACE.format(condition=condition) + numbered(update("k", "names.code"))
    (join,) = plan_of(folder, text).steps[0].joins
    frame: DataFrame = local_frame(spark, list(rows), "code string, n bigint")
    given = [{"code": code, "n": n} for code, n in rows]
    few = LoadedRows(join.dataset.readable.fields, given, (), [], unique=False) if here else None

    def load(_: Dataset) -> DataFrame:
        assert not here
        return frame

    keys = JoinKeyProof(load, Compiler(CONTEXT), uncertain, lambda _: few)
    keys.look_at([join], spark)
    return keys.rows(join)


@pytest.mark.parametrize("here", [True, False])
def test_keys_that_stand_there_once_need_no_count(
    spark: SparkSession, tmp_path: Path, here: bool
) -> None:
    rows = ("a", 1), ("b", 1), (None, 2), (None, 3)
    found = looked_at(spark, tmp_path, "t.k = names.code", *rows, here=here)
    assert found is not None
    assert (found.keys, found.added, found.repeated) == (("__names__code",), (), False)


@pytest.mark.parametrize("here", [True, False])
def test_a_key_that_stands_there_twice_is_looked_for_on_each_row(
    spark: SparkSession, tmp_path: Path, here: bool
) -> None:
    rows = ("a", 1), ("b", 1), ("a", 2)
    assert looked_at(spark, tmp_path, "t.k = names.code", *rows, here=here) is None


def test_what_is_asked_of_the_dataset_alone_counts(spark: SparkSession, tmp_path: Path) -> None:
    condition = "t.k = UPPER(names.code) AND names.n > 1"
    found = looked_at(spark, tmp_path, condition, ("a", 1), ("A", 2))
    assert found is not None
    assert (found.keys, found.added) == (("__key_0",), ("__key_0",))


def test_two_keys_are_one(spark: SparkSession, tmp_path: Path) -> None:
    condition = "t.k = names.code AND t.n = names.n"
    assert looked_at(spark, tmp_path, condition, ("a", 1), ("a", 2)) is not None
    assert looked_at(spark, tmp_path, condition, ("a", 1), ("a", 1)) is None


def test_a_key_that_does_not_fit_its_type_is_left_to_the_join(
    spark: SparkSession, tmp_path: Path
) -> None:
    assert looked_at(spark, tmp_path, "t.n = names.n + 1", ("a", 2**63 - 1)) is None


def test_rows_that_may_have_no_value_to_be_matched_by_are_all_looked_at(
    spark: SparkSession, tmp_path: Path
) -> None:
    row, column = ("a", 1), frozenset({"k"})
    assert looked_at(spark, tmp_path, "t.k = names.code", row, uncertain=column) is None
    assert looked_at(spark, tmp_path, "t.n + 1 = names.n", row) is None


def test_a_join_of_which_nothing_is_read_is_left_out(spark: SparkSession, tmp_path: Path) -> None:
    rows = ("a", 1), ("b", 2), (None, 3), (None, 4)
    found = looked_at(spark, tmp_path, "t.k = names.code", *rows)
    assert found is not None
    lines = local_frame(spark, [("a",), ("c",), (None,)], "k string")
    joined = lines.join(found.frame, lines["k"] == found.frame[found.keys[0]], "left")

    def plan(frame: DataFrame) -> str:
        return str(frame._jdf.queryExecution().optimizedPlan())

    assert "Join" in plan(joined)
    assert "Join" not in plan(joined.select("k"))
    assert {tuple(row) for row in joined.collect()} == {
        ("a", "a", 1),
        ("c", None, None),
        (None, None, None),
    }
