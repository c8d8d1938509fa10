"""A disk that is full or read-only: the old content stays, the rest is gone, and the error says
what happened."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.registry import settle, write
from rowbook.sources.source import WriteRequest
from rowbook.sources.source_errors import UnreachableError
from rowbook.spark.row_pass import PASS_CONF
from tests.engine.running import settings
from tests.sources.all_kinds import FILES, frame, table_of
from tests.sources.iceberg.lakes import staged_leftovers
from tests.sources.one_write import PERIODIC
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

RUN_2 = "0199a000-0000-7000-8000-000000000002"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of four megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount("-t", "tmpfs", "-o", "size=4m", "none", str(folder))
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def mount(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"file systems can be mounted by root only: {done.stderr.strip()}")


def large(spark: SparkSession) -> DataFrame:
    """Far more than there is room for, however it is packed."""
    text = F.concat(*(F.sha2((F.col("id") * 31 + n).cast("string"), 512) for n in range(4)))
    return spark.range(0, 60_000, 1, 2).select(
        text.alias("account"),
        F.lit(Decimal("1.00")).cast("decimal(18,2)").alias("amount"),
        F.lit("2026-01").alias("_period"),
    )


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", [*FILES, "delta", "iceberg"])
def test_a_full_disk_loses_nothing(spark: SparkSession, small_disk: Path, kind: str) -> None:
    table = table_of(kind, small_disk, lambda _: pytest.fail("no database here"))
    january = [{"account": "A", "amount": Decimal("1.00"), "_period": "2026-01"}]
    february = [{"account": "B", "amount": Decimal("2.00"), "_period": "2026-02"}]
    table.put(frame(spark, PERIODIC, january + february), periods=("2026-01", "2026-02"))
    found = refusal(lambda: table.put(large(spark), periods=("2026-01",), run_id=RUN_2))
    assert found.code == "OUTPUT_006"
    assert "data/gl cannot be written: No space left on device" in found.message
    assert table.rows(spark, PERIODIC, "2026-01") == january
    assert table.rows(spark, PERIODIC, "2026-02") == february
    if kind == "iceberg":
        assert isinstance(table.target, IcebergTarget)
        assert staged_leftovers(table.target) == []
        return
    assert [entry.name for entry in small_disk.iterdir()] == ["gl"]
    if kind != "delta":  # what it did not commit is there until VACUUM
        assert sum(path.is_file() for path in (small_disk / "gl").glob("period=*/[!.]*")) == 2


def test_a_full_disk_is_said_where_rows_are_written_as_they_pass(
    spark: SparkSession, small_disk: Path
) -> None:
    table = table_of("parquet", small_disk, lambda _: pytest.fail("no database here"))
    january = [{"account": "A", "amount": Decimal("1.00"), "_period": "2026-01"}]
    table.put(frame(spark, PERIODIC, january), periods=("2026-01",))
    order = WriteRequest("replace", ("2026-01",), RUN_2, 1, passes=True)
    with settings(spark, PASS_CONF):
        found = refusal(lambda: write(large(spark), table.target, order))
    assert found.code == "OUTPUT_006"
    assert "data/gl cannot be written: No space left on device" in found.message
    assert table.rows(spark, PERIODIC, "2026-01") == january
    assert [entry.name for entry in small_disk.iterdir()] == ["gl"]


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", [*FILES, "delta", "iceberg"])
def test_a_read_only_disk_is_said_to_be_one(
    spark: SparkSession, small_disk: Path, kind: str
) -> None:
    table = table_of(kind, small_disk, lambda _: pytest.fail("no database here"))
    january = [{"account": "A", "amount": Decimal("1.00"), "_period": "2026-01"}]
    rows = frame(spark, PERIODIC, january)
    table.put(rows, periods=("2026-01",))
    mount("-o", "remount,ro", str(small_disk))
    found = refusal(lambda: table.put(rows, periods=("2026-01",), run_id=RUN_2))
    assert found.code == "OUTPUT_006"
    assert found.message == "data/gl cannot be written: Read-only file system"
    assert table.rows(spark, PERIODIC, "2026-01") == january


def test_what_cannot_be_tidied_up_on_a_read_only_disk_is_left_for_later(small_disk: Path) -> None:
    target = FileTarget("csv", small_disk / "gl", label="data/gl")
    staged = small_disk / f".gl.staging-{RUN_2}"
    staged.mkdir()
    mount("-o", "remount,ro", str(small_disk))
    with pytest.raises(UnreachableError, match=r"^Read-only file system$"):
        settle(target, RUN_2, 1)
    assert staged.is_dir()
