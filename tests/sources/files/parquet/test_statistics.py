"""Columns without NULLs, told from footers alone; and that NULLs are refused all the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.parquet import statistics
from rowbook.sources.files.parquet.statistics import never_null
from tests.sources.tables import dataset, faults, read, rows_of

FULL, GAP = [1, 2, 3, 4], [1, 2, None, 4]


def stored(path: Path, table: pa.Table | None = None, **columns: Sequence[int | None]) -> Path:
    """A file with row groups of two."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = pa.table({n: pa.array(v, "int64") for n, v in columns.items()})
    pq.write_table(made if table is None else table, path, row_group_size=2)
    return path


def required(*names: str, rows: int) -> pa.Table:
    schema = pa.schema([pa.field(name, pa.int64(), nullable=False) for name in names])
    return pa.table({name: list(range(rows)) for name in names}, schema=schema)


def unknown(path: Path, **columns: Sequence[int | None]) -> Path:
    """A file that says nothing about its values."""
    made = pa.table({n: pa.array(v, "int64") for n, v in columns.items()})
    pq.write_table(made, path, row_group_size=2, write_statistics=False)
    return path


def test_a_column_is_complete_where_no_row_group_counts_a_null(tmp_path: Path) -> None:
    path = stored(tmp_path / "t.parquet", full=FULL, gap=GAP, none=[None] * 4)
    assert never_null([path]) == {"full"}


def test_a_required_column_is_complete_whatever_is_counted(tmp_path: Path) -> None:
    table = required("a", "b", rows=3)
    pq.write_table(table, tmp_path / "t.parquet", write_statistics=False)
    assert never_null([tmp_path / "t.parquet"]) == {"a", "b"}


def test_without_statistics_nothing_is_known(tmp_path: Path) -> None:
    assert never_null([unknown(tmp_path / "t.parquet", full=FULL)]) == frozenset()


def test_statistics_of_some_columns_tell_of_these(tmp_path: Path) -> None:
    table = pa.table({"a": FULL, "b": FULL})
    pq.write_table(table, tmp_path / "t.parquet", write_statistics=["b"])
    assert never_null([tmp_path / "t.parquet"]) == {"b"}


def test_of_several_files_all_must_say_so(tmp_path: Path) -> None:
    one = stored(tmp_path / "1.parquet", a=FULL, b=FULL, c=FULL)
    two = stored(tmp_path / "2.parquet", a=FULL, b=GAP, c=FULL)
    three = stored(tmp_path / "3.parquet", a=FULL, b=FULL)
    assert never_null([one, two]) == {"a", "c"}
    assert never_null([one, two, three]) == {"a"}
    assert never_null([one, unknown(tmp_path / "4.parquet", a=FULL)]) == frozenset()


def test_a_file_without_row_groups_holds_no_null(tmp_path: Path) -> None:
    empty = tmp_path / "t.parquet"
    pq.ParquetWriter(empty, pa.schema({"a": pa.int64(), "b": pa.int64()})).close()
    assert never_null([empty]) == {"a", "b"}
    assert never_null([empty, stored(tmp_path / "2.parquet", a=FULL, b=GAP)]) == {"a"}


def test_columns_inside_of_others_are_not_looked_at(tmp_path: Path) -> None:
    inside = pa.array([{"a": 1}, {"a": 2}], pa.struct({"a": pa.int64()}))
    lists = pa.array([[1], [2]], pa.list_(pa.int64()))
    table = pa.table({"s": inside, "l": lists, "a.b": [1, 2], "a": [None, 1]})
    assert never_null([stored(tmp_path / "t.parquet", table)]) == frozenset()


def test_no_files_and_too_many_and_broken_ones_tell_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stored(tmp_path / "t.parquet", a=FULL)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no")
    assert never_null([]) == frozenset()
    assert never_null([path, tmp_path / "broken.parquet"]) == frozenset()
    assert never_null([path, tmp_path / "missing.parquet"]) == frozenset()
    monkeypatch.setattr(statistics, "_MOST_FILES", 1)
    assert never_null([path]) == {"a"}
    assert never_null([path, path]) == frozenset()


def at(path: Path) -> FileTable:
    return FileTable("parquet", path, label=f"lake/{path.name}")


WANTED = dataset("id integer!", "v integer!")
REFUSED = "dataset 'gl_entries': column 'v' is not nullable, but NULL in 1 row: lake/gl"


@pytest.mark.spark
@pytest.mark.parametrize("way", ["counted", "unknown", "one file of two", "one without statistics"])
def test_a_null_is_refused_whatever_the_files_say(
    spark: SparkSession, tmp_path: Path, way: str
) -> None:
    folder = tmp_path / "gl"
    folder.mkdir()
    write = unknown if way in ("unknown", "one without statistics") else stored
    write(folder / "1.parquet", id=[1, 2, 3, 4], v=GAP)
    if way.startswith("one"):
        stored(folder / "2.parquet", id=[5, 6, 7, 8], v=FULL)
    (raw,) = read(spark, at(folder))
    assert "v" not in raw.never_null
    (found,) = faults(spark, WANTED, at(folder))
    assert found.code == "DATASET_012"
    assert found.message.startswith(REFUSED)
    assert found.message.endswith(" where id = '3'")


@pytest.mark.spark
def test_rows_without_nulls_are_read_whatever_the_files_say(
    spark: SparkSession, tmp_path: Path
) -> None:
    table = required("id", "v", rows=2)
    known = [stored(tmp_path / "1.parquet", id=FULL, v=FULL), stored(tmp_path / "2.parquet", table)]
    silent = unknown(tmp_path / "3.parquet", id=FULL, v=FULL)
    for path, names in ((known[0], {"id", "v"}), (known[1], {"id", "v"}), (silent, set())):
        (raw,) = read(spark, at(path))
        assert raw.never_null == names
    assert len(rows_of(spark, WANTED, *map(at, (*known, silent)))) == 10


@pytest.mark.spark
def test_a_folders_name_is_not_vouched_for_by_a_column_in_its_files(
    spark: SparkSession, tmp_path: Path
) -> None:
    for number, name in ((3, "__HIVE_DEFAULT_PARTITION__"), (4, "x")):
        table = pa.table({"id": [number], "v": ["inside"]})
        stored(tmp_path / "gl" / f"v={name}" / "1.parquet", table)
    (found,) = faults(spark, dataset("id integer!", "v string!"), at(tmp_path / "gl"))
    assert found.code == "DATASET_012"
    assert found.message.startswith(REFUSED)
    assert found.message.endswith(" where id = '3'")
