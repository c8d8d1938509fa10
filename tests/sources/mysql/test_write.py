"""What Spark computes is staged as it is, or refused, and is then the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from rowbook.errors import RowbookError
from rowbook.sources.databases import load_stage
from rowbook.sources.mysql.source import MysqlSource
from tests.sources.tables import RUN
from tests.support.local_frame import local_frame
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.sources.mysql_books import MysqlBooks

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("double('NaN')", "column 'v' holds NaN or infinity, which double cannot hold"),
        (
            "date'+10000-01-01'",
            "column 'v' holds a year that is not between 1 and 9999, which date cannot hold",
        ),
        ("array(1)", "column 'v' is array<int>"),
    ],
)
def test_a_value_that_no_column_holds_is_refused(
    spark: SparkSession, mysql_books: MysqlBooks, value: str, said: str
) -> None:
    frame = spark.sql(f"SELECT {value} AS v")
    found = refusal(lambda: mysql_books.put(frame, "closed"), "OUTPUT_006")
    assert found.message == f"erp:closed cannot be written: {said}"
    assert mysql_books.tables() in ([], ["_rowbook_outputs"])


def test_texts_are_kept_to_the_letter(spark: SparkSession, mysql_books: MysqlBooks) -> None:
    texts = ["it's", 'a "b"', "back\\slash", "😀 漢字", "a\0b", "trailing ", "%s", ""]
    mysql_books.put(local_frame(spark, [(text,) for text in texts], "v string"), "closed")
    assert sorted(v for (v,) in mysql_books.rows("SELECT v FROM closed")) == sorted(texts)


def test_a_task_that_spark_repeats_brings_its_rows_once(
    spark: SparkSession, mysql_books: MysqlBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    load: Callable[..., None] = load_stage.load_stage

    def twice(*given: Any) -> None:
        load(*given)
        load(*given)

    monkeypatch.setattr("rowbook.sources.mysql.write.load_stage", twice)
    with pytest.raises(RowbookError) as refused:
        mysql_books.put(spark.range(1), "closed")
    assert "Duplicate entry … for key 'PRIMARY'" in refused.value.diagnostics[0].message
    assert mysql_books.tables() == ["_rowbook_outputs"]


def test_a_writer_that_was_stopped_publishes_nothing_after_it_was_settled(
    spark: SparkSession, mysql_books: MysqlBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    load: Callable[..., None] = load_stage.load_stage

    def stopped(*given: Any) -> None:
        load(*given)
        assert not MysqlSource().settle(mysql_books.target("closed"), RUN, 1).published

    monkeypatch.setattr("rowbook.sources.mysql.write.load_stage", stopped)
    found = refusal(lambda: mysql_books.put(spark.range(2), "closed"), "OUTPUT_006")
    assert "its staged rows were taken away" in found.message
    assert mysql_books.tables() == ["_rowbook_outputs"]


def test_a_value_larger_than_a_packet_is_refused_and_nothing_is_left(
    spark: SparkSession, mysql_books: MysqlBooks
) -> None:
    frame = spark.sql("SELECT repeat('x', 20000000) AS v")
    found = refusal(lambda: mysql_books.put(frame, "closed"), "OUTPUT_006")
    assert "max_allowed_packet" in found.message
    assert mysql_books.tables() == ["_rowbook_outputs"]


def test_an_existing_table_is_checked_before_anything_is_computed(
    spark: SparkSession, mysql_books: MysqlBooks
) -> None:
    mysql_books.execute("CREATE TABLE closed (id varchar(5))")
    failing = spark.sql("SELECT bigint(raise_error('computed')) AS id")
    found = refusal(lambda: mysql_books.put(failing, "closed"), "OUTPUT_006")
    assert "column 'id' is varchar(5) there, which cannot hold bigint" in found.message
