"""Outputs that are one file, or sheets of one: what is replaced, what stays, what is left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.source import WriteRequest
from tests.sources.tables import RUN, kind_named, names_in, put, target
from tests.support.local_frame import local_frame
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

LATER = "0199a000-0000-7000-8000-00000000000a"


def lines(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, _period string").repartition(3)


def one_file(folder: Path, name: str, kind: str = "csv", **options: str) -> FileTarget:
    return FileTarget.at(kind_named(kind), folder, options, folder.name, name)


def ids_in(file: Path) -> list[str]:
    match file.suffix:
        case ".parquet":
            return sorted(pq.read_table(file)["id"].to_pylist())
        case ".json":
            return sorted(json.loads(line)["id"] for line in file.read_text().splitlines())
        case _:
            return sorted(line.split(",")[0] for line in file.read_text().splitlines()[1:])


@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_one_file_is_replaced_and_those_of_other_periods_stay(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "guv"
    first, second = (one_file(folder, f"guv_{month}.{kind}", kind) for month in ("01", "02"))
    put(lines(spark, ("a", "2026-01"), ("b", "2026-01")), first, periods=("2026-01",))
    put(lines(spark, ("c", "2026-02")), second, periods=("2026-02",))
    february = (folder / f"guv_02.{kind}").stat()
    written = put(lines(spark, ("d", "2026-01")), first, periods=("2026-01",), run_id=LATER)
    assert (written.rows, written.files) == (1, 1)
    assert names_in(folder) == [f"guv_01.{kind}", f"guv_02.{kind}"]
    assert ids_in(folder / f"guv_01.{kind}") == ["d"]
    assert (folder / f"guv_02.{kind}").stat().st_ino == february.st_ino
    assert names_in(tmp_path) == ["guv"]
    assert registry.settle(second, RUN, 0).published
    found = registry.trace(second, RUN, 0, ["id"])
    assert found is not None
    assert [each.name for each in registry.contents(found.table)] == [f"guv/guv_02.{kind}"]
    assert found.since == ((LATER, 0),)


def test_one_file_is_there_without_rows_and_in_any_encoding(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = one_file(tmp_path / "guv", "guv.csv", bom="true", delimiter=";")
    put(lines(spark, ("a", "x")).filter("false"), where)
    assert (tmp_path / "guv" / "guv.csv").read_text("utf-8") == "\ufeffid;_period\n"


def test_rows_of_other_periods_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    where = one_file(tmp_path / "guv", "guv_01.csv")
    frame = lines(spark, ("a", "2026-01"), ("b", "2025-12"))
    found = refusal(lambda: put(frame, where, periods=("2026-01",)), "OUTPUT_006")
    said = "rows of period 2025-12 are not of the run's period"
    assert found.message == f"guv/guv_01.csv: {said}"
    assert names_in(tmp_path) == []


def test_a_file_that_must_not_be_there_is_told_from_others(
    spark: SparkSession, tmp_path: Path
) -> None:
    frame = lines(spark, ("a", "x"))
    put(frame, one_file(tmp_path / "guv", "a.csv"), "error_if_exists")
    put(frame, one_file(tmp_path / "guv", "b.csv"), "error_if_exists")
    again = one_file(tmp_path / "guv", "a.csv")
    found = refusal(lambda: put(frame, again, "error_if_exists"), "OUTPUT_006")
    assert found.message == "guv/a.csv exists already"


def test_the_files_of_a_table_of_many_are_not_left_beside_one(
    spark: SparkSession, tmp_path: Path
) -> None:
    put(lines(spark, ("a", "x")), target(tmp_path / "guv", "csv"))
    (before,) = (each for each in names_in(tmp_path / "guv") if each.startswith("part"))
    where = one_file(tmp_path / "guv", "guv.csv")
    found = refusal(lambda: put(lines(spark, ("b", "x")), where), "OUTPUT_006")
    assert found.message == (
        f"guv/guv.csv cannot be one file: beside it is '{before}', of a table of many"
    )


def sheet(folder: Path, name: str) -> FileTarget:
    return one_file(folder, "close.xlsx", "excel", sheet=name)


def test_sheets_are_published_together(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    first, last = sheet(folder, "GuV"), sheet(folder, "Bilanz")
    early = WriteRequest("replace", None, RUN, 10, is_last=False)
    staged = registry.stage(lines(spark, ("a", "x")), first, early)
    assert (staged.written.rows, folder.exists()) == (1, False)
    announced: list[int] = []
    order = WriteRequest(
        "replace", None, RUN, 20, lambda w: announced.append(w.rows), sheets=((10, "GuV"),)
    )
    registry.write(lines(spark, ("b", "x"), ("c", "x")), last, order)
    book = openpyxl.load_workbook(folder / "close.xlsx")
    assert {each.title: each.max_row for each in book.worksheets} == {"GuV": 2, "Bilanz": 3}
    assert announced == [2]
    assert names_in(tmp_path) == ["exports"]
    assert [registry.settle(each, RUN, seq).published for each, seq in ((first, 10), (last, 20))]
    assert registry.settle(first, RUN, 10).published
    assert not registry.settle(first, LATER, 10).published


def test_what_was_staged_of_a_workbook_that_never_was_is_removed(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = sheet(tmp_path / "exports", "GuV")
    early = WriteRequest("replace", None, RUN, 10, is_last=False)
    registry.stage(lines(spark, ("a", "x")), where, early)
    assert names_in(tmp_path) == [f".exports.staging-{RUN}-sheet-10"]
    assert not registry.settle(where, RUN, 10).published
    assert names_in(tmp_path) == []


def test_a_workbook_that_cannot_be_leaves_the_old_one(spark: SparkSession, tmp_path: Path) -> None:
    where = sheet(tmp_path / "exports", "GuV")
    put(lines(spark, ("a", "x")), where)
    before = (tmp_path / "exports" / "close.xlsx").read_bytes()
    with pytest.raises(RowbookError, match="holds a text of 40,000 characters in row 2"):
        put(lines(spark, ("a" * 40_000, "x")), where)
    assert (tmp_path / "exports" / "close.xlsx").read_bytes() == before
    put(lines(spark, ("a", "x")), where, run_id=LATER)
    assert (tmp_path / "exports" / "close.xlsx").read_bytes() == before
