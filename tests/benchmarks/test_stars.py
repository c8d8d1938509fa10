"""The star of the benchmark and its query in Spark SQL give the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.stars import CHECKED_ROWS, check, star_data

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.spark
@pytest.mark.some(1)
@pytest.mark.parametrize("lookups", [5, 8])
def test_a_star_gives_what_its_query_gives(
    spark: SparkSession, tmp_path: Path, lookups: int
) -> None:
    check(spark, star_data(tmp_path / "data", CHECKED_ROWS), tmp_path, (lookups,))
