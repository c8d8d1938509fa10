"""A disk that gives back other bytes than it was given: nothing of it is published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.errors import RowbookError
from rowbook.sources.publishing import write_table
from rowbook.sources.publishing.exchange import beside
from rowbook.sources.publishing.file_layout import Part
from tests.sources.tables import RUN, contents, files_in, names_in, put, target
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark


def one_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[pq.read_metadata(file).row_group(0).column(0).data_page_offset + 40] ^= 1
    file.write_bytes(content)


def one_row(file: Path) -> None:
    pq.write_table(pq.read_table(file).slice(1), file)


def the_end(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def last_line(file: Path) -> None:
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))


DAMAGES = [
    ("parquet", one_bit, "' is damaged: could not verify page integrity, CRC checksum"),
    ("parquet", one_row, "closed was staged with 100 rows, but its files hold 99"),
    ("parquet", the_end, "is not a parquet file"),
    ("orc", the_end, "is not an orc file"),
    ("csv", last_line, "closed was staged with 100 rows, but its files hold 99"),
    ("json", last_line, "closed was staged with 100 rows, but its files hold 99"),
]


@pytest.mark.parametrize(("kind", "damage", "said"), DAMAGES)
def test_a_table_that_is_damaged_after_it_was_staged_is_not_published(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    damage: Callable[[Path], None],
    said: str,
) -> None:
    where = target(tmp_path / "closed", kind)
    put(local_frame(spark, [("old",)], "id string"), where)

    def come_to(point: str) -> None:
        if point == "a table was staged":
            (file,) = files_in(beside(where.path, "staging", f"{RUN}-0"))
            damage(file)

    monkeypatch.setattr(write_table, "write_point", come_to)
    frame = spark.range(0, 100, 1, 1).selectExpr("string(id * 1000003) AS id")
    with pytest.raises(RowbookError) as refused:
        put(frame, where)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "OUTPUT_006"
    assert said in diagnostic.message
    assert contents(spark, where, "id") == [("old",)]
    assert names_in(tmp_path) == ["closed"]


def test_rows_that_spark_counted_but_did_not_write_are_missed(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = write_table._counted

    def without_the_first(*given: Any) -> list[Part]:
        return counted(*given)[1:]

    monkeypatch.setattr(write_table, "_counted", without_the_first)
    with pytest.raises(RowbookError, match="staged with 100 rows, but its files hold 50"):
        put(spark.range(0, 100, 1, 2).selectExpr("id"), target(tmp_path / "closed", "parquet"))
    assert names_in(tmp_path) == []
