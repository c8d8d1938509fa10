"""Loading datasets: names, periods, validity, deleted rows, several sources."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.engine.loading.declared_columns import accepted_periods, wanted_folders
from rowbook.planning.datasets import Dataset
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.sources.files.file_table import FileTable
from tests.sources.tables import (
    Rows,
    context,
    csv_file,
    dataset,
    load_all,
    place,
    refused,
    rows_of,
)

pytestmark = pytest.mark.spark


def parquet(path: Path, period: str | None = None, **columns: Any) -> FileTable:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return FileTable("parquet", path, {}, period, f"lake/{path.name}")


def ids(rows: Rows) -> list[Any]:
    return sorted(row["id"] for row in rows)


def test_declared_columns_are_loaded_by_their_physical_names(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "No.,ignored,Amount (USD),`x`\n7,?,1.50,y\n")
    wanted = dataset("amount decimal(18,2) <- Amount (USD)", "id integer <- No.", "x string <- `x`")
    assert rows_of(spark, wanted, place(path)) == [{"amount": Decimal("1.50"), "id": 7, "x": "y"}]


def test_columns_come_in_the_order_of_their_declaration_system_columns_last(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "_row_id,b,_labels,a\nr1,2,x,1\n")
    loaded = load_all(spark, dataset("a string", "b string"), place(path))
    assert loaded.frame.columns == ["a", "b", "_row_id", "_labels"]
    assert loaded.system == {"_row_id", "_labels"}


def test_a_file_without_header_gives_its_columns_in_order(
    spark: SparkSession, tmp_path: Path
) -> None:
    csv_file(tmp_path, "J1,1.50,extra\n", "gl/_period=2026-01/1.csv")
    wanted = dataset("id string", "_period string", "amount decimal(18,2)", mode="period")
    found = rows_of(spark, wanted, place(tmp_path / "gl", header="false"))
    assert found == [{"id": "J1", "_period": "2026-01", "amount": Decimal("1.50")}]


def test_a_file_without_header_may_lack_columns(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "J1\n")
    wanted = dataset("id string", "amount decimal(18,2)")
    (diagnostic,) = refused(spark, wanted, place(path, header="false"))
    assert diagnostic.message == "dataset 'gl_entries': column 'c2' is missing in data/gl.csv"


def test_missing_columns_are_named_all_at_once_with_what_is_there(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "Journal_ID,amout,x\n1,2,3\n")
    wanted = dataset("journal_id string", "amount decimal(18,2)", "memo string <- Remark")
    (diagnostic,) = refused(spark, wanted, place(path))
    assert diagnostic.code == "DATASET_010"
    assert diagnostic.message == (
        "dataset 'gl_entries': columns 'journal_id', 'amount', 'Remark' are missing in data/gl.csv"
    )
    assert diagnostic.hint == (
        "did you mean 'Journal_ID' for 'journal_id'?  did you mean 'amout' for 'amount'?"
        "  columns: Journal_ID, amout, x"
    )


def test_a_column_that_one_file_of_many_lacks_is_missing(
    spark: SparkSession, tmp_path: Path
) -> None:
    parquet(tmp_path / "gl" / "1.parquet", id=["a"], note=["x"])
    parquet(tmp_path / "gl" / "2.parquet", id=["b"])
    where = FileTable("parquet", tmp_path / "gl", label="lake/gl")
    (diagnostic,) = refused(spark, dataset("id string", "note string"), where)
    assert diagnostic.message == (
        "dataset 'gl_entries': column 'note' is missing in lake/gl/2.parquet"
    )
    assert ids(rows_of(spark, dataset("id string"), where)) == ["a", "b"]


def test_an_empty_file_has_no_columns(spark: SparkSession, tmp_path: Path) -> None:
    (diagnostic,) = refused(spark, dataset("id string"), place(csv_file(tmp_path, "")))
    assert diagnostic.message == "dataset 'gl_entries': column 'id' is missing in data/gl.csv"


def test_every_fault_of_every_source_is_reported_together(
    spark: SparkSession, tmp_path: Path
) -> None:
    one = parquet(tmp_path / "1.parquet", id=[1], n=["x"])
    two = parquet(tmp_path / "2.parquet", n=[1])
    found = refused(spark, dataset("id string", "n integer"), one, two)
    assert [(d.code, d.message.split(": ", 1)[1]) for d in found] == [
        ("DATASET_011", "column 'id' is declared as string, but 'id' in lake/1.parquet is bigint"),
        ("DATASET_010", "column 'id' is missing in lake/2.parquet"),
    ]


# --- periods

PERIODIC = dataset("id string", mode="period")
RENAMED = dataset("_period string <- month", "id string", mode="period")


def test_only_rows_of_the_runs_period_are_seen(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "month,id\n2026-01,a\n2026-02,b\n2026,c\n,d\n")
    assert rows_of(spark, RENAMED, place(path)) == [{"_period": "2026-01", "id": "a"}]
    assert ids(rows_of(spark, RENAMED, place(path), run=context("2026"))) == ["c"]


def test_finer_periods_are_accepted_where_they_were_resolved_for(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "month,id\n2026-01,a\n2026-02,b\n2026-04,c\n2026-Q1,d\n")
    run = context("2026-Q1")
    located = [
        ResolvedLocation(
            "r", "rule", "table", "files", "gl", "csv", ("2026-01", "2026-02", "2026-03"), False
        )
    ]
    accepted = accepted_periods(run, located)
    assert accepted == ("2026-Q1", "2026-01", "2026-02", "2026-03")
    assert ids(rows_of(spark, RENAMED, place(path), run=run, periods=accepted)) == ["a", "b", "d"]


def test_rows_of_a_periods_own_place_get_that_period(spark: SparkSession, tmp_path: Path) -> None:
    one = csv_file(tmp_path, "id\na\n", "1.csv")
    two = csv_file(tmp_path, "id\nb\n", "2.csv")
    places = [place(one, period="2026-01"), place(two, period="2026-02")]
    found = rows_of(spark, PERIODIC, *places, periods=("2026-01", "2026-02"))
    assert found == [{"id": "a", "_period": "2026-01"}, {"id": "b", "_period": "2026-02"}]


def test_a_declared_period_that_the_file_lacks_is_that_of_its_place(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "id\na\n")
    assert rows_of(spark, RENAMED, place(path, period="2026-01")) == [
        {"_period": "2026-01", "id": "a"}
    ]


def test_a_stored_period_wins_over_that_of_the_place(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id,_period\na,2026-01\nb,2025-12\n")
    assert ids(rows_of(spark, PERIODIC, place(path, period="2026-01"))) == ["a"]


def test_rows_without_any_period_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id\na\n")
    (diagnostic,) = refused(spark, PERIODIC, place(path))
    assert diagnostic.code == "DATASET_010"
    assert diagnostic.message == (
        "dataset 'gl_entries': column '_period' is missing in data/gl.csv, and its location does"
        " not depend on the period"
    )


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_folders_of_periods_are_periods(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    for period, name in (("2026-01", "a"), ("2026-02", "b"), ("2026", "c")):
        folder = tmp_path / "gl" / f"_period={period}"
        if kind == "csv":
            csv_file(folder, f"id\n{name}\n", "1.csv")
        else:
            parquet(folder / "1.parquet", id=[name])
    folders = wanted_folders(PERIODIC, ("2026-01",))
    where = FileTable("csv" if kind == "csv" else "parquet", tmp_path / "gl", only=folders)
    assert rows_of(spark, PERIODIC, where) == [{"id": "a", "_period": "2026-01"}]
    whole = FileTable("csv" if kind == "csv" else "parquet", tmp_path / "gl")
    assert ids(rows_of(spark, PERIODIC, whole, run=context("2026"))) == ["c"]


def test_only_a_periodic_table_passes_folders_over() -> None:
    assert wanted_folders(PERIODIC, ("2026-01",)) == {"_period": ("2026-01",)}
    assert wanted_folders(RENAMED, ("2026-01",)) == {"month": ("2026-01",)}
    assert wanted_folders(dataset("id string"), ("2026-01",)) == {}


def test_a_snapshot_has_no_filter_and_no_period(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id,_period\na,2025-12\nb,\n")
    loaded = load_all(spark, dataset("id string"), place(path))
    assert loaded.frame.columns == ["id"]
    assert loaded.frame.count() == 2


# --- validity

DAYS = dataset("id string", "valid_from date", "valid_to date", mode="bitemporal")
MOMENTS = dataset("id string", "valid_from timestamp", "valid_to timestamp", mode="bitemporal")
END = date(2026, 1, 31)

VALID_DAYS = """\
id,valid_from,valid_to
before,2025-01-01,2026-01-30
until that day,2025-01-01,2026-01-31
until the next,2025-01-01,2026-02-01
open,2025-01-01,
from that day,2026-01-31,
from the next,2026-02-01,
no start,,
"""
VALID_MOMENTS = """\
id,valid_from,valid_to
until midnight before,2025-01-01,2026-01-31T00:00:00Z
until noon,2025-01-01,2026-01-31T12:00:00Z
until the last microsecond,2025-01-01,2026-01-31T23:59:59.999999Z
until midnight after,2025-01-01,2026-02-01T00:00:00Z
open,2025-01-01,
from noon,2026-01-31T12:00:00Z,
from the last microsecond,2026-01-31T23:59:59.999999Z,
from midnight after,2026-02-01T00:00:00Z,
"""
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("wanted", "text", "as_of", "expected"),
    [
        (DAYS, VALID_DAYS, END, {"until the next", "open", "from that day"}),
        (DAYS, VALID_DAYS, NOON, {"until the next", "open", "from that day"}),
        (DAYS, VALID_DAYS, date(2026, 2, 1), {"open", "from that day", "from the next"}),
        (
            DAYS,
            VALID_DAYS,
            datetime(2026, 1, 31, 23, tzinfo=timezone(timedelta(hours=-2))),
            {"open", "from that day", "from the next"},
        ),
        (
            MOMENTS,
            VALID_MOMENTS,
            END,
            {"until midnight after", "open", "from noon", "from the last microsecond"},
        ),
        (
            MOMENTS,
            VALID_MOMENTS,
            NOON,
            {"until the last microsecond", "until midnight after", "open", "from noon"},
        ),
        (
            MOMENTS,
            VALID_MOMENTS,
            datetime(2026, 1, 31, 11, 59, 59, 999999, tzinfo=UTC),
            {"until noon", "until the last microsecond", "until midnight after", "open"},
        ),
    ],
)
def test_rows_are_seen_that_are_valid_as_of_a_day_or_an_instant(
    spark: SparkSession,
    tmp_path: Path,
    wanted: Dataset,
    text: str,
    as_of: date | datetime,
    expected: set[str],
) -> None:
    path = csv_file(tmp_path, text)
    found = rows_of(spark, wanted, place(path), run=context(as_of=as_of))
    assert {row["id"] for row in found} == expected


def test_the_first_pair_of_validity_counts(spark: SparkSession, tmp_path: Path) -> None:
    columns = ("_valid_from date", "_valid_to date", "valid_from date", "valid_to date")
    path = csv_file(
        tmp_path,
        "id,_valid_from,_valid_to,valid_from,valid_to\n"
        "seen,2026-01-01,,2030-01-01,\nnot seen,2030-01-01,,2026-01-01,\n",
    )
    wanted = dataset("id string", *columns, mode="bitemporal")
    assert ids(rows_of(spark, wanted, place(path))) == ["seen"]


# --- system columns and deleted rows


def test_stored_system_columns_come_along_in_their_types(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(
        tmp_path,
        "id,_row_id,_deleted,_created_at,_operation_seq,_labels\n"
        'a,r1,true,2026-01-05T10:00:00Z,20,"x"\nb,,,,,\n',
    )
    assert rows_of(spark, dataset("id string"), place(path)) == [
        {
            "id": "a",
            "_row_id": "r1",
            "_operation_seq": 20,
            "_created_at": datetime(2026, 1, 5, 10, tzinfo=UTC),
            "_deleted": True,
            "_labels": "x",
        },
        {"id": "b"}
        | dict.fromkeys(("_row_id", "_operation_seq", "_created_at", "_deleted", "_labels")),
    ]


def test_deleted_rows_are_kept_or_left_out(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id,_deleted\na,false\nb,true\nc,\n")
    wanted = dataset("id string")
    assert ids(rows_of(spark, wanted, place(path))) == ["a", "b", "c"]
    assert ids(rows_of(spark, wanted, place(path), keep_deleted=False)) == ["a", "c"]


def test_a_system_column_of_another_type_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    where = parquet(tmp_path / "gl.parquet", id=["a"], _deleted=[0])
    (diagnostic,) = refused(spark, dataset("id string"), where)
    assert diagnostic.code == "DATASET_011"
    assert "'_deleted' is declared as boolean" in diagnostic.message


def test_where_only_some_files_have_a_system_column_it_is_null_elsewhere(
    spark: SparkSession, tmp_path: Path
) -> None:
    one = parquet(tmp_path / "1.parquet", id=["a"], _labels=["x"])
    two = parquet(tmp_path / "2.parquet", id=["b"])
    found = rows_of(spark, dataset("id string"), one, two)
    assert sorted((row["id"], row["_labels"]) for row in found) == [("a", "x"), ("b", None)]


# --- several sources, identity, cost


def test_sources_are_united_by_name_each_converted_on_its_own(
    spark: SparkSession, tmp_path: Path
) -> None:
    places = [
        parquet(tmp_path / "1.parquet", id=["a"], n=pa.array([1], "int32")),
        parquet(
            tmp_path / "2.parquet", n=pa.array([Decimal("2.0")], pa.decimal128(9, 1)), id=["b"]
        ),
        place(csv_file(tmp_path, "n,id\n3,c\n")),
    ]
    found = rows_of(spark, dataset("id string", "n decimal(18,2)"), *places)
    assert sorted((row["id"], row["n"]) for row in found) == [
        ("a", Decimal("1.00")),
        ("b", Decimal("2.00")),
        ("c", Decimal("3.00")),
    ]


def test_many_sources_make_a_plan_that_spark_can_bear(spark: SparkSession, tmp_path: Path) -> None:
    places = [
        place(csv_file(tmp_path, f"id\n{i}\n", f"{i}.csv"), period="2026-01") for i in range(20)
    ]
    assert len(rows_of(spark, PERIODIC, *places)) == 20


def test_what_tells_rows_apart_comes_along(spark: SparkSession, tmp_path: Path) -> None:
    one = parquet(tmp_path / "1.parquet", id=["a", "b"])
    two = parquet(tmp_path / "2.parquet", id=["a"])
    loaded = load_all(spark, dataset("id string"), one, two)
    assert loaded.identity == ("__id_1", "__id_2")
    assert loaded.frame.columns == ["id", "__id_1", "__id_2"]
    assert sorted(tuple(row) for row in loaded.frame.collect()) == [
        ("a", "lake/1.parquet", 0),
        ("a", "lake/2.parquet", 0),
        ("b", "lake/1.parquet", 1),
    ]


def test_where_a_source_cannot_tell_rows_apart_none_does(
    spark: SparkSession, tmp_path: Path
) -> None:
    one = parquet(tmp_path / "1.parquet", id=["a"])
    two = place(csv_file(tmp_path, "id\nb\n"))
    loaded = load_all(spark, dataset("id string"), one, two)
    assert loaded.identity == ()
    assert loaded.frame.columns == ["id"]


def plan_of(loaded_frame: Any, capsys: pytest.CaptureFixture[str]) -> str:
    loaded_frame.explain()
    return capsys.readouterr().out


def test_a_table_that_cannot_be_at_fault_is_not_checked(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = parquet(tmp_path / "1.parquet", id=["a"], n=[1], _period=["2026-01"])
    wanted = dataset("id string", "n integer", mode="period")
    plan = plan_of(load_all(spark, wanted, where).frame, capsys)
    assert "raise_error" not in plan
    assert "EqualTo(_period,2026-01)" in plan or "In(_period" in plan


def test_a_check_is_no_pass_of_its_own_and_cannot_be_pruned_away(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = parquet(tmp_path / "1.parquet", id=["a", "b"], n=[1, None])
    loaded = load_all(spark, dataset("id string", "n integer!"), where)
    plan = plan_of(loaded.frame.select("id"), capsys)
    assert plan.count("Filter CASE WHEN (isnull(n") == 1
    assert plan.count("FileScan") == 1
