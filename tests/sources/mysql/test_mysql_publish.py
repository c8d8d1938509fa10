"""Staged rows become the table in one transaction, once, whoever tries and whatever crashes."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pymysql
import pytest

from rowbook.errors import RowbookError
from rowbook.sources.mysql import mysql_connection as connections
from rowbook.sources.mysql import mysql_publish
from rowbook.sources.mysql.source import MysqlSource
from rowbook.sources.source import Publishing, StagedOutput, WriteResult
from rowbook.sources.source_errors import UnreachableError
from tests.sources.tables import RUN
from tests.support.postgres_server import PASSWORD, NoServerError
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from tests.sources.mysql_books import MysqlBooks

SECOND = RUN[:-1] + "2"
COLUMNS = {"account": "longtext", "_period": "longtext"}
JANUARY = ("2026-01",)


@pytest.fixture
def books(mysql_books: MysqlBooks) -> MysqlBooks:
    return mysql_books


def test_a_table_that_is_not_there_is_created(books: MysqlBooks) -> None:
    kinds = {"a": "longtext", "b": "decimal(18,2)", "c": "tinyint(1)", "d": "datetime(6)"}
    staged = books.staged("closed", kinds, "'x', 1.50, 1, '2026-01-31 10:05:07.123456'")
    books.publish(staged)
    assert books.rows("SELECT a, b + 0, c, CAST(d AS CHAR) FROM closed") == [
        ("x", pytest.approx(1.5), 1, "2026-01-31 10:05:07.123456")
    ]
    assert books.tables() == ["_rowbook_outputs", "closed"]


def test_rows_are_published_once_however_often_it_is_asked(books: MysqlBooks) -> None:
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'", mode="append")
    for _ in range(3):
        books.publish(staged)
    assert books.rows("SELECT account FROM closed") == [("x",)]


def test_two_who_publish_the_same_at_the_same_time_publish_it_once(books: MysqlBooks) -> None:
    books.publish(books.staged("closed", COLUMNS, mode="append", run_id=SECOND))
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'", mode="append")
    failed = list[BaseException]()

    def attempt() -> None:
        try:
            books.publish(staged)
        except BaseException as error:
            failed.append(error)

    work = [threading.Thread(target=attempt) for _ in range(4)]
    for each in work:
        each.start()
    for each in work:
        each.join()
    assert failed == []
    assert books.rows("SELECT account FROM closed") == [("x",)]


def test_a_period_is_replaced_by_its_bytes(books: MysqlBooks) -> None:
    """Whatever the collation takes for the same."""
    books.execute(
        "CREATE TABLE closed (account varchar(9), _period varchar(9) COLLATE utf8mb4_general_ci)",
        "INSERT INTO closed VALUES ('1', 'fy26-a'), ('2', 'FY26-A'), ('3', 'fy26-ä')",
    )
    books.publish(books.staged("closed", COLUMNS, "'new', 'fy26-a'", periods=("fy26-a",)))
    assert sorted(books.rows("SELECT account, _period FROM closed")) == [
        ("2", "FY26-A"),
        ("3", "fy26-ä"),
        ("new", "fy26-a"),
    ]


@pytest.mark.parametrize("other", ["'2026-02'", "'2026-01 '", "NULL"])
def test_rows_of_other_periods_are_refused(books: MysqlBooks, other: str) -> None:
    staged = books.staged("closed", COLUMNS, f"'x', {other}", periods=JANUARY)
    refusal(lambda: books.publish(staged), "OUTPUT_006")
    assert "closed" not in books.tables()


def test_tables_of_one_database_are_published_together_or_not_at_all(books: MysqlBooks) -> None:
    books.execute("CREATE TABLE narrow (account bigint)")
    good = books.staged("wide", COLUMNS, "'x', '2026-01'", seq=1)
    bad = books.staged("narrow", {"account": "bigint"}, "1", seq=2)
    assert MysqlSource().publication_key(books.target("wide")) == MysqlSource().publication_key(
        books.target("narrow")
    )
    books.execute("ALTER TABLE narrow MODIFY account tinyint", "INSERT INTO narrow VALUES (7)")
    stage = bad.details["stage"]
    books.execute(f"UPDATE {stage} SET c1 = 1000 WHERE `row` = 0")
    found = refusal(lambda: books.publish(good, bad), "OUTPUT_006")
    assert found.message == (
        "erp:narrow cannot be written: Out of range value for column 'account' at row 1"
    )
    assert books.rows("SELECT account FROM narrow") == [(7,)]
    assert "wide" not in books.tables()
    books.execute(f"UPDATE {stage} SET c1 = 8 WHERE `row` = 0")
    books.publish(good, bad)
    assert books.rows("SELECT account FROM narrow") == [(8,)]
    assert books.rows("SELECT account FROM wide") == [("x",)]
    assert MysqlSource().settle(books.target("wide"), RUN, 1).published
    assert MysqlSource().settle(books.target("narrow"), RUN, 2).published


def test_readers_see_the_old_rows_until_the_new_are_there(books: MysqlBooks) -> None:
    books.publish(books.staged("closed", COLUMNS, "'old', '2026-01'", run_id=SECOND))
    staged = books.staged("closed", COLUMNS, "'new', '2026-01'")
    seen = list[object]()

    def announce(_: WriteResult) -> None:
        seen.extend(books.rows("SELECT account FROM closed"))

    MysqlSource().publish((staged,), Publishing(announce=announce))
    assert seen == [("old",)]
    assert books.rows("SELECT account FROM closed") == [("new",)]


def test_what_is_refused_at_the_last_moment_leaves_nothing(books: MysqlBooks) -> None:
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'")

    def refuse(_: WriteResult) -> None:
        raise RowbookError.of("RUN_005", "the lease is lost")

    refusal(lambda: MysqlSource().publish((staged,), Publishing(announce=refuse)), "RUN_005")
    assert books.tables() == ["_rowbook_outputs", staged.details["stage"]]
    assert MysqlSource().damage(staged) is None
    books.publish(staged)
    assert books.rows("SELECT account FROM closed") == [("x",)]


def test_error_if_exists_goes_on_where_a_dead_process_had_created_the_table(
    books: MysqlBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'", mode="error_if_exists")
    _die_after_creating(books, staged, monkeypatch)
    assert books.rows("SELECT * FROM closed") == []
    books.publish(staged)
    assert books.rows("SELECT account FROM closed") == [("x",)]
    again = books.staged("closed", COLUMNS, "'y', '2026-01'", mode="error_if_exists", seq=2)
    found = refusal(lambda: books.publish(again), "OUTPUT_006")
    assert found.message == "erp:closed exists already"


def test_a_table_that_a_dead_process_had_created_goes_when_the_run_is_settled(
    books: MysqlBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'")
    _die_after_creating(books, staged, monkeypatch)
    assert not MysqlSource().settle(books.target("closed"), RUN, 1).published
    assert books.tables() == ["_rowbook_outputs"]


def test_unless_others_put_rows_into_it(books: MysqlBooks, monkeypatch: pytest.MonkeyPatch) -> None:
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'")
    _die_after_creating(books, staged, monkeypatch)
    books.execute("INSERT INTO closed VALUES ('theirs', '2026-01')")
    assert not MysqlSource().settle(books.target("closed"), RUN, 1).published
    assert books.rows("SELECT account FROM closed") == [("theirs",)]


def _die_after_creating(
    books: MysqlBooks, staged: StagedOutput, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(mysql_publish, "_change", die)
        patch.setattr(mysql_publish, "_give_up", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            books.publish(staged)


def test_what_was_taken_away_is_not_published(books: MysqlBooks) -> None:
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'")
    assert not MysqlSource().settle(books.target("closed"), RUN, 1).published
    found = refusal(lambda: books.publish(staged), "OUTPUT_006")
    assert "its staged rows were taken away" in found.message
    assert MysqlSource().damage(staged) == "its staged rows are gone"


def test_rows_that_are_not_all_there_are_not_published(books: MysqlBooks) -> None:
    """As after a crash of a server that does not write its log at each commit."""
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'", "'y', '2026-01'")
    books.execute(f"DELETE FROM {staged.details['stage']} WHERE `row` = 1")
    assert MysqlSource().damage(staged) == "of 2 staged rows, 1 are there"
    found = refusal(lambda: books.publish(staged), "OUTPUT_006")
    assert found.hint == "nothing was published; resume the run"
    assert "closed" not in books.tables()


def test_a_connection_that_is_lost_while_it_commits_leaves_no_doubt(
    books: MysqlBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = connections.Connection.commit

    def lost(self: connections.Connection) -> None:
        commit(self)
        raise pymysql.OperationalError(2013, "Lost connection to MySQL server during query")

    staged = books.staged("closed", COLUMNS, "'x', '2026-01'")
    with monkeypatch.context() as patch:
        patch.setattr(connections.Connection, "commit", lost)
        books.publish(staged)
    assert books.rows("SELECT account FROM closed") == [("x",)]
    second = books.staged("closed", COLUMNS, "'y', '2026-01'", seq=2)

    def before(self: connections.Connection) -> None:
        self.rollback()
        raise pymysql.OperationalError(2013, "Lost connection to MySQL server during query")

    with monkeypatch.context() as patch:
        patch.setattr(connections.Connection, "commit", before)
        refusal(lambda: books.publish(second), "OUTPUT_006")
    assert books.rows("SELECT account FROM closed") == [("x",)]


@pytest.mark.parametrize(
    ("there", "kind", "value", "said"),
    [
        ("datetime", "datetime(6)", "'2026-01-31 10:05:07.5'", "datetime"),
        ("timestamp(3) NULL", "datetime(6)", "'2026-01-31 10:05:07.0005'", "timestamp(3)"),
        ("char(5)", "longtext", "'a '", "char(5)"),
        ("varchar(2)", "longtext", "'abc'", "varchar(2)"),
        ("varchar(2)", "longtext", "'ab '", "varchar(2)"),
        ("varchar(9) CHARACTER SET latin1", "longtext", "'漢字'", "varchar(9)"),
        ("tinytext", "longtext", "REPEAT('x', 256)", "tinytext"),
    ],
)
def test_a_value_that_a_column_would_change_is_refused(
    books: MysqlBooks, there: str, kind: str, value: str, said: str
) -> None:
    books.execute(f"CREATE TABLE closed (v {there})")
    staged = books.staged("closed", {"v": kind}, value)
    found = refusal(lambda: books.publish(staged), "OUTPUT_006")
    assert found.message == (
        f"erp:closed cannot be written: a value does not fit column 'v', which is {said}"
    )
    assert books.rows("SELECT * FROM closed") == []


@pytest.mark.parametrize(
    ("there", "kind", "value"),
    [
        ("datetime", "datetime(6)", "2026-01-31 10:05:07"),
        ("timestamp NULL", "datetime(6)", "2026-03-29 02:30:00"),
        ("char(5)", "longtext", "a b"),
        ("varchar(9) CHARACTER SET latin1", "longtext", "Örtchen"),
        ("decimal(20,4)", "decimal(18,2)", "1.5000"),
        ("int unsigned", "bigint", "7"),
        ("bigint", "decimal(18,0)", "7"),
    ],
)
def test_a_value_that_fits_is_kept_as_it_is(
    books: MysqlBooks, there: str, kind: str, value: str
) -> None:
    books.execute(f"CREATE TABLE closed (v {there})")
    books.publish(books.staged("closed", {"v": kind}, f"'{value}'"))
    query = "SELECT CONVERT_TZ(v, @@time_zone, '+00:00') FROM closed"
    if "timestamp" not in there:
        query = "SELECT CAST(v AS CHAR) FROM closed"
    assert [str(v) for (v,) in books.rows(query)] == [value]


@pytest.mark.parametrize(
    ("there", "kind"),
    [
        ("decimal(18,1)", "decimal(18,2)"),
        ("date", "datetime(6)"),
        ("float", "double"),
        ("tinyint(1)", "bigint"),
        ("enum('a')", "longtext"),
        ("bigint", "longtext"),
    ],
)
def test_a_column_that_cannot_hold_a_type_is_refused(
    books: MysqlBooks, there: str, kind: str
) -> None:
    books.execute(f"CREATE TABLE closed (v {there})")
    found = refusal(lambda: books.publish(books.staged("closed", {"v": kind})), "OUTPUT_006")
    assert found.message == (
        f"erp:closed cannot be written: column 'v' is {there} there, which cannot hold {kind} as"
        " it is"
    )


def test_a_column_that_is_missing_is_named(books: MysqlBooks) -> None:
    books.execute("CREATE TABLE closed (account longtext)")
    found = refusal(lambda: books.publish(books.staged("closed", COLUMNS)), "OUTPUT_006")
    assert found.message == "erp:closed cannot be written: it has no column '_period'"
    assert found.hint == (
        "ALTER TABLE … ADD COLUMN `_period` longtext, or leave the column out of the output"
    )


def test_other_engines_and_views_are_refused(books: MysqlBooks) -> None:
    books.execute(
        "CREATE TABLE closed (account longtext, _period longtext) ENGINE = MyISAM",
        "CREATE VIEW seen AS SELECT * FROM closed",
    )
    found = refusal(lambda: books.publish(books.staged("closed", COLUMNS)), "OUTPUT_006")
    assert found.message.endswith("its engine is MyISAM, which has no transactions")
    found = refusal(lambda: books.publish(books.staged("seen", COLUMNS, seq=2)), "OUTPUT_006")
    assert "it is a view" in found.message


def test_who_may_not_write_is_told_what_to_grant(books: MysqlBooks) -> None:
    books.execute("CREATE TABLE closed (account longtext, _period longtext)")
    staged = books.staged("closed", COLUMNS, "'x', '2026-01'")
    schema = books.schema
    clerk = books.as_clerk(
        f"SELECT ON {schema}.*",
        f"ALL ON {schema}.{staged.details['stage']}",
        f"SELECT, INSERT, DELETE ON {schema}._rowbook_outputs",
    )
    theirs = replace(staged, target=clerk.target("closed"))
    found = refusal(lambda: clerk.publish(theirs), "OUTPUT_006")
    assert found.hint == (
        f"GRANT SELECT, INSERT, DELETE ON `{schema}`.`closed` TO `{schema}_clerk`@`127.0.0.1`"
    )
    assert MysqlSource().damage(staged) is None


def test_a_table_that_others_hold_is_not_waited_for_forever(
    books: MysqlBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    books.publish(books.staged("closed", COLUMNS, "'old', '2026-01'", run_id=SECOND))
    staged = books.staged("closed", COLUMNS, "'new', '2026-01'")
    monkeypatch.setitem(connections.SETTINGS, "innodb_lock_wait_timeout", "1")
    with books.server.connect(database=books.schema, autocommit=False) as other:
        other.cursor().execute("UPDATE closed SET account = 'theirs'")
        found = refusal(lambda: books.publish(staged), "OUTPUT_006")
    assert found.message == (
        "erp:closed cannot be written: others hold it, and did not let go of it in time"
    )


@pytest.fixture(scope="module")
def crashing() -> Iterator[MysqlBooks]:
    import tempfile

    from tests.sources.mysql_books import mysql_books_in
    from tests.support.mariadb_server import new_mariadb, start_mariadb

    try:
        with new_mariadb() as server, tempfile.TemporaryDirectory() as folder:
            process = start_mariadb(server)
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("MARIADB_PASSWORD", PASSWORD)
                yield mysql_books_in(server, "books", Path(folder))
            process.kill()
            process.wait()
    except NoServerError as error:
        pytest.skip(str(error))


def test_a_server_that_crashes_keeps_what_was_staged_and_publishes_nothing_twice(
    crashing: MysqlBooks,
) -> None:
    from tests.support.mariadb_server import start_mariadb

    published = crashing.staged("closed", COLUMNS, "'x', '2026-01'", run_id=SECOND)
    crashing.publish(published)
    staged = crashing.staged("closed", COLUMNS, "'y', '2026-02'", mode="append")
    pid = int((crashing.server.folder / "pid").read_text())
    import os

    os.kill(pid, signal.SIGKILL)
    with pytest.raises(UnreachableError):
        MysqlSource().damage(staged)
    started = start_mariadb(crashing.server)
    try:
        assert MysqlSource().damage(staged) is None
        crashing.publish(published)
        crashing.publish(staged)
        assert sorted(crashing.rows("SELECT account FROM closed")) == [("x",), ("y",)]
    finally:
        started.kill()
        started.wait()
