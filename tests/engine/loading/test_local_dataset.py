"""Datasets of few rows as local relations: what Spark's own loading gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.loading.local_dataset import local_frame
from rowbook.reference.loading.dataset_rows import SourceTables, load
from rowbook.sources.files.plain_tables import read_places
from tests.engine.loading.tables import PERIODIC, parquet
from tests.sources.tables import context, load_all

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("with_ids", [True, False])
def test_a_local_relation_has_the_columns_and_rows_of_a_scan(
    spark: SparkSession, tmp_path: Path, with_ids: bool
) -> None:
    periods = ["2026-01", "2026-01", "2025-12"]
    where = parquet(tmp_path / "gl.parquet", id=["a", None, "c"], _period=periods)
    tables = SourceTables(read_places([where]))
    here = load(PERIODIC, tables, context(), keep_deleted=True)
    local = local_frame(spark, here, with_ids=with_ids)
    scanned = load_all(spark, PERIODIC, where).frame
    if not with_ids:
        scanned = scanned.drop("__id_1", "__id_2")
    assert local.schema.simpleString() == scanned.schema.simpleString()
    assert local.collect() == scanned.collect()
    assert len(local.collect()) == 2
