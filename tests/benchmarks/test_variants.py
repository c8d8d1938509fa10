"""A close that is drawn writes what it writes by hand, and seeds draw what they should."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.variants import check
from benchmarks.variants_task import FEATURES, SHAPES, variants

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_four_of_them_have_every_shape_and_every_feature() -> None:
    for seed in range(20):
        drawn = variants(seed, 4)
        assert {each.shape for each in drawn} == set(SHAPES)
        assert {each.feature for each in drawn} == set(FEATURES)


def test_sixteen_have_every_shape_with_every_feature() -> None:
    assert len({(each.shape, each.feature) for each in variants(3, 16)}) == 16


def test_a_seed_draws_the_same_again() -> None:
    assert variants(5, 8)[:4] == variants(5, 4)
    assert variants(5, 4) != variants(6, 4)


@pytest.mark.spark
@pytest.mark.campaign
@pytest.mark.parametrize("number", range(8))
def test_a_variant_writes_what_it_writes_by_hand(
    spark: SparkSession, tmp_path: Path, number: int
) -> None:
    check(spark, tmp_path / "data", tmp_path, [variants(2, 8)[number]])
