"""Reading tables of a database: types, one moment for all, and what the server is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.loading.load import load
from rowbook.sources.databases import key_ranges as partitions
from rowbook.sources.postgres.source import PostgresSource
from rowbook.sources.raw import Raw
from tests.sources.postgres_books import Books
from tests.sources.tables import context, dataset
from tests.support.refusal import refusal

pytestmark = [pytest.mark.spark, pytest.mark.postgres]


def values(raw: Raw, *columns: str) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in raw.frame.select(*columns).collect()), key=repr)


def statements(books: Books, part: str) -> list[str]:
    """What the server was asked for since it logs, as far as it names a table."""
    lines = books.server.log.read_text(encoding="utf-8").splitlines()
    return [line.partition(": ")[2] for line in lines if part in line and "execute" in line]


def logged(books: Books) -> Books:
    """As a role whose every statement is logged."""
    return books.as_role(
        "GRANT USAGE ON SCHEMA {schema} TO {role}",
        "GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}",
        "ALTER ROLE {role} SET log_statement = 'all'",
    )


TYPES = """
CREATE DOMAIN price AS numeric(18,2);
CREATE TABLE kinds (
    id int PRIMARY KEY, i2 smallint, i8 bigint, n numeric, n38 numeric(38,10), n50 numeric(50,2),
    p price, t text, v varchar(9), c char(4), u uuid, b boolean, d date, ts timestamp,
    tz timestamptz, f4 real, f8 double precision, j jsonb, raw bytea, list int[]
);
INSERT INTO kinds VALUES
    (1, -5, 9223372036854775807, 1.12345678901234567890123456,
     -1234567890123456789012345678.0123456789, 1, 2.5, 'ü', 'v', 'ab',
     'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', true, '2026-01-31', '2026-01-31 10:00',
     '2026-01-31 10:00:00.000001+02', 1.5, 'NaN', '{"a": 1}', '\\x01', '{1,2}'),
    (2, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
     null, null, null, null);
"""


def test_types_are_the_servers(spark: SparkSession, books: Books) -> None:
    books.execute(*filter(str.strip, TYPES.split(";")))
    raw = books.read(spark, "kinds")
    types = {f.name: f.dataType.simpleString() for f in raw.frame.schema.fields}
    assert types == {
        "id": "int",
        "i2": "smallint",
        "i8": "bigint",
        "n": "string",
        "n50": "string",
        "n38": "decimal(38,10)",
        "p": "decimal(18,2)",
        "t": "string",
        "v": "string",
        "c": "string",
        "u": "string",
        "b": "boolean",
        "d": "date",
        "ts": "timestamp_ntz",
        "tz": "timestamp",
        "f4": "float",
        "f8": "double",
        "j": "string",
        "raw": "binary",
        "list": "array<int>",
    }
    (row,) = raw.frame.filter("id = 1").select(*[n for n in types if n not in ("tz", "f8")])\
        .collect()  # fmt: skip
    assert tuple(row) == (
        *(1, -5, 9223372036854775807, "1.12345678901234567890123456"),
        *(Decimal("-1234567890123456789012345678.0123456789"), "1.00", Decimal("2.50")),
        *("ü", "v", "ab  ", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", True, date(2026, 1, 31)),
        *(datetime(2026, 1, 31, 10), 1.5, '{"a": 1}', bytearray(b"\x01"), [1, 2]),
    )
    instant = raw.frame.filter("id = 1").select(F.col("tz").cast("string")).collect()
    assert instant[0][0] == "2026-01-31 08:00:00.000001"
    (nothing,) = raw.frame.filter("id = 2").drop("id").collect()
    assert set(nothing) == {None}
    assert raw.never_null == {"id"}
    assert raw.columns == tuple(types)


def test_declared_types_are_reached_without_losing_a_digit(
    spark: SparkSession, books: Books
) -> None:
    books.execute(
        "CREATE TABLE gl (amount numeric, wide numeric(38,10), at timestamp, day date)",
        "INSERT INTO gl VALUES (12.5, 1234567890123456789012345678.0123456789,"
        " '2026-01-31 10:00', '2026-01-31')",
    )
    wanted = dataset("amount decimal(18,2)", "wide decimal(38,10)", "at timestamp", "day date")
    loaded = load(wanted, [books.read(spark, "gl")], context(), keep_deleted=True)
    assert collect(loaded.frame, wanted.fields) == [
        {
            "amount": Decimal("12.50"),
            "wide": Decimal("1234567890123456789012345678.0123456789"),
            "at": datetime(2026, 1, 31, 10, tzinfo=UTC),
            "day": date(2026, 1, 31),
        }
    ]


def test_a_number_with_more_digits_than_declared_is_a_fault(
    spark: SparkSession, books: Books
) -> None:
    books.execute(
        "CREATE TABLE gl (amount numeric)", "INSERT INTO gl VALUES (0.0000000000000000001)"
    )
    wanted = dataset("amount decimal(38,18)")
    loaded = load(wanted, [books.read(spark, "gl")], context(), keep_deleted=True)
    with pytest.raises(Exception, match="DATASET_011"):
        loaded.frame.count()


def test_all_tables_of_a_run_are_of_one_moment(spark: SparkSession, books: Books) -> None:
    books.execute(
        "CREATE TABLE debit (n int)",
        "CREATE TABLE credit (n int)",
        "INSERT INTO debit VALUES (1), (2)",
        "INSERT INTO credit VALUES (1), (2)",
    )
    debit = books.read(spark, "debit")
    books.execute("DELETE FROM debit", "INSERT INTO credit VALUES (3)", "UPDATE credit SET n = 0")
    credit = books.read(spark, "credit")
    assert values(debit, "n") == [(1,), (2,)]
    books.execute("DELETE FROM credit")
    assert values(credit, "n") == [(1,), (2,)]
    with ExitStack() as another:
        (now,) = PostgresSource().read(spark, [books.place("credit")], another)
        assert values(now, "n") == []


def test_nobody_truncates_or_alters_what_is_being_read(spark: SparkSession, books: Books) -> None:
    books.execute("CREATE TABLE gl (n int)", "INSERT INTO gl VALUES (1)")
    raw = books.read(spark, "gl")
    for statement in ("TRUNCATE gl", "ALTER TABLE gl DROP COLUMN n", "DROP TABLE gl"):
        with pytest.raises(Exception, match="lock timeout"):
            books.execute("SET lock_timeout = '100ms'", statement)
    assert values(raw, "n") == [(1,)]


def test_a_table_that_was_truncated_after_the_moment_is_refused(
    spark: SparkSession, books: Books
) -> None:
    books.execute("CREATE TABLE a (n int)", "CREATE TABLE b (n int)", "INSERT INTO b VALUES (1)")
    books.read(spark, "a")
    books.execute("TRUNCATE b")
    found = refusal(lambda: books.read(spark, "b"))
    assert found.code == "DATASOURCE_010"
    assert "the table was rewritten after the run had begun to read" in found.message


def test_the_moment_ends_with_what_is_held(spark: SparkSession, books: Books) -> None:
    books.execute("CREATE TABLE gl (n int)")
    books.read(spark, "gl")
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
    assert books.rows(waiting) == [(1,)]
    books.held.close()
    books.execute("DROP TABLE gl")


def test_periods_and_columns_are_chosen_by_the_server(spark: SparkSession, books: Books) -> None:
    books.execute(
        "CREATE TABLE gl (id int, amount numeric(18,2) NOT NULL, note text, _period text)",
        "INSERT INTO gl VALUES (1, 1, 'a', '2026-01'), (2, 2, 'b', '2025-12'), (3, 3, 'c', NULL)",
    )
    clerk = logged(books)
    wanted = dataset("amount decimal(18,2)!", mode="period")
    raw = clerk.read(spark, "gl", _period=["2026-01", "it's"])
    loaded = load(wanted, [raw], context(), keep_deleted=True)
    assert collect(loaded.frame, wanted.fields) == [{"amount": Decimal("1.00")}]
    (asked,) = {line for line in statements(books, "FROM") if '"amount"' in line}
    assert "\"_period\" IN ('2026-01', 'it''s')" in asked
    assert '"note"' not in asked
    assert '"id"' not in asked


_ROWS = (
    ("integer", "n - 500"),
    ("numeric(12,3)", "n / 7.0"),
    ("double precision", "n / 7.0"),
    ("date", "date '2026-01-01' + n"),
    ("timestamp", "timestamp '1950-01-01' + n * interval '1 hour'"),
    ("timestamptz", "timestamptz '1950-01-01 00:00+02' + n * interval '1 hour'"),
)


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("kind", "of_row", "option"),
    [
        *((*rows, {"partition_column": "by"}) for rows in _ROWS),
        (*_ROWS[0], {}),
        *(pytest.param(*rows, {}, marks=pytest.mark.campaign) for rows in _ROWS[1:]),
    ],
)
def test_a_large_table_is_read_by_several_connections(
    spark: SparkSession,
    books: Books,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    of_row: str,
    option: dict[str, str],
) -> None:
    monkeypatch.setattr(partitions, "_BYTES", 8_192)
    key = "" if option else "PRIMARY KEY"
    books.execute(
        f"CREATE TABLE gl (n int, by {kind} {key})",
        f"INSERT INTO gl SELECT n, {of_row} FROM generate_series(1, 1000) n",
    )
    if option:
        books.execute("INSERT INTO gl VALUES (0, NULL)")
    raw = books.with_options(**option).read(spark, "gl")
    assert raw.frame.select(F.spark_partition_id()).distinct().count() > 3
    expected = range(0 if option else 1, 1001)
    assert sorted(row[0] for row in raw.frame.select("n").collect()) == list(expected)


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("double precision", "(1), ('NaN'), (3)"),
        ("date", "('-infinity'), ('2026-01-01'), ('infinity')"),
        ("date", "('0044-03-15 BC'), ('2026-01-01'), ('2026-02-01')"),
        ("numeric", "(0), ('NaN'), (1e40)"),
        ("integer", "(7), (7), (7)"),
        ("integer", "(NULL), (NULL), (NULL)"),
    ],
)
def test_values_without_end_are_read_by_one_connection(
    spark: SparkSession, books: Books, monkeypatch: pytest.MonkeyPatch, kind: str, rows: str
) -> None:
    monkeypatch.setattr(partitions, "_BYTES", 512)
    books.execute(f"CREATE TABLE gl (by {kind})", f"INSERT INTO gl VALUES {rows}")
    raw = books.with_options(partition_column="by").read(spark, "gl")
    assert raw.frame.count() == 3


def test_a_partition_column_of_text_is_refused(spark: SparkSession, books: Books) -> None:
    books.execute("CREATE TABLE gl (by text)")
    found = refusal(lambda: books.with_options(partition_column="by").read(spark, "gl"))
    assert found.code == "DATASOURCE_002"
    assert found.message == "erp:gl: partition_column names 'by', which is text"


def test_a_table_that_lacks_the_partition_column_is_read_all_the_same(
    spark: SparkSession, books: Books
) -> None:
    books.execute("CREATE TABLE gl (n int)", "INSERT INTO gl VALUES (1)")
    assert values(books.with_options(partition_column="by").read(spark, "gl"), "n") == [(1,)]


def test_parts_of_a_table_are_of_one_moment(
    spark: SparkSession, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "_BYTES", 8_192)
    books.execute(
        "CREATE TABLE gl (id int PRIMARY KEY, half int)",
        "INSERT INTO gl SELECT n, 0 FROM generate_series(1, 1000) n",
    )
    raw = books.read(spark, "gl")
    first = raw.frame.filter("id <= 500")
    assert first.select(F.sum("half"), F.count("*")).collect()[0] == (0, 500)
    books.execute("UPDATE gl SET half = 1", "DELETE FROM gl WHERE id % 2 = 0")
    second = raw.frame.filter("id > 500")
    assert second.select(F.sum("half"), F.count("*")).collect()[0] == (0, 500)


def test_views_and_partitioned_tables_are_read_like_tables(
    spark: SparkSession, books: Books
) -> None:
    books.execute(
        "CREATE TABLE gl (n int, _period text) PARTITION BY LIST (_period)",
        "CREATE TABLE gl_1 PARTITION OF gl FOR VALUES IN ('2026-01')",
        "CREATE TABLE gl_2 PARTITION OF gl FOR VALUES IN ('2026-02')",
        "INSERT INTO gl VALUES (1, '2026-01'), (2, '2026-02')",
        "CREATE VIEW doubled AS SELECT 2 * n AS n FROM gl",
        "CREATE MATERIALIZED VIEW kept AS SELECT n FROM gl",
    )
    assert values(books.read(spark, "gl", _period=["2026-02"]), "n") == [(2,)]
    assert values(books.read(spark, "doubled"), "n") == [(2,), (4,)]
    assert values(books.read(spark, "kept"), "n") == [(1,), (2,)]
    sources = PostgresSource()
    assert sources.contents(books.place("gl"))[0].size > 0
    for table in ("gl", "doubled", "kept"):
        before = sources.contents(books.place(table))
        assert sources.contents(books.place(table)) == before
    books.execute("INSERT INTO gl VALUES (3, '2026-01')")
    assert sources.contents(books.place("doubled")) != before


@pytest.mark.parametrize("count", [1, 3])
def test_a_period_of_the_place_goes_with_its_rows(
    spark: SparkSession, books: Books, count: int
) -> None:
    for number in range(count):
        books.execute(f"CREATE TABLE gl_{number} (n int)", f"INSERT INTO gl_{number} VALUES (1)")
    places = [replace(books.place(f"gl_{n}"), period=f"2026-0{n + 1}") for n in range(count)]
    raws = PostgresSource().read(spark, places, books.held)
    assert [raw.period for raw in raws] == [f"2026-0{n + 1}" for n in range(count)]
    assert [raw.origin for raw in raws] == [f"erp:gl_{n}" for n in range(count)]


NAMES: Sequence[str] = (
    'gl"; DROP TABLE precious; --',
    "gl' OR '1'='1",
    "(SELECT 1) x",
    "Gl Entries",
    "gl?x",
    "%s",
    "{gl}",
    "gl\\",
    "ß😀",
    "select",
    "x" * 63,
)


@pytest.mark.some(4)
@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_of_tables_are_names(spark: SparkSession, books: Books, name: str) -> None:
    books.execute("CREATE TABLE precious (n int)")
    books.put(spark.range(2), name)
    assert values(books.read(spark, name), "id") == [(0,), (1,)]
    assert PostgresSource().columns(books.place(name)) == ("id",)
    assert len(PostgresSource().contents(books.place(name))) == 1
    assert books.tables() == sorted(["_rowbook_outputs", "precious", name])


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "is empty"),
        ("a.b.c", "has more parts than a schema and a name"),
        (".gl", "has a part that is empty"),
        ("finance.", "has a part that is empty"),
        ("gl\0", "holds a character that cannot be shown"),
        ("gl\n", "holds a character that cannot be shown"),
        ("gl\u202e", "holds a character that cannot be shown"),
        ("\ud800", "holds a character that cannot be shown"),
        ("x" * 64, "is longer than 63 bytes"),
        ("ü" * 32, "is longer than 63 bytes"),
        ("_rowbook_outputs", "begins with _rowbook_, as Rowbook's own tables do"),
    ],
)
def test_what_cannot_be_a_name_is_refused(
    spark: SparkSession, books: Books, name: str, fault: str
) -> None:
    for code, act in (
        ("DATASOURCE_006", lambda: PostgresSource().columns(books.place(name))),
        ("DATASOURCE_006", lambda: PostgresSource().contents(books.place(name))),
        ("DATASOURCE_006", lambda: books.read(spark, name)),
        ("OUTPUT_006", lambda: books.put(spark.range(1), name)),
    ):
        found = refusal(act)
        assert found.code == code
        assert found.message.endswith(f"the name of the table {fault}")
