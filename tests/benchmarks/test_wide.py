"""The project of the wide benchmark and its PySpark by hand give the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.measuring.same_rows import differences, read
from benchmarks.wide_task import PERIOD, PROJECT, Kind, by_hand, many_files, wide_table, workspace

from benchmarks import rowbook_side

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

_SIDES = ("ours", "hand")


def check(spark: SparkSession, root: Path, kind: Kind, columns: int) -> int:
    """How many rows there are."""
    written = rowbook_side.run(spark, rowbook_side.wanted(root, PROJECT, PERIOD))
    names = [*(f"c{i}" for i in range(columns)), "loud", "total"]
    ours = (
        spark.read.format(kind)
        .options(header="true", inferSchema="false")
        .load(str(written / "result"))
    )
    hand = by_hand(spark, root, kind, columns)
    for side, frame in zip(_SIDES, (ours, hand), strict=True):
        texts = [frame[name].cast("string").alias(name) for name in names]
        frame.select(*texts).write.parquet(str(root / "compared" / side / "result"))
    ours_read, hand_read = (read(root / "compared" / side, "result", names) for side in _SIDES)
    assert differences(ours_read, hand_read) == ""
    return len(ours_read)


@pytest.mark.campaign
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_table_of_many_columns_ends(spark: SparkSession, tmp_path: Path, kind: Kind) -> None:
    """With names given anew to every column, Spark took minutes for a hundred."""
    wide_table(tmp_path, kind, 200)
    (tmp_path / "rowbook.yaml").write_text(workspace(kind, 200), encoding="utf-8")
    assert check(spark, tmp_path, kind, 200) == 2


@pytest.mark.campaign
def test_a_table_of_many_files_is_one_table(spark: SparkSession, tmp_path: Path) -> None:
    assert check(spark, many_files(tmp_path, 50), "csv", 5) == 51
