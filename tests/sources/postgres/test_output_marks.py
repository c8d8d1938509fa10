"""After a crash: an output is published or it is not, it is known which, and it stays so."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pyspark.sql import SparkSession

from rowbook.errors import RowbookError
from rowbook.sources.databases import load_stage
from rowbook.sources.postgres import write as writing
from rowbook.sources.postgres.output_marks import make_marks
from rowbook.sources.postgres.source import PostgresSource
from rowbook.sources.source import Settlement, WriteRequest, WriteResult
from rowbook.sources.source_errors import UnreachableError
from tests.sources.cutting_proxy import cutting_proxy
from tests.sources.postgres_books import SECRET, Books, books_in
from tests.sources.tables import RUN
from tests.support.crashing_database import running_database
from tests.support.paths import ROOT
from tests.support.postgres_server import PASSWORD

pytestmark = [pytest.mark.spark, pytest.mark.postgres]

POINTS = [
    "before the table of outputs is made",
    "the table of outputs was made",
    "before a staging table is made",
    "a staging table was made",
    "a table was staged",
    "before a table is published",
    "a table was published",
]


def settle(books: Books, run_id: str = RUN, seq: int = 1) -> Settlement:
    return PostgresSource().settle(books.target("closed"), run_id, seq)


class Died(BaseException):
    """Stands for the end of the process: nothing is tidied up."""


def dying_at(point: str, patch: pytest.MonkeyPatch) -> list[str]:
    """Every write ends at a point, as if the process were gone; gives the points it came to."""
    passed: list[str] = []

    def come_to(name: str) -> None:
        passed.append(name)
        if name == point:
            raise Died

    for module in ("output_marks", "stage_table", "write", "publish"):
        patch.setattr(f"rowbook.sources.postgres.{module}.write_point", come_to)
    for module in ("write", "source"):
        patch.setattr(f"rowbook.sources.postgres.{module}.clean_stage", lambda *_: None)
    return passed


@pytest.mark.parametrize("point", POINTS)
def test_a_death_at_any_point_is_settled(spark: SparkSession, books: Books, point: str) -> None:
    books.execute("CREATE TABLE closed (id bigint)", "INSERT INTO closed VALUES (7)")
    with pytest.MonkeyPatch.context() as patch:
        passed = dying_at(point, patch)
        with pytest.raises(Died):
            books.put(spark.range(2), "closed")
    assert passed == POINTS[: POINTS.index(point) + 1]
    published = point == "a table was published"
    for _ in range(2):
        assert settle(books) == Settlement(published)
    assert books.rows("SELECT id FROM closed ORDER BY id") == (
        [(0,), (1,)] if published else [(7,)]
    )
    assert not [name for name in books.tables() if "_stage_" in name]
    books.put(spark.range(1), "closed")
    assert books.rows("SELECT id FROM closed") == [(0,)]


def test_nothing_was_ever_written(books: Books) -> None:
    assert settle(books) == Settlement(published=False)
    assert books.tables() == []


def test_an_output_that_another_one_followed_is_still_known(
    spark: SparkSession, books: Books
) -> None:
    books.put(spark.range(1), "closed", seq=1)
    books.put(spark.range(2), "closed", seq=2)
    assert settle(books, seq=1).published
    assert settle(books, seq=2).published
    assert not settle(books, seq=3).published
    assert not settle(books, run_id="another").published


def test_a_writer_that_was_stopped_publishes_nothing_after_it_was_settled(
    spark: SparkSession, books: Books
) -> None:
    load = load_stage.load_stage

    def stopped(*given: Any) -> None:
        load(*given)
        assert settle(books) == Settlement(published=False)

    announced: list[WriteResult] = []
    order = WriteRequest("replace", None, RUN, 1, announced.append)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "load_stage", stopped)
        with pytest.raises(RowbookError) as refused:
            PostgresSource().write(spark.range(2), books.target("closed"), order)
    (found,) = refused.value.diagnostics
    assert found.code == "OUTPUT_006"
    assert "its staged rows were taken away" in found.message
    assert announced == []
    assert books.tables() == ["_rowbook_outputs"]


def test_rows_that_a_server_lost_in_a_crash_are_not_published(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It comes back with the staging table empty: as if there were no rows."""
    load = load_stage.load_stage
    monkeypatch.setenv(SECRET, PASSWORD)
    with running_database() as database:
        books = books_in(database.server, "crashed", tmp_path)
        books.execute("CREATE TABLE closed (id bigint)", "INSERT INTO closed VALUES (7)")

        def crashed(*given: Any) -> None:
            load(*given)
            database.crash("killed")
            database.start()

        monkeypatch.setattr(writing, "load_stage", crashed)
        with pytest.raises(RowbookError) as refused:
            books.put(spark.range(2), "closed")
        (found,) = refused.value.diagnostics
        assert (found.code, found.hint) == ("OUTPUT_006", "nothing was published; resume the run")
        assert found.message.endswith("the server crashed after rows were staged, and lost them")
        assert books.rows("SELECT id FROM closed") == [(7,)]
        assert books.tables() == ["_rowbook_outputs", "closed"]


def test_who_settles_waits_for_who_publishes(spark: SparkSession, books: Books) -> None:
    found: list[Settlement] = []
    settling = threading.Thread(target=lambda: found.append(settle(books)))

    def announce(_: WriteResult) -> None:
        settling.start()
        settling.join(1)
        assert settling.is_alive()

    PostgresSource().write(
        spark.range(2), books.target("closed"), WriteRequest("replace", None, RUN, 1, announce)
    )
    settling.join()
    assert found == [Settlement(published=True)]
    assert books.rows("SELECT count(*) FROM closed") == [(2,)]


def test_a_second_attempt_takes_away_what_the_first_one_staged(
    spark: SparkSession, books: Books
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        dying_at("a table was staged", patch)
        with pytest.raises(Died):
            books.put(spark.range(2), "closed")
    assert [name for name in books.tables() if "_stage_" in name]
    books.put(spark.range(3), "closed")
    assert books.tables() == ["_rowbook_outputs", "closed"]


@pytest.mark.parametrize("arrived", [False, True])
def test_a_connection_that_is_lost_while_it_commits_leaves_no_doubt(
    spark: SparkSession, books: Books, arrived: bool
) -> None:
    """The server has not got the word; or it has, and its answer is lost."""
    commit = b"Q\0\0\0\x0bCOMMIT\0"
    with cutting_proxy(books.server.port, commit, pass_word=arrived) as proxy:
        url = f"jdbc:postgresql://127.0.0.1:{proxy.port}/postgres"
        through = books.at(url)
        if arrived:
            assert through.put(spark.range(2), "closed").rows == 2
        else:
            with pytest.raises(RowbookError, match="erp:closed cannot be written"):
                through.put(spark.range(2), "closed")
        assert proxy.has_cut
    assert settle(books).published is arrived
    assert books.tables() == ["_rowbook_outputs", *["closed"] * arrived]


def test_a_server_that_ends_the_session_leaves_everything_as_it_was(
    spark: SparkSession, books: Books
) -> None:
    books.execute("CREATE TABLE closed (id bigint)", "INSERT INTO closed VALUES (7)")

    def shut_down(_: WriteResult) -> None:
        books.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'rowbook' AND state = 'idle in transaction'"
        )

    with pytest.raises(RowbookError) as refused:
        PostgresSource().write(
            spark.range(2), books.target("closed"), WriteRequest("replace", None, RUN, 1, shut_down)
        )
    (found,) = refused.value.diagnostics
    assert found.code == "OUTPUT_006"
    assert books.rows("SELECT id FROM closed") == [(7,)]
    assert books.tables() == ["_rowbook_outputs", "closed"]


def test_a_database_that_cannot_be_asked_is_said_so(
    books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET, "wrong-password")
    with pytest.raises(UnreachableError, match="password authentication failed"):
        settle(books)
    monkeypatch.delenv(SECRET)
    with pytest.raises(UnreachableError, match=SECRET):
        settle(books)


@pytest.mark.campaign
def test_a_process_that_is_killed_as_it_publishes_is_settled(
    connect_url: str, books: Books, tmp_path: Path
) -> None:
    """For real: the same as above, with a process that is gone."""
    script = tmp_path / "write.py"
    script.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from rowbook.engine.session.session import EngineSettings, open_session\n"
        "from rowbook.sources.postgres.source import PostgresSource\n"
        "from rowbook.sources.databases.database import Database\n"
        "from rowbook.sources.postgres.postgres_tables import PostgresTarget\n"
        "from rowbook.sources.source import WriteRequest\n"
        "from tests.sources.postgres_books import granting\n"
        "remote, url, user, secret, root, schema, run = sys.argv[1:]\n"
        "database = Database(url, user, secret, granting(Path(root), secret, url), schema)\n"
        "target = PostgresTarget(database, 'closed', 'closed')\n"
        "with open_session(EngineSettings(remote=remote)) as engine:\n"
        "    frame = engine.spark.range(2)\n"
        "    PostgresSource().write(frame, target, WriteRequest('replace', None, run, 1))\n",
        encoding="utf-8",
    )
    database = books.database
    given = [database.url, database.user, database.credential, tmp_path, books.schema, RUN]
    for number, published in ((6, False), (5, True)):
        killed = subprocess.run(
            [sys.executable, script, connect_url, *map(str, given)],
            env={**os.environ, "PYTHONPATH": str(ROOT), "ROWBOOK_KILL_AT_WRITE": str(number)},
            capture_output=True,
            text=True,
        )
        assert killed.returncode == -9, killed.stderr
        assert settle(books) == Settlement(published)
        assert books.tables() == ["_rowbook_outputs", *["closed"] * published]


def test_marks_are_made_by_many_at_once(books: Books) -> None:
    """Who loses the race is told so in one of several ways, depending on how far the winner is."""
    failed: list[BaseException] = []
    barrier = threading.Barrier(4)

    def make() -> None:
        try:
            with books.connect() as connection:
                for _ in range(50):
                    if barrier.wait() == 0:
                        connection.execute(f"DROP TABLE IF EXISTS {books.schema}._rowbook_outputs")
                    barrier.wait()
                    make_marks(connection, books.schema)
        except (psycopg.Error, threading.BrokenBarrierError) as error:
            barrier.abort()
            failed.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert books.tables() == ["_rowbook_outputs"]
