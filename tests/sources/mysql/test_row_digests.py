"""What identifies the rows of a table: any change of them, and nothing else."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from rowbook.errors import RowbookError
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Keeping
from rowbook.sources.mysql.source import MysqlSource
from rowbook.sources.source_errors import ContentsChangedError
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from tests.sources.mysql_books import MysqlBooks

GL = (
    "CREATE TABLE gl (id bigint PRIMARY KEY, account varchar(20) COLLATE utf8mb4_general_ci,"
    " amount float, note text, closed tinyint(1), day date, _period varchar(7))"
)


@pytest.fixture
def books(mysql_books: MysqlBooks) -> MysqlBooks:
    mysql_books.execute(
        GL,
        "INSERT INTO gl VALUES (1, 'a', 1.5, 'x', 1, '2026-01-31', '2026-01'),"
        " (2, 'b', 16777216, NULL, 0, '2026-02-01', '2026-02')",
    )
    return mysql_books


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE gl SET account = 'A' WHERE id = 1",
        "UPDATE gl SET account = 'a ' WHERE id = 1",
        "UPDATE gl SET account = NULL WHERE id = 1",
        "UPDATE gl SET amount = 16777218 WHERE id = 2",
        "UPDATE gl SET note = '' WHERE id = 2",
        "UPDATE gl SET note = 'NULL' WHERE id = 2",
        "UPDATE gl SET day = '0000-00-00' WHERE id = 2",
        "UPDATE gl SET account = 'b', note = 'a' WHERE id = 1",
        "DELETE FROM gl WHERE id = 2",
        "INSERT INTO gl (id) VALUES (3)",
    ],
)
def test_any_change_of_a_value_is_seen(books: MysqlBooks, change: str) -> None:
    before = MysqlSource().contents(books.place("gl"))
    assert MysqlSource().contents(books.place("gl")) == before
    books.execute(change)
    assert MysqlSource().contents(books.place("gl")) != before


def test_rows_that_are_written_again_are_the_same(books: MysqlBooks) -> None:
    before = MysqlSource().contents(books.place("gl"))
    books.execute(
        "CREATE TABLE other LIKE gl", "INSERT INTO other SELECT * FROM gl ORDER BY id DESC"
    )
    books.execute("DELETE FROM gl", "INSERT INTO gl SELECT * FROM other", "ANALYZE TABLE gl")
    assert MysqlSource().contents(books.place("gl")) == before


def test_other_periods_make_no_difference(books: MysqlBooks) -> None:
    january = books.place("gl", _period=["2026-01"])
    before = MysqlSource().contents(january)
    books.execute("INSERT INTO gl (id, _period) VALUES (3, '2026-02')")
    assert MysqlSource().contents(january) == before
    books.execute("INSERT INTO gl (id, _period) VALUES (4, '2026-01')")
    assert MysqlSource().contents(january) != before


def test_a_period_is_the_same_by_its_bytes_whatever_the_collation_says(
    mysql_books: MysqlBooks,
) -> None:
    mysql_books.execute(
        "CREATE TABLE gl (id int, _period varchar(9) COLLATE utf8mb4_general_ci)",
        "INSERT INTO gl VALUES (1, 'fy26-a'), (2, 'FY26-A'), (3, 'fy26-a '), (4, 'fy26-ä')",
    )
    (found,) = MysqlSource().contents(mysql_books.place("gl", _period=["fy26-a"]))
    assert (found.digest or "").startswith("rows:1.")


def test_what_changes_after_pinning_ends_the_run(books: MysqlBooks) -> None:
    source, place = MysqlSource(), books.place("gl")
    pinned = source.pin(place, None, Keeping(books.held))
    source.check(pinned)
    books.execute("UPDATE gl SET amount = 2 WHERE id = 1")
    found = refusal(lambda: source.check(pinned), "RUN_011")
    assert found.message == "the input changed during the run: erp:gl"
    with pytest.raises(ContentsChangedError):
        source.pin(place, source.contents(pinned), None)


def test_contents_of_all_tables_are_of_one_moment(books: MysqlBooks) -> None:
    books.execute("CREATE TABLE rates (id int)")
    source = MysqlSource()
    source.pin(books.place("gl"), None, Keeping(books.held))
    books.execute("INSERT INTO rates VALUES (1)")
    pinned = source.pin(books.place("rates"), None, Keeping(books.held))
    assert pinned.content is not None
    assert (pinned.content.digest or "").startswith("rows:0.")
    refusal(lambda: source.check(pinned), "RUN_011")
    with ExitStack() as later:
        again = source.pin(books.place("rates"), None, Keeping(later))
        source.check(again)


def test_a_moment_is_asked_by_one_at_a_time(books: MysqlBooks) -> None:
    """A run digests its tables while it reads them."""
    pinned = MysqlSource().pin(books.place("gl"), None, Keeping(books.held))
    found = list[object]()
    work = [
        threading.Thread(target=lambda: found.append(MysqlSource().fingerprint(pinned)[0]))
        for _ in range(8)
    ]
    for each in work:
        each.start()
    for each in work:
        each.join()
    assert found == [pinned.content] * 8


def test_rows_are_kept_as_they_were_at_the_moment(books: MysqlBooks, tmp_path: Path) -> None:
    source = MysqlSource()
    pinned = source.pin(books.place("gl", _period=["2026-01"]), None, Keeping(books.held))
    books.execute("UPDATE gl SET amount = 2")
    folder = ContentFolder(tmp_path / "kept", tmp_path / "workshop")
    (content,) = source.keep_contents(pinned, source.contents(pinned), folder)
    assert content.rows == content.digest
    file = folder.find(content.kept)
    assert file is not None
    assert pq.read_table(file).to_pylist() == [
        {
            "id": 1,
            "account": "a",
            "amount": 1.5,
            "note": "x",
            "closed": True,
            "day": date(2026, 1, 31),
            "_period": "2026-01",
        }
    ]


def test_values_of_every_type_are_kept(mysql_books: MysqlBooks, tmp_path: Path) -> None:
    mysql_books.execute(
        "CREATE TABLE t (a bigint unsigned, b decimal(38, 10), c decimal(65, 5), d datetime(6),"
        " e timestamp(6) NULL, f bit(1), g bit(9), h time, i varbinary(4), j double)",
        "SET time_zone = '+00:00'",
        "INSERT INTO t VALUES (18446744073709551615, 1.5, 2.25, '2026-01-31 10:05:07.123456',"
        " '2026-01-31 10:05:07.123456', 1, 257, '-12:00:00', x'00ff', 5e-324)",
    )
    with MysqlSource().reading(mysql_books.place("t")) as found:
        found.write_rows(tmp_path / "rows.parquet")
    moment = datetime(2026, 1, 31, 10, 5, 7, 123456)
    assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == [
        {
            "a": Decimal(18446744073709551615),
            "b": Decimal("1.5000000000"),
            "c": "2.25000",
            "d": moment,
            "e": moment.replace(tzinfo=UTC),
            "f": True,
            "g": Decimal(257),
            "h": "-12:00:00",
            "i": b"\x00\xff",
            "j": 5e-324,
        }
    ]


def test_values_that_are_none_of_their_type_are_kept_as_they_came(
    mysql_books: MysqlBooks, tmp_path: Path
) -> None:
    mysql_books.execute(
        "CREATE TABLE t (a date, b tinyint(1))", "INSERT INTO t VALUES ('0000-00-00', 5)"
    )
    with MysqlSource().reading(mysql_books.place("t")) as found:
        found.write_rows(tmp_path / "rows.parquet")
    assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == [{"a": "0000-00-00", "b": 5}]


def test_a_view_is_told_by_its_rows(books: MysqlBooks) -> None:
    books.execute("CREATE VIEW v AS SELECT id, amount FROM gl")
    before = MysqlSource().contents(books.place("v"))
    books.execute("UPDATE gl SET note = 'other'")
    assert MysqlSource().contents(books.place("v")) == before
    books.execute("UPDATE gl SET amount = 0")
    assert MysqlSource().contents(books.place("v")) != before


@pytest.mark.parametrize("engine", ["MyISAM", "MEMORY"])
def test_other_engines_are_refused(mysql_books: MysqlBooks, engine: str) -> None:
    mysql_books.execute(f"CREATE TABLE old (id int) ENGINE = {engine}")
    for ask in (MysqlSource().columns, MysqlSource().contents):
        with pytest.raises(RowbookError) as refused:
            ask(mysql_books.place("old"))
        (found,) = refused.value.diagnostics
        assert found.code == "DATASOURCE_010"
        assert found.message.endswith(f"its engine is {engine}, which has no transactions")
        assert found.hint == "ALTER TABLE … ENGINE = InnoDB"


def test_a_table_of_another_database_is_named_with_it(books: MysqlBooks) -> None:
    elsewhere = replace(books.place(f"{books.schema}.gl"), label="erp:gl")
    assert MysqlSource().contents(elsewhere) == MysqlSource().contents(books.place("gl"))


def test_no_module_of_spark_is_loaded_to_look_at_a_table() -> None:
    import subprocess
    import sys

    script = "import sys, rowbook.sources.mysql.source; print('pyspark' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
