"""What is proposed loads on Spark too: numbers that are dates, and a table of a database."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from rowbook import RowbookError, Workspace
from rowbook.api import infer
from tests.inference.ledgers import ROWS, write_documents
from tests.support.postgres_server import PASSWORD, Server
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

SCHEMA = "inferred"
TABLE = f"""
DROP SCHEMA IF EXISTS {SCHEMA} CASCADE;
CREATE SCHEMA {SCHEMA};
CREATE TABLE {SCHEMA}.bookings (
    "Doc No" varchar(20) NOT NULL, line integer NOT NULL, posted date NOT NULL,
    amount numeric(18,2), rate numeric, noted timestamptz, open boolean NOT NULL, raw bytea,
    PRIMARY KEY ("Doc No", line));
INSERT INTO {SCHEMA}.bookings VALUES
    ('B1', 1, '2026-01-31', 10.50, 1.08123, '2026-01-31 10:00+00', true, NULL),
    ('B1', 2, '2026-01-31', -10.50, NULL, NULL, false, NULL),
    ('B2', 1, '2026-02-01', NULL, 0.9, '2026-02-01 00:00+01', true, NULL);
"""


@pytest.fixture
def database(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace that knows a database, and nothing of its tables."""
    monkeypatch.setenv("INFER_PASSWORD", PASSWORD)
    where = f"127.0.0.1:{server.port}"
    with psycopg.connect(
        host="127.0.0.1", port=server.port, dbname="postgres", user=server.user, password=PASSWORD
    ) as connection:
        connection.execute(TABLE.encode())
    write_files(
        tmp_path,
        {
            "rowbook.yaml": "workspace:\n  name: acme\n  credentials:\n"
            f'    - {{ref: env://INFER_PASSWORD, host: "{where}"}}\n',
            "datasources/erp.yaml": "datasource:\n  name: erp\n  type: jdbc\n"
            "  credential_ref: env://INFER_PASSWORD\n"
            f'  options: {{url: "jdbc:postgresql://{where}/postgres", user: {server.user}}}\n',
        },
    )
    return tmp_path


@pytest.mark.postgres
def test_a_table_of_a_database_is_proposed_by_its_catalog_and_its_rows(
    database: Path,
) -> None:
    found = infer(f"erp:{SCHEMA}.bookings", folder=database, trust=True)
    (proposal,) = found.proposals
    assert proposal.files["datasets/bookings.yaml"].splitlines()[1:] == [
        "# column 'raw' is not loaded: it is bytea",
        "dataset:",
        "  name: bookings",
        "  main_table:",
        "    name: bookings",
        "    temporal_mode: period",
        "    period_from: posted  # a row belongs to the period of this date",
        "    columns:",
        "      # string: all 3",
        '      - {name: doc_no, type: string, nullable: false, source: "Doc No"}',
        "      # integer: all 3, int in the source",
        "      - {name: line, type: integer, nullable: false}",
        "      # date: all 3",
        "      - {name: posted, type: date, nullable: false}",
        "      # decimal(18,2): 2 of 3, 1 empty",
        '      - {name: amount, type: "decimal(18,2)"}',
        "      # decimal(18,5): 2 of 3, 1 empty, numeric in the source",
        '      - {name: rate, type: "decimal(18,5)"}',
        "      # timestamp: 2 of 3, 1 empty",
        "      - {name: noted, type: timestamp}",
        "      # boolean: all 3",
        "      - {name: open, type: boolean, nullable: false}",
        "  natural_key_columns: [doc_no, line]  # unique by an index of the database",
        "  resolver_id: bookings",
    ]


@pytest.mark.postgres
def test_every_value_of_a_database_is_loaded(database: Path, spark: SparkSession) -> None:
    infer(f"erp:{SCHEMA}.bookings", folder=database, write=True, trust=True)
    with Workspace.open(database, spark=spark, trust=True) as workspace:
        assert workspace.validate().ok
        found = [
            tuple(row[name] for name in read.columns)
            for period in ("2026-01", "2026-02")
            for read in (workspace.read_rows("bookings", period),)
            for row in read.rows
        ]
    january, february = date(2026, 1, 31), date(2026, 2, 1)
    noted = datetime(2026, 1, 31, 10, tzinfo=UTC), datetime(2026, 1, 31, 23, tzinfo=UTC)
    rate, other = Decimal("1.08123"), Decimal("0.90000")
    amount = Decimal("10.50")
    assert sorted(found, key=lambda row: row[:2]) == [
        ("B1", 1, january, amount, rate, noted[0], True, "2026-01"),
        ("B1", 2, january, -amount, None, None, False, "2026-01"),
        ("B2", 1, february, None, other, noted[1], True, "2026-02"),
    ]


def test_numbers_that_are_dates_load_on_spark_as_without(
    tmp_path: Path, spark: SparkSession
) -> None:
    write_documents(tmp_path)
    infer(tmp_path / "documents.parquet", folder=tmp_path, write=True)
    with Workspace.open(tmp_path, spark=spark) as workspace:
        read = workspace.read_rows("documents", "2026-02", engine="spark")
        rows = [tuple(row[name] for name in read.columns[:-1]) for row in read.rows]
        assert rows == ROWS["documents", "2026-02"]
        write_documents(tmp_path, POSTING_DATE=[20260105, 1, 20260201, 20260231, 20260215])
        messages = []
        for engine in ("reference", "spark"):
            with pytest.raises(RowbookError) as raised:
                workspace.read_rows("documents", "2026-02", engine=engine)
            messages.append(str(raised.value))
    assert messages[0] == messages[1]
    assert "2 values of column 'posting_date' do not fit date: '1' at" in messages[0]
