"""A table of a MariaDB server, looked at without Spark."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.sources import registry
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from tests.sources.mysql_books import MysqlBooks


@pytest.fixture
def source(mysql_books: MysqlBooks) -> DatasourceDefinition:
    mysql_books.execute(
        "CREATE TABLE gl (id bigint PRIMARY KEY, closed tinyint(1), amount decimal(18, 2),"
        " long_amount decimal(60, 2), day date NOT NULL, at datetime, account varchar(9) NOT NULL,"
        " note text, UNIQUE (account, day), UNIQUE (closed), UNIQUE (note(5)), KEY (at))",
        "INSERT INTO gl VALUES (1, 0, 1.50, 7, '2026-01-31', '2026-01-31 10:05:07', 'A', NULL)",
        "ANALYZE TABLE gl",
    )
    database = mysql_books.database
    options = {"url": database.url, "user": database.user}
    return DatasourceDefinition(
        name="erp", type="jdbc", options=options, credential_ref=database.credential
    )


def test_types_keys_and_rows_are_those_of_the_server(
    mysql_books: MysqlBooks, source: DatasourceDefinition
) -> None:
    found = registry.sample_table(source, "gl", mysql_books.database.boundary, 10)
    assert found.types == {
        "id": "bigint",
        "closed": "boolean",
        "amount": "decimal(18,2)",
        "long_amount": "numeric",
        "day": "date",
        "at": "timestamp_ntz",
        "account": "string",
        "note": "string",
    }
    assert found.never_null == {"id", "day", "account"}
    assert found.keys == (("id",), ("account", "day"))
    moment = datetime(2026, 1, 31, 10, 5, 7)
    row = [1, False, Decimal("1.50"), "7.00", date(2026, 1, 31), moment, "A", None]
    assert list(found.rows()) == [("erp:gl row 1", row)]


def test_a_large_table_is_not_looked_at(
    mysql_books: MysqlBooks, source: DatasourceDefinition
) -> None:
    found = registry.sample_table(source, "gl", mysql_books.database.boundary, 0)
    assert not found.is_looked_at
    assert found.notes == ("not looked at: about 1 rows",)


def test_a_table_that_is_not_there_is_named(
    mysql_books: MysqlBooks, source: DatasourceDefinition
) -> None:
    boundary = mysql_books.database.boundary
    found = refusal(lambda: registry.sample_table(source, "nothing", boundary, 1), "DATASOURCE_006")
    assert found.message == "there is no table erp:nothing"
