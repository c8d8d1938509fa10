"""What identifies the content of a table in a database, found without Spark."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.sources import registry
from rowbook.sources.addresses import TableAddress
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Content, Evidence, Keeping, Recall
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


LEDGER = (
    "CREATE TABLE gl (id int, amount numeric(18,2), rate numeric, name char(4), day date,"
    " at timestamptz, kind uuid, _period text)",
    "INSERT INTO gl VALUES (1, 10.5, 1.25, 'ab', '2026-01-31', '2026-01-31 10:00+02', NULL,"
    " '2026-01'), (2, NULL, NULL, NULL, NULL, NULL, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',"
    " '2026-01'), (3, 1, 1, 'x', NULL, NULL, NULL, '2026-02')",
)


def recall(books: Books, kept: Content, folder: ContentFolder) -> Recall:
    """Of January."""
    source = DatasourceDefinition.model_validate(
        {
            "name": "erp",
            "type": "jdbc",
            "credential_ref": books.database.credential,
            "options": {
                "url": books.database.url,
                "user": books.database.user,
                "schema": books.database.schema,
            },
        }
    )
    location = ResolvedLocation("r", "all", "table", "erp", "gl", None, ("2026-01",), False)
    only = {"_period": ("2026-01",)}
    address = TableAddress("jdbc", location, source, books.database.boundary, only)
    with ExitStack() as resources:
        evidence = Evidence(folder, Keeping(resources))
        return PostgresSource().recall(address, (kept,), evidence)


def test_rows_that_were_read_are_kept_and_found_again(books: Books, tmp_path: Path) -> None:
    books.execute(*LEDGER)
    folder = ContentFolder(tmp_path / "evidence", tmp_path / "inputs")
    table = replace(books.place("gl"), only={"_period": ("2026-01",)})
    pinned = PostgresSource().pin(table, None, Keeping(books.held))
    (kept,) = PostgresSource().keep_contents(pinned, PostgresSource().fingerprint(pinned), folder)
    assert (recall(books, kept, folder).presence, kept.rows is None) == ("same", False)

    books.held.close()
    books.execute("UPDATE gl SET id = id")
    assert recall(books, kept, folder).presence == "other bytes, same rows"

    books.execute("DELETE FROM gl WHERE id = 1")
    found = recall(books, kept, folder)
    assert (found.presence, found.from_evidence) == ("changed", True)
    assert found.table is not None
    (plain,) = registry.read_plain([found.table])
    assert {name: plain.rows[0][name] for name in plain.columns} == {
        "id": 1,
        "amount": Decimal("10.50"),
        "rate": "1.25",
        "name": "ab  ",
        "day": date(2026, 1, 31),
        "at": datetime(2026, 1, 31, 8, tzinfo=UTC),
        "kind": None,
        "_period": "2026-01",
    }
    assert (len(plain.rows), plain.identity) == (2, ())
