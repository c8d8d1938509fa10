"""What identifies the content of a table in a database, found without Spark."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from rowbook.sources.contents import Content, Keeping
from rowbook.sources.postgres.source import PostgresSource
from tests.sources.postgres_books import Books
from tests.sources.tables import RUN

pytestmark = pytest.mark.postgres

CHANGES = [
    "INSERT INTO gl VALUES (2)",
    "UPDATE gl SET id = 3",
    "DELETE FROM gl",
    "TRUNCATE gl",
    "ALTER TABLE gl ALTER COLUMN id TYPE numeric",
]


def content(books: Books, table: str = "gl") -> Content:
    (found,) = PostgresSource().contents(books.place(table))
    return found


def changed(books: Books, before: Content) -> bool:
    """Whether it is seen that the content is another one; the server may take a moment."""
    for _ in range(50):
        if content(books) != before:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_of_a_table_is_seen(books: Books, change: str) -> None:
    books.execute("CREATE TABLE gl (id bigint)", "INSERT INTO gl VALUES (1)")
    before = content(books)
    assert before.name == "erp:gl"
    assert before.size > 0
    assert content(books) == before
    books.execute(change)
    assert changed(books, before)


@pytest.mark.spark
def test_the_content_is_known_as_soon_as_it_is_published(spark: SparkSession, books: Books) -> None:
    books.put(spark.range(2), "gl")
    published = content(books)
    assert f"{RUN}.1" in str(published.version)
    time.sleep(1.5)
    assert content(books) == published
    books.put(spark.range(2), "gl", run_id="another")
    assert content(books) != published


def test_columns_are_in_their_order(books: Books) -> None:
    books.execute(
        'CREATE TABLE gl (z int, gone int, a int, "M n" text)', "ALTER TABLE gl DROP COLUMN gone"
    )
    assert PostgresSource().columns(books.place("gl")) == ("z", "a", "M n")


def test_a_role_that_may_not_see_outputs_may_still_ask(spark: SparkSession, books: Books) -> None:
    books.put(spark.range(1), "gl")
    clerk = books.as_role(
        "GRANT USAGE ON SCHEMA {schema} TO {role}", "GRANT SELECT ON {schema}.gl TO {role}"
    )
    assert RUN not in str(content(clerk).version)


def test_asking_imports_no_spark() -> None:
    script = "import sys, rowbook.sources.postgres.source; print('pyspark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.spark
def test_rows_that_change_after_pinning_are_read_as_they_were(
    spark: SparkSession, books: Books
) -> None:
    books.execute("CREATE TABLE gl (id bigint)", "INSERT INTO gl VALUES (1)")
    source = PostgresSource()
    pinned = source.pin(books.place("gl"), None, Keeping(books.held))
    before = source.fingerprint(pinned)
    books.execute("UPDATE gl SET id = 2")
    (raw,) = source.read(spark, [pinned], books.held)
    assert [row[0] for row in raw.frame.collect()] == [1]
    assert source.fingerprint(pinned) == before


@pytest.mark.parametrize("change", CHANGES[:4])
def test_the_digest_of_rows_tells_every_change_at_once(books: Books, change: str) -> None:
    """The server's own counts of changes come late."""
    books.execute("CREATE TABLE gl (id bigint)", "INSERT INTO gl VALUES (1)")
    (before,) = PostgresSource().fingerprint(books.place("gl"))
    (again,) = PostgresSource().fingerprint(books.place("gl"))
    assert before.digest == again.digest
    books.execute(change)
    (after,) = PostgresSource().fingerprint(books.place("gl"))
    assert not after.is_same(before)


def test_the_digest_is_of_the_periods_that_are_read(books: Books) -> None:
    books.execute(
        "CREATE TABLE gl (id bigint, _period text)",
        "INSERT INTO gl VALUES (1, '2026-01'), (2, '2026-02')",
    )
    january = replace(books.place("gl"), only={"_period": ("2026-01",)})
    (before,) = PostgresSource().fingerprint(january)
    books.execute("UPDATE gl SET id = 3 WHERE _period = '2026-02'")
    assert PostgresSource().fingerprint(january)[0].digest == before.digest
    books.execute("UPDATE gl SET id = 3 WHERE _period = '2026-01'")
    assert PostgresSource().fingerprint(january)[0].digest != before.digest


@pytest.mark.spark
def test_of_a_view_nobody_can_say_that_it_changed(spark: SparkSession, books: Books) -> None:
    books.execute("CREATE TABLE gl (id bigint)", "CREATE VIEW gl_view AS SELECT * FROM gl")
    source = PostgresSource()
    pinned = source.pin(books.place("gl_view"), None, None)
    books.execute("INSERT INTO gl VALUES (1)")
    (raw,) = source.read(spark, [pinned], books.held)
    assert raw.frame.count() == 1
