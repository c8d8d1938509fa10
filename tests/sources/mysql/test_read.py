"""Tables of a MariaDB server as Spark reads them: every value as it is, or refused."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException

from rowbook.sources.databases import key_ranges as partitions
from rowbook.sources.mysql.mysql_connection import SQL_MODE, spark_options
from rowbook.spark.markers import found_in
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.sources.mysql_books import MysqlBooks

pytestmark = pytest.mark.spark


def rows(spark: SparkSession, books: MysqlBooks, table: str, **only: Any) -> list[Any]:
    return [tuple(row) for row in books.read(spark, table, **only).frame.collect()]


def test_values_of_every_type_come_as_they_are(
    spark: SparkSession, mysql_books: MysqlBooks
) -> None:
    mysql_books.execute(
        "CREATE TABLE t (a bigint unsigned, b tinyint(1), c float, d double, e decimal(38, 10),"
        " f decimal(65, 5), g date, h datetime(6), i timestamp(6) NULL,"
        " j varchar(9) CHARACTER SET latin1, k bit(1), l bit(9), m year, n time, o varbinary(4),"
        " p char(5), q enum('x', 'y'), r tinyint, s datetime, t int unsigned)",
        "SET time_zone = '+00:00'",
        "INSERT INTO t VALUES (18446744073709551615, 1, 16777217, 5e-324,"
        " 9999999999999999999999999999.9999999999, 12345678901234567890123456789012345678901.5,"
        " '0001-01-01', '1582-10-10 12:00:00.000001', '2026-03-29 02:30:00.123456', 'Ö', 0, 257,"
        " 2026, '-12:00:00', x'00ff', 'ab', 'y', 5, '9999-12-31 23:59:59', 4294967295)",
        f"INSERT INTO t VALUES ({', '.join(['NULL'] * 20)})",
    )
    first, second = rows(spark, mysql_books, "t")
    assert first == (
        *(Decimal(18446744073709551615), True, 16777216.0, 5e-324),
        Decimal("9999999999999999999999999999.9999999999"),
        "12345678901234567890123456789012345678901.50000",
        date(1, 1, 1),
        datetime(1582, 10, 10, 12, 0, 0, 1),
        datetime(2026, 3, 29, 2, 30, 0, 123456, tzinfo=UTC).astimezone().replace(tzinfo=None),
        *("Ö", False, Decimal(257), 2026, "-12:00:00", bytearray(b"\x00\xff"), "ab", "y", 5),
        *(datetime(9999, 12, 31, 23, 59, 59), 4294967295),
    )
    assert second == (None,) * 20


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("date", "'0000-00-00'", "0000-00-00, which is no day"),
        ("datetime", "'2026-00-10'", "2026-00-10 00:00:00, which is no moment"),
        ("timestamp NULL", "'0000-00-00'", "0, which is no moment"),
        ("tinyint(1)", "5", "5, which is neither 0 nor 1"),
    ],
)
def test_a_value_that_is_none_of_its_type_is_refused(
    spark: SparkSession, mysql_books: MysqlBooks, kind: str, value: str, said: str
) -> None:
    mysql_books.execute(f"CREATE TABLE t (v {kind})", f"INSERT INTO t VALUES ({value})")
    with pytest.raises(PySparkException) as failed:
        rows(spark, mysql_books, "t")
    assert found_in(str(failed.value)) == (
        "DATASOURCE_007",
        f"erp:t cannot be read: column 'v' holds {said}",
    )


def test_sessions_of_spark_are_strict_and_in_utc(
    spark: SparkSession, mysql_books: MysqlBooks
) -> None:
    query = "(SELECT @@sql_mode AS m, @@time_zone AS z) r"
    options = {**spark_options(mysql_books.database), "dbtable": query}
    (found,) = spark.read.format("jdbc").options(**options).load().collect()
    assert set(SQL_MODE.split(",")) <= set(found[0].split(","))
    assert found[1] == "+00:00"


def test_spark_compares_texts_and_not_the_server(
    spark: SparkSession, mysql_books: MysqlBooks
) -> None:
    """Whose collation takes others for the same."""
    mysql_books.execute(
        "CREATE TABLE t (v varchar(9) COLLATE utf8mb4_general_ci)",
        "INSERT INTO t VALUES ('abc'), ('ABC'), ('abc ')",
    )
    found = mysql_books.read(spark, "t").frame.where("v = 'abc'").collect()
    assert [row.v for row in found] == ["abc"]


def test_names_are_taken_to_the_letter(spark: SparkSession, mysql_books: MysqlBooks) -> None:
    mysql_books.execute(
        "CREATE TABLE `a``b %s; --` (`c``d, %s` int, `select` text, `Ä` int)",
        r"INSERT INTO `a``b %s; --` VALUES (1, 'it''s \\ a \n \0', 2)",
    )
    frame = mysql_books.read(spark, "a`b %s; --").frame
    assert frame.columns == ["c`d, %s", "select", "Ä"]
    assert [tuple(row) for row in frame.collect()] == [(1, "it's \\ a \n \0", 2)]


@pytest.mark.parametrize(
    ("key", "first"),
    [("bigint", "n"), ("date", "DATE '2026-01-01' + INTERVAL n DAY"), ("bigint unsigned", "n")],
)
def test_a_large_table_is_read_in_parts_with_each_row_once(
    spark: SparkSession,
    mysql_books: MysqlBooks,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    first: str,
) -> None:
    mysql_books.execute(
        f"CREATE TABLE t (k {key} PRIMARY KEY, n int)",
        f"INSERT INTO t SELECT {first}, n FROM (SELECT seq AS n FROM seq_1_to_500) s",
        "ANALYZE TABLE t",
    )
    monkeypatch.setattr(partitions, "_BYTES", 4_096)
    raw = mysql_books.read(spark, "t")
    assert raw.frame.rdd.getNumPartitions() > 1
    assert sorted(row.n for row in raw.frame.collect()) == list(range(1, 501))
    assert raw.never_null == {"k"}


def test_a_table_is_divided_by_a_column_that_is_named(
    spark: SparkSession, mysql_books: MysqlBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    mysql_books.execute(
        "CREATE TABLE t (v varchar(9), d datetime)",
        "INSERT INTO t SELECT seq, IF(seq = 7, NULL, '2026-01-01' + INTERVAL seq HOUR)"
        " FROM seq_1_to_300",
        "ANALYZE TABLE t",
    )
    monkeypatch.setattr(partitions, "_BYTES", 4_096)
    raw = mysql_books.with_options(partition_column="d").read(spark, "t")
    assert raw.frame.rdd.getNumPartitions() > 1
    assert sorted(int(row.v) for row in raw.frame.collect()) == list(range(1, 301))
    found = refusal(lambda: mysql_books.with_options(partition_column="v").read(spark, "t"))
    assert (found.code, found.hint) == ("DATASOURCE_002", "name a number, date or timestamp")
