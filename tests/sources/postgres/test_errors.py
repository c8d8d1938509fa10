"""What a database refuses is said clearly: where, why, and what to grant. No password is shown."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import Diagnostic, RowbookError
from rowbook.sources.postgres.source import PostgresSource
from rowbook.sources.source import Mode
from tests.sources.postgres_books import SECRET, Books
from tests.support.local_frame import local_frame
from tests.support.postgres_server import PASSWORD

pytestmark = [pytest.mark.spark, pytest.mark.postgres]


def refused(error: pytest.ExceptionInfo[RowbookError], code: str) -> Diagnostic:
    (found,) = error.value.diagnostics
    assert found.code == code
    assert PASSWORD not in f"{found.message} {found.hint}"
    return found


def not_written(
    books: Books,
    frame: DataFrame,
    mode: Mode = "replace",
    periods: tuple[str, ...] | None = None,
) -> Diagnostic:
    """Why a table 'closed' cannot be written; nothing is left of the attempt."""
    with pytest.raises(RowbookError) as error:
        books.put(frame, "closed", mode, periods)
    assert not [name for name in books.tables() if "_stage_" in name]
    return refused(error, "OUTPUT_006")


def frame_of(spark: SparkSession, schema: str, *values: Any) -> DataFrame:
    return local_frame(spark, [values], schema)


# --- columns


@pytest.mark.parametrize(
    ("schema", "value", "there"),
    [
        ("x decimal(18,4)", Decimal("1.0000"), "numeric(18,2)"),
        ("x decimal(18,2)", Decimal("1.00"), "bigint"),
        ("x decimal(18,2)", Decimal("1.00"), "double precision"),
        ("x double", 1.5, "real"),
        ("x double", 1.5, "numeric"),
        ("x long", 1, "double precision"),
        ("x long", 1, "text"),
        ("x string", "1", "integer"),
        ("x string", "1", "uuid"),
        ("x timestamp", None, "date"),
        ("x timestamp", None, "timestamp(3) without time zone"),
        ("x date", None, "timestamp with time zone"),
        ("x boolean", True, "integer"),
    ],
)
def test_a_column_that_would_change_values_is_refused(
    spark: SparkSession, books: Books, schema: str, value: Any, there: str
) -> None:
    books.execute(f"CREATE TABLE closed (x {there})")
    found = not_written(books, frame_of(spark, schema, value))
    assert found.message.startswith(
        f"erp:closed cannot be written: column 'x' is {there} there, which cannot hold "
    )


def test_a_column_that_is_not_there_is_named(spark: SparkSession, books: Books) -> None:
    books.execute("CREATE TABLE closed (id bigint)")
    found = not_written(books, frame_of(spark, "id long, amount decimal(18,2)", 1, Decimal("1.00")))
    assert found.message == "erp:closed cannot be written: it has no column 'amount'"
    assert (found.hint or "").startswith('ALTER TABLE … ADD COLUMN "amount" numeric(18,2)')


def test_a_table_without_periods_cannot_be_replaced_by_period(
    spark: SparkSession, books: Books
) -> None:
    books.execute("CREATE TABLE closed (id bigint)")
    frame = frame_of(spark, "id long, _period string", 1, "2026-01")
    found = not_written(books, frame, periods=("2026-01",))
    assert found.message == "erp:closed cannot be written: it has no column '_period'"


def test_rows_without_a_period_are_not_appended_to_a_table_by_period(
    spark: SparkSession, books: Books
) -> None:
    books.execute("CREATE TABLE closed (id bigint, _period text)")
    found = not_written(books, spark.range(1), "append")
    assert "the rows to append have none" in found.message


@pytest.mark.parametrize("period", ["2025-12", None])
def test_rows_of_other_periods_than_the_runs_are_refused(
    spark: SparkSession, books: Books, period: str | None
) -> None:
    frame = frame_of(spark, "id long, _period string", 1, period)
    found = not_written(books, frame, periods=("2026-01",))
    assert found.message == f"erp:closed: rows of period {period} are not of the run's period"
    assert books.tables() == ["_rowbook_outputs"]


def test_a_view_is_no_table_to_write(spark: SparkSession, books: Books) -> None:
    books.execute("CREATE VIEW closed AS SELECT 1::bigint AS id")
    assert "it is a view" in not_written(books, spark.range(1)).message


def test_a_column_of_a_kind_that_no_table_has_is_named(spark: SparkSession, books: Books) -> None:
    frame = spark.range(1).select(F.array("id").alias("list"))
    assert not_written(books, frame).message.endswith("column 'list' is array<bigint>")
    frame = spark.range(1).select(F.col("id").alias("x" * 64))
    assert not_written(books, frame).message.endswith("is longer than 63 bytes")


# --- values


@pytest.mark.parametrize(
    ("schema", "value", "there", "said"),
    [
        ("x long", 40_000, "smallint", "smallint out of range"),
        ("x decimal(38,0)", Decimal(10) ** 30, "bigint", "bigint out of range"),
        ("x decimal(18,2)", Decimal("1000.00"), "numeric(5,2)", "numeric field overflow"),
        ("x string", "too long", "character varying(3)", "value too long for type"),
        ("x string", "too long", "character(3)", "value too long for type"),
    ],
)
def test_a_value_that_does_not_fit_names_its_column(
    spark: SparkSession, books: Books, schema: str, value: Any, there: str, said: str
) -> None:
    books.execute(f"CREATE TABLE closed (id bigint, x {there})", "INSERT INTO closed VALUES (7)")
    found = not_written(books, frame_of(spark, f"id long, {schema}", 1, value))
    assert f"a value does not fit column 'x', which is {there}: {said}" in found.message
    assert books.rows("SELECT id FROM closed") == [(7,)]


def test_a_nul_character_names_its_column(spark: SparkSession, books: Books) -> None:
    frame = frame_of(spark, "id string, note string", "J1", "a\0b")
    found = not_written(books, frame)
    assert found.message == (
        "erp:closed cannot be written: column 'note' holds a NUL character, which no text there can"
    )


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ("id bigint CHECK (id < 0)", "violates check constraint"),
        ("id bigint, need text NOT NULL", 'null value in column "need"'),
        ("id bigint UNIQUE DEFERRABLE INITIALLY DEFERRED", "duplicate key value violates unique"),
    ],
)
def test_constraints_are_kept_and_said_without_values_of_rows(
    spark: SparkSession, books: Books, definition: str, said: str
) -> None:
    books.execute(f"CREATE TABLE closed ({definition})")
    announced = books.rows("SELECT count(*) FROM closed")
    found = not_written(books, local_frame(spark, [(4711,), (4711,)], "id long"))
    assert said in found.message
    assert "4711" not in found.message
    assert books.rows("SELECT count(*) FROM closed") == announced


# --- what may be done


def test_who_may_not_create_is_told_what_to_grant(spark: SparkSession, books: Books) -> None:
    clerk = books.as_role("GRANT USAGE ON SCHEMA {schema} TO {role}")
    found = not_written(clerk, spark.range(1))
    assert found.message == (
        f"erp:closed cannot be written: permission denied for schema {books.schema}"
    )
    role = clerk.database.user
    assert found.hint == (
        f'GRANT USAGE, CREATE ON SCHEMA "{books.schema}" TO "{role}", or name a schema where it may'
        " create tables as the option staging_schema"
    )


def test_a_schema_for_staging_is_all_that_is_needed_beside_the_table(
    spark: SparkSession, books: Books
) -> None:
    books.execute("CREATE TABLE closed (id bigint)", f"CREATE SCHEMA {books.schema}_stage")
    clerk = books.as_role(
        "GRANT USAGE ON SCHEMA {schema} TO {role}",
        "GRANT USAGE, CREATE ON SCHEMA {schema}_stage TO {role}",
    ).with_options(staging_schema=f"{books.schema}_stage")
    found = not_written(clerk, spark.range(1))
    assert found.message == "erp:closed cannot be written: permission denied for table closed"
    role = clerk.database.user
    assert found.hint == (f'GRANT SELECT, INSERT, DELETE ON "{books.schema}"."closed" TO "{role}"')
    books.execute(f"GRANT INSERT ON closed TO {role}")
    assert clerk.put(spark.range(1), "closed", "append").rows == 1
    books.execute(f"GRANT SELECT, DELETE ON closed TO {role}")
    assert clerk.put(spark.range(2), "closed").rows == 2
    assert books.rows("SELECT count(*) FROM closed") == [(2,)]


def test_rows_that_a_policy_hides_are_never_left_over(spark: SparkSession, books: Books) -> None:
    books.execute(
        "CREATE TABLE closed (id bigint)",
        "INSERT INTO closed VALUES (1), (2)",
        "ALTER TABLE closed ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY first ON closed USING (id = 1)",
    )
    clerk = books.as_role(
        "GRANT USAGE, CREATE ON SCHEMA {schema} TO {role}",
        "GRANT SELECT, INSERT, DELETE ON {schema}.closed TO {role}",
    )
    found = not_written(clerk, spark.range(1))
    assert "row-level security policy" in found.message
    assert books.rows("SELECT count(*) FROM closed") == [(2,)]


def test_who_may_not_read_is_told_so(spark: SparkSession, books: Books) -> None:
    books.execute("CREATE TABLE gl (n int)")
    clerk = books.as_role("GRANT USAGE ON SCHEMA {schema} TO {role}")
    with pytest.raises(RowbookError) as error:
        clerk.read(spark, "gl")
    found = refused(error, "DATASOURCE_010")
    assert found.message == (
        f"erp:gl: the database 127.0.0.1:{books.server.port}/postgres cannot be used:"
        " permission denied for table gl"
    )
    assert found.hint == (
        f"grant {clerk.database.user} USAGE on the schema and SELECT on the table"
    )


def test_a_table_that_others_hold_is_not_waited_for_forever(
    spark: SparkSession, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rowbook.sources.postgres import publish

    monkeypatch.setitem(publish.SETTINGS, "lock_timeout", "200ms")
    books.execute("CREATE TABLE closed (id bigint)")
    with books.connect(autocommit=False) as other:
        other.execute("LOCK TABLE closed IN SHARE MODE")
        found = not_written(books, spark.range(1))
    assert found.message == (
        "erp:closed cannot be written: others hold it, and did not let go of it in time"
    )


def test_a_table_that_others_change_is_not_waited_for_forever_to_be_read(
    spark: SparkSession, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rowbook.sources.postgres import read_snapshot

    monkeypatch.setitem(read_snapshot.SETTINGS, "lock_timeout", "200ms")
    books.execute("CREATE TABLE gl (id bigint)")
    with books.connect(autocommit=False) as other:
        other.execute("LOCK TABLE gl IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(RowbookError) as error:
            books.read(spark, "gl")
    found = refused(error, "DATASOURCE_010")
    assert found.message.endswith(": others hold it, and did not let go of it in time")
    assert found.hint == "see who does in pg_locks, and run again"


# --- the way there


def test_a_table_that_is_not_there_is_named(spark: SparkSession, books: Books) -> None:
    for table in ("gl", "nowhere.gl"):
        for act in (PostgresSource().columns, PostgresSource().contents):
            with pytest.raises(RowbookError) as error:
                act(books.place(table))
            expected = f"there is no table erp:{table}"
            assert refused(error, "DATASOURCE_006").message == expected
        with pytest.raises(RowbookError) as error:
            books.read(spark, table)
        assert refused(error, "DATASOURCE_006").message == f"there is no table erp:{table}"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("jdbc:postgresql://127.0.0.1:1/postgres", "Connection refused"),
        ("jdbc:postgresql://127.0.0.1:{port}/nothing", 'database "nothing" does not exist'),
        ("jdbc:postgresql://127.0.0.1:{port}/postgres?sslmode=require", "SSL"),
    ],
)
def test_a_database_that_cannot_be_reached_is_named_with_the_reason(
    spark: SparkSession, books: Books, url: str, said: str
) -> None:
    lost = books.at(url.format(port=books.server.port))
    for act in (
        lambda: PostgresSource().columns(lost.place("gl")),
        lambda: PostgresSource().contents(lost.place("gl")),
        lambda: lost.read(spark, "gl"),
    ):
        with pytest.raises(RowbookError) as error:
            act()
        found = refused(error, "DATASOURCE_010")
        assert found.message.startswith("erp:gl: the database 127.0.0.1:")
        assert said in found.message
        assert "\n" not in found.message
    with pytest.raises(RowbookError) as error:
        lost.put(spark.range(1), "gl")
    assert said in refused(error, "OUTPUT_006").message


def test_a_wrong_password_is_refused_without_being_shown(
    spark: SparkSession, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET, "not-the-password")
    with pytest.raises(RowbookError) as error:
        books.read(spark, "gl")
    found = refused(error, "DATASOURCE_010")
    assert "password authentication failed" in found.message
    assert "not-the-password" not in str(error.value)


def test_a_url_that_is_none_is_refused_before_anybody_is_asked(books: Books) -> None:
    url = "jdbc:postgresql://127.0.0.1/postgres?socketFactory=evil"
    odd = replace(books, database=replace(books.database, url=url))
    with pytest.raises(RowbookError) as error:
        PostgresSource().columns(odd.place("gl"))
    assert refused(error, "DATASOURCE_002").message == (
        "'socketFactory' is not an option that the url may have"
    )


def test_the_password_is_in_no_plan_and_no_error_of_a_job(
    spark: SparkSession, books: Books, capsys: pytest.CaptureFixture[str]
) -> None:
    books.execute("CREATE TABLE gl (n int)")
    raw = books.read(spark, "gl")
    raw.frame.explain(extended=True)
    assert PASSWORD not in capsys.readouterr().out
    books.held.close()
    with pytest.raises(Exception, match="snapshot") as error:
        raw.frame.collect()
    assert PASSWORD not in str(error.value)
