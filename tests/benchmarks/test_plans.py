"""The projects of the plans benchmark and their PySpark by hand give the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.ledger_data import PERIOD, LedgerData, ledger_data
from benchmarks.measuring.same_rows import differences, read
from benchmarks.plans import COUNTS
from benchmarks.plans_task import KINDS, PROJECT, by_hand, workspace

from benchmarks import rowbook_side

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> LedgerData:
    return ledger_data(tmp_path_factory.mktemp("ledger"), 2_000)


@pytest.mark.some(4)
@pytest.mark.parametrize("kind", list(KINDS))
def test_a_project_gives_what_its_peer_gives(
    spark: SparkSession, data: LedgerData, tmp_path: Path, kind: str
) -> None:
    count = min(9, COUNTS[kind][-1])
    (tmp_path / "rowbook.yaml").write_text(workspace(data, kind, count), encoding="utf-8")
    written = rowbook_side.run(spark, rowbook_side.wanted(tmp_path, PROJECT, PERIOD))
    by_hand(spark, data, kind, count).write.parquet(str(tmp_path / "hand" / "result"))
    columns = KINDS[kind].written(count)
    ours, theirs = (read(folder, "result", columns) for folder in (written, tmp_path / "hand"))
    assert len(ours) >= 2_000
    assert differences(ours, theirs) == ""
