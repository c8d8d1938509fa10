"""Writing tables of a database: what is replaced, what stays, and that it is all or nothing."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.sources.databases import load_stage
from rowbook.sources.postgres.source import PostgresSource
from rowbook.sources.source import Mode, WriteRequest, WriteResult
from tests.sources.postgres_books import Books
from tests.sources.tables import RUN
from tests.support.local_frame import local_frame

pytestmark = [pytest.mark.spark, pytest.mark.postgres]

JANUARY, FEBRUARY = ("2026-01", "2026-01-01"), ("2026-02",)


def rows(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string, _period string")


def lines(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string")


def refusal(error: pytest.ExceptionInfo[RowbookError]) -> str:
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "OUTPUT_006"
    return diagnostic.message


def test_every_type_is_kept_exactly(spark: SparkSession, books: Books) -> None:
    frame = local_frame(
        spark,
        [
            (
                *("ü 'x' \\ \"y\" \t\n😀", 9_223_372_036_854_775_807),
                Decimal("-1234567890123456789012345678.0123456789"),
                *(Decimal("0.01"), 0.1, True, date(2026, 1, 31)),
            ),
            ("", -5, Decimal("0E-10"), Decimal("-99.99"), float("-inf"), False, date(1, 1, 1)),
            *[(None,) * 7],
        ],
        "s string, i long, d decimal(38,10), c decimal(4,2), f double, b boolean, day date",
    ).withColumn(
        "at",
        F.when(F.col("b"), F.lit("9999-12-31T23:59:59.999999Z"))
        .when(~F.col("b"), F.lit("0001-01-01T00:00:00.000001Z"))
        .cast("timestamp"),
    )
    written = books.put(frame, "kinds")
    assert (written.rows, written.files) == (3, 0)
    assert written.bytes > 0
    assert set(books.rows("SELECT * FROM kinds")) == {
        (
            *("ü 'x' \\ \"y\" \t\n😀", 9_223_372_036_854_775_807),
            Decimal("-1234567890123456789012345678.0123456789"),
            *(Decimal("0.01"), 0.1, True, date(2026, 1, 31)),
            datetime(9999, 12, 31, 23, 59, 59, 999999, UTC),
        ),
        (
            *("", -5, Decimal("0E-10"), Decimal("-99.99"), float("-inf"), False, date(1, 1, 1)),
            datetime(1, 1, 1, 0, 0, 0, 1, UTC),
        ),
        (None,) * 8,
    }
    types = books.rows(
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
        " WHERE attrelid = 'kinds'::regclass AND attnum > 0 ORDER BY attnum"
    )
    assert types == [
        ("s", "text"),
        ("i", "bigint"),
        ("d", "numeric(38,10)"),
        ("c", "numeric(4,2)"),
        ("f", "double precision"),
        ("b", "boolean"),
        ("day", "date"),
        ("at", "timestamp with time zone"),
    ]
    back = {tuple(row) for row in books.read(spark, "kinds").frame.drop("at").collect()}
    assert back == {tuple(row) for row in frame.drop("at").collect()}
    stamps = books.read(spark, "kinds").frame.select(F.col("at").cast("string"))
    assert sorted(str(row[0]) for row in stamps.collect()) == [
        "0001-01-01 00:00:00.000001",
        "9999-12-31 23:59:59.999999",
        "None",
    ]


def test_a_number_that_is_none_is_kept(spark: SparkSession, books: Books) -> None:
    books.put(local_frame(spark, [(float("nan"),)], "f double"), "kinds")
    assert books.rows("SELECT f::text FROM kinds") == [("NaN",)]


def test_a_column_of_nothing_is_text(spark: SparkSession, books: Books) -> None:
    books.put(spark.range(2).select("id", F.lit(None).alias("nothing")), "kinds")
    assert books.rows("SELECT id, nothing FROM kinds ORDER BY 1") == [(0, None), (1, None)]


def test_a_table_without_rows_keeps_its_columns(spark: SparkSession, books: Books) -> None:
    assert books.put(lines(spark), "closed").rows == 0
    assert books.rows("SELECT id, note FROM closed") == []
    assert books.tables() == ["_rowbook_outputs", "closed"]


def test_replacing_twice_gives_the_same(spark: SparkSession, books: Books) -> None:
    books.put(lines(spark, ("J1", "old"), ("J2", "old")), "closed")
    for _ in range(2):
        assert books.put(lines(spark, ("J3", "new")), "closed").rows == 1
        assert books.rows("SELECT id, note FROM closed") == [("J3", "new")]
    assert books.tables() == ["_rowbook_outputs", "closed"]


def test_replacing_all_keeps_the_table_with_all_that_depends_on_it(
    spark: SparkSession, books: Books
) -> None:
    books.put(lines(spark, ("J1", "old")), "closed")
    books.execute(
        "CREATE INDEX by_id ON closed (id)",
        "CREATE VIEW seen AS SELECT id FROM closed",
        "GRANT SELECT ON closed TO public",
    )
    (before,) = books.rows("SELECT 'closed'::regclass::oid, relacl::text FROM pg_class"
                           " WHERE oid = 'closed'::regclass")  # fmt: skip
    books.put(lines(spark, ("J2", "new")), "closed")
    (after,) = books.rows("SELECT 'closed'::regclass::oid, relacl::text FROM pg_class"
                          " WHERE oid = 'closed'::regclass")  # fmt: skip
    assert before == after
    assert books.rows("SELECT * FROM seen") == [("J2",)]


def test_replacing_a_period_leaves_the_others_alone(spark: SparkSession, books: Books) -> None:
    books.put(
        rows(spark, ("J1", "old", "2026-01"), ("J2", "old", "2026-01-01")),
        "closed",
        periods=JANUARY,
    )
    books.put(rows(spark, ("F1", "old", "2026-02")), "closed", periods=FEBRUARY, seq=2)
    (before,) = books.rows("SELECT ctid::text, xmin::text FROM closed WHERE id = 'F1'")
    for _ in range(2):
        books.put(rows(spark, ("J3", "new", "2026-01")), "closed", periods=JANUARY)
        assert books.rows("SELECT * FROM closed ORDER BY id") == [
            ("F1", "old", "2026-02"),
            ("J3", "new", "2026-01"),
        ]
    assert books.rows("SELECT ctid::text, xmin::text FROM closed WHERE id = 'F1'") == [before]


def test_a_period_without_rows_is_emptied(spark: SparkSession, books: Books) -> None:
    books.put(rows(spark, ("J1", "a", "2026-01")), "closed", periods=JANUARY)
    assert books.put(rows(spark), "closed", periods=JANUARY).rows == 0
    assert books.rows("SELECT * FROM closed") == []


def test_append_adds_to_what_is_there(spark: SparkSession, books: Books) -> None:
    books.put(lines(spark, ("J1", "a")), "closed", "append")
    assert books.put(lines(spark, ("J2", "b")), "closed", "append", seq=2).rows == 1
    assert books.rows("SELECT * FROM closed ORDER BY id") == [("J1", "a"), ("J2", "b")]


def test_error_if_exists_writes_once(spark: SparkSession, books: Books) -> None:
    books.put(lines(spark, ("J1", "a")), "closed", "error_if_exists")
    with pytest.raises(RowbookError) as refused:
        books.put(lines(spark, ("J2", "b")), "closed", "error_if_exists")
    assert refusal(refused) == "erp:closed exists already"
    assert books.rows("SELECT id FROM closed") == [("J1",)]


def test_error_if_exists_also_if_it_was_made_meanwhile(spark: SparkSession, books: Books) -> None:
    load = load_stage.load_stage

    def slowly(*given: Any) -> None:
        load(*given)
        books.execute("CREATE TABLE closed (mine text)")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rowbook.sources.postgres.write.load_stage", slowly)
        with pytest.raises(RowbookError) as refused:
            books.put(lines(spark, ("J2", "b")), "closed", "error_if_exists")
    assert refusal(refused) == "erp:closed exists already"
    assert books.tables() == ["_rowbook_outputs", "closed"]
    assert books.rows("SELECT * FROM closed") == []


def test_a_table_in_another_schema_is_named_with_it(spark: SparkSession, books: Books) -> None:
    other = f"{books.schema}_other"
    books.execute(f"CREATE SCHEMA {other}")
    books.with_options(staging_schema=books.schema).put(
        lines(spark, ("J1", "a")), f"{other}.closed"
    )
    assert books.rows(f"SELECT id FROM {other}.closed") == [("J1",)]
    assert books.tables() == ["_rowbook_outputs"]


def test_a_table_may_be_replaced_by_what_is_read_from_it(spark: SparkSession, books: Books) -> None:
    books.put(lines(spark, ("J1", "a"), ("J2", "b")), "closed")
    stored = books.read(spark, "closed").frame
    books.put(stored.withColumn("note", F.concat("note", F.lit("!"))), "closed")
    assert books.rows("SELECT * FROM closed ORDER BY id") == [("J1", "a!"), ("J2", "b!")]


def test_columns_are_matched_by_name_and_others_get_their_default(
    spark: SparkSession, books: Books
) -> None:
    books.execute(
        "CREATE DOMAIN money_amount AS numeric(20,4)",
        "CREATE TABLE closed (key bigserial PRIMARY KEY, note varchar(10), amount money_amount,"
        " small smallint, at timestamp, made date DEFAULT '2026-01-31', free text)",
    )
    frame = local_frame(
        spark,
        [(7, Decimal("1.25"), "a", datetime(2026, 1, 31, 10, tzinfo=UTC))],
        "small long, amount decimal(18,2), note string, at timestamp",
    )
    books.put(frame, "closed")
    assert books.rows("SELECT * FROM closed") == [
        (1, "a", Decimal("1.2500"), 7, datetime(2026, 1, 31, 10), date(2026, 1, 31), None)
    ]


def test_hostile_column_names_are_names(spark: SparkSession, books: Books) -> None:
    names = ['a"b', "c'd", "e;f--", "g`h", "i.j", "k?l", "M N", "%s", "{x}", "ß😀", "select"]
    frame = spark.createDataFrame([tuple(range(len(names)))], names)
    books.put(frame, "odd")
    books.put(frame, "odd")
    raw = books.read(spark, "odd")
    assert raw.columns == tuple(names)
    assert [tuple(row) for row in raw.frame.collect()] == [tuple(range(len(names)))]


@pytest.mark.parametrize("mode", ["replace", "append"])
def test_a_failure_while_rows_are_computed_leaves_everything_as_it_was(
    spark: SparkSession, books: Books, mode: Mode
) -> None:
    books.put(lines(spark, ("J1", "a")), "closed")
    bad = lines(spark, ("J2", "b"), ("J3", "c")).repartition(2)
    failing = bad.withColumn("note", F.when(F.col("id") == "J3", F.raise_error(F.lit("broken"))))
    with pytest.raises(PySparkException, match="broken"):
        books.put(failing, "closed", mode)
    assert books.rows("SELECT * FROM closed") == [("J1", "a")]
    assert books.tables() == ["_rowbook_outputs", "closed"]


def test_what_the_announcement_raises_keeps_it_from_being_published(
    spark: SparkSession, books: Books
) -> None:
    books.put(lines(spark, ("J1", "a")), "closed")
    told: list[WriteResult] = []

    def refuse(written: WriteResult) -> None:
        told.append(written)
        raise KeyboardInterrupt

    order = WriteRequest("replace", None, RUN, 2, refuse)
    with pytest.raises(KeyboardInterrupt):
        PostgresSource().write(lines(spark, ("J2", "b")), books.target("closed"), order)
    assert [(written.rows, written.files) for written in told] == [(1, 0)]
    assert books.rows("SELECT * FROM closed") == [("J1", "a")]
    assert books.tables() == ["_rowbook_outputs", "closed"]
    assert books.rows("SELECT run_id, seq FROM _rowbook_outputs") == [(RUN, 1)]


def test_a_task_that_spark_repeats_brings_its_rows_once(spark: SparkSession, books: Books) -> None:
    load = load_stage.load_stage

    def twice(*given: Any) -> None:
        load(*given)
        load(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rowbook.sources.postgres.write.load_stage", twice)
        with pytest.raises(RowbookError) as refused:
            books.put(lines(spark, ("J1", "a")), "closed")
    assert "duplicate key value violates unique constraint" in refusal(refused)
    assert books.tables() == ["_rowbook_outputs"]


def test_writers_at_the_same_time_wait_for_each_other(spark: SparkSession, books: Books) -> None:
    failed: list[BaseException] = []

    def write(number: int) -> None:
        try:
            for _ in range(3):
                frame = spark.range(100).select(F.lit(number).alias("writer"), "id")
                books.put(frame, "closed", run_id=f"{RUN}-{number}")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    ((writers, count),) = books.rows("SELECT count(DISTINCT writer), count(*) FROM closed")
    assert (writers, count) == (1, 100)
    assert books.tables() == ["_rowbook_outputs", "closed"]
