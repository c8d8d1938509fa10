"""Footers of parquet files: what is known without Spark is what Spark finds; and NULLs are refused
whatever they say."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import types as s

from rowbook.errors import RowbookError
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.parquet import metadata
from rowbook.sources.files.parquet.metadata import never_null, read_footer
from rowbook.sources.files.parquet.read import spark_schema
from tests.sources.tables import dataset, faults, read, rows_of
from tests.support.refusal import refusal


def table(**columns: pa.Array) -> pa.Table:
    return pa.table(dict(columns))


def test_columns_on_top_and_rows_are_read(tmp_path: Path) -> None:
    nested = pa.array(
        [{"x": 1, "y": [1, 2]}, None], pa.struct({"x": "int64", "y": pa.list_(pa.int8())})
    )
    maps = pa.array([[("k", 1)], []], pa.map_("string", "int64"))
    written = table(a=pa.array([1, 2]), nested=nested, maps=maps, b=pa.array(["é", None]))
    pq.write_table(written, tmp_path / "t.parquet")
    footer = read_footer(tmp_path / "t.parquet", "t.parquet")
    assert (footer.columns, footer.rows) == (("a", "nested", "maps", "b"), 2)


def test_a_file_without_rows_still_has_columns(tmp_path: Path) -> None:
    pq.write_table(table(a=pa.array([], "int64")), tmp_path / "t.parquet")
    footer = read_footer(tmp_path / "t.parquet", "t.parquet")
    assert (footer.columns, footer.rows) == (("a",), 0)


def test_many_columns_and_row_groups_are_read(tmp_path: Path) -> None:
    wide = pa.table({f"c{i}": list(range(100)) for i in range(300)})
    pq.write_table(wide, tmp_path / "t.parquet", row_group_size=7)
    footer = read_footer(tmp_path / "t.parquet", "t.parquet")
    assert (len(footer.columns), footer.rows) == (300, 100)


def test_the_signature_is_about_names_and_types_alone(tmp_path: Path) -> None:
    amounts = pa.array([Decimal("1.50")], pa.decimal128(18, 2))
    required = pa.schema([pa.field("a", pa.decimal128(18, 2), nullable=False)])
    written = {
        "one": table(a=amounts),
        "same": table(a=pa.array([Decimal("9.00"), None], pa.decimal128(18, 2))),
        "required": pa.table([amounts], schema=required),
        "scale": table(a=pa.array([Decimal("1.5")], pa.decimal128(18, 3))),
        "name": table(b=amounts),
        "more": table(a=amounts, b=amounts),
    }
    signatures = {}
    for name, each in written.items():
        pq.write_table(each, tmp_path / name)
        signatures[name] = read_footer(tmp_path / name, name).signature
    assert signatures["one"] == signatures["same"] == signatures["required"]
    assert len(set(signatures.values())) == 4


@pytest.mark.parametrize("content", [b"", b"PAR1", b"a,b\n1,2\n", b"PAR1\xff\xff\xff\xffPAR1"])
def test_what_is_no_parquet_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.parquet").write_bytes(content)
    diagnostic = refusal(lambda: read_footer(tmp_path / "t.parquet", "data/t.parquet"))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message.startswith("data/t.parquet is not a parquet file: ")


@pytest.mark.fuzz
def test_a_damaged_footer_is_refused_or_read_but_never_crashes(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({f"c{i}": [i] for i in range(5)}), path)
    sound = path.read_bytes()
    length = int.from_bytes(sound[-8:-4], "little")
    dice = random.Random(7)
    for _ in range(1000):
        damaged = bytearray(sound)
        for _ in range(dice.randint(1, 4)):
            damaged[len(sound) - 8 - dice.randint(1, length)] = dice.randrange(256)
        path.write_bytes(damaged)
        with contextlib.suppress(RowbookError):
            footer = read_footer(path, "t.parquet")
            footer.types()
            footer.never_null()


MOMENT = datetime(2026, 1, 31, 12, tzinfo=UTC)
KNOWN = {
    "yes": pa.array([True]),
    "byte": pa.array([1], "int8"),
    "short": pa.array([1], "int16"),
    "int": pa.array([1], "int32"),
    "long": pa.array([1], "int64"),
    "real": pa.array([1.5], "float32"),
    "double": pa.array([1.5], "float64"),
    "text": pa.array(["a"]),
    "bytes": pa.array([b"a"]),
    "day": pa.array([date(2026, 1, 31)]),
    "few digits": pa.array([Decimal("1.5")], pa.decimal128(5, 2)),
    "many digits": pa.array([Decimal("1.5")], pa.decimal128(38, 10)),
    "micro": pa.array([MOMENT], pa.timestamp("us", tz="UTC")),
    "milli": pa.array([MOMENT], pa.timestamp("ms", tz="UTC")),
    "local": pa.array([MOMENT.replace(tzinfo=None)], pa.timestamp("us")),
}
UNKNOWN = {
    "unsigned": pa.array([1], "uint32"),
    "nano": pa.array([MOMENT], pa.timestamp("ns", tz="UTC")),
    "list": pa.array([[1]]),
    "struct": pa.array([{"a": 1}]),
    "fixed": pa.array([b"ab"], pa.binary(2)),
    "time": pa.array([1], pa.time64("us")),
}


def schema_at(path: Path) -> s.StructType | None:
    return spark_schema(read_footer(path, path.name))


@pytest.mark.spark
@pytest.mark.parametrize("nullable", [True, False])
@pytest.mark.parametrize("small", [True, False])
def test_types_are_those_that_spark_finds(
    spark: SparkSession, tmp_path: Path, nullable: bool, small: bool
) -> None:
    path = tmp_path / "t.parquet"
    fields = [pa.field(name, values.type, nullable=nullable) for name, values in KNOWN.items()]
    table = pa.table(list(KNOWN.values()), schema=pa.schema(fields))
    pq.write_table(table, path, store_decimal_as_integer=small)
    assert schema_at(path) == spark.read.parquet(str(path)).schema


@pytest.mark.spark
def test_types_of_spark_s_own_files_are_those_it_wrote(spark: SparkSession, tmp_path: Path) -> None:
    plain = "a string, b decimal(12,3), c timestamp, d date, e tinyint, f timestamp_ntz, g binary"
    spark.createDataFrame([], plain).coalesce(1).write.parquet(str(tmp_path / "plain"))
    (file,) = (tmp_path / "plain").glob("*.parquet")
    assert schema_at(file) == spark.read.parquet(str(file)).schema


@pytest.mark.spark
@pytest.mark.parametrize("kind", ["interval day", "interval year", "array<int>"])
def test_where_spark_wrote_something_else_it_is_asked(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    written = spark.createDataFrame([], "n int, x " + kind).coalesce(1)
    written.write.parquet(str(tmp_path / "t"))
    (file,) = (tmp_path / "t").glob("*.parquet")
    found = schema_at(file)
    assert found is None or found == spark.read.parquet(str(file)).schema


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_column_of_another_kind_is_left_to_spark(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"n": [1], name: UNKNOWN[name]}), path)
    assert schema_at(path) is None


def test_a_name_with_a_dot_is_no_column_inside_another(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a.b": [1]}), path)
    assert schema_at(path) == s.StructType([s.StructField("a.b", s.LongType())])


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


def complete(*paths: Path) -> frozenset[str]:
    return never_null([read_footer(path, path.name) for path in paths])


def unknown(path: Path, **columns: Sequence[int | None]) -> Path:
    """A file that says nothing about its values."""
    made = pa.table({n: pa.array(v, "int64") for n, v in columns.items()})
    pq.write_table(made, path, row_group_size=2, write_statistics=False)
    return path


def test_a_column_is_complete_where_no_row_group_counts_a_null(tmp_path: Path) -> None:
    path = stored(tmp_path / "t.parquet", full=FULL, gap=GAP, none=[None] * 4)
    assert complete(path) == {"full"}


def test_a_required_column_is_complete_whatever_is_counted(tmp_path: Path) -> None:
    table = required("a", "b", rows=3)
    pq.write_table(table, tmp_path / "t.parquet", write_statistics=False)
    assert complete(tmp_path / "t.parquet") == {"a", "b"}


def test_without_statistics_nothing_is_known(tmp_path: Path) -> None:
    assert complete(unknown(tmp_path / "t.parquet", full=FULL)) == frozenset()


def test_statistics_of_some_columns_tell_of_these(tmp_path: Path) -> None:
    table = pa.table({"a": FULL, "b": FULL})
    pq.write_table(table, tmp_path / "t.parquet", write_statistics=["b"])
    assert complete(tmp_path / "t.parquet") == {"b"}


def test_of_several_files_all_must_say_so(tmp_path: Path) -> None:
    one = stored(tmp_path / "1.parquet", a=FULL, b=FULL, c=FULL)
    two = stored(tmp_path / "2.parquet", a=FULL, b=GAP, c=FULL)
    three = stored(tmp_path / "3.parquet", a=FULL, b=FULL)
    assert complete(one, two) == {"a", "c"}
    assert complete(one, two, three) == {"a"}
    assert complete(one, unknown(tmp_path / "4.parquet", a=FULL)) == frozenset()


def test_a_file_without_row_groups_holds_no_null(tmp_path: Path) -> None:
    empty = tmp_path / "t.parquet"
    pq.ParquetWriter(empty, pa.schema({"a": pa.int64(), "b": pa.int64()})).close()
    assert complete(empty) == {"a", "b"}
    assert complete(empty, stored(tmp_path / "2.parquet", a=FULL, b=GAP)) == {"a"}


def test_columns_inside_of_others_are_not_looked_at(tmp_path: Path) -> None:
    inside = pa.array([{"a": 1}, {"a": 2}], pa.struct({"a": pa.int64()}))
    lists = pa.array([[1], [2]], pa.list_(pa.int64()))
    table = pa.table({"s": inside, "l": lists, "a.b": [1, 2], "a": [None, 1]})
    assert complete(stored(tmp_path / "t.parquet", table)) == frozenset()


def test_no_files_and_too_many_tell_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stored(tmp_path / "t.parquet", a=FULL)
    assert complete() == frozenset()
    monkeypatch.setattr(metadata, "MOST_FILES", 1)
    assert complete(path) == {"a"}
    assert complete(path, path) == frozenset()


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
