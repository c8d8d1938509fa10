"""All contestants of the benchmark of data sources write and read the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.ledger_data import ledger_data
from benchmarks.measuring.results import Measurement, Results
from benchmarks.measuring.turns import Rules
from benchmarks.measuring.warm import take_warm
from benchmarks.postgres import Postgres
from benchmarks.sources import report
from benchmarks.sources_contestants import Bench, contestants, faults, reads, writes
from benchmarks.sources_task import ledger_lines

from tests.support.postgres_server import Server

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 2_000


@pytest.fixture(scope="module")
def lines(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, DataFrame]]:
    with ledger_lines(spark, ledger_data(tmp_path_factory.mktemp("ledger"), ROWS)) as made:
        yield made


@pytest.fixture
def bench(spark: SparkSession, lines: dict[str, DataFrame], tmp_path: Path) -> Bench:
    return Bench(spark, lines, tmp_path, None)


@pytest.fixture
def database(server: Server) -> Iterator[Postgres]:
    """A database that has nothing to do with other tests."""
    main = Postgres.of(server)
    with main.connect() as connection:
        connection.execute("CREATE DATABASE bench")
    yield replace(main, database="bench")
    with main.connect() as connection:
        connection.execute("DROP DATABASE bench WITH (FORCE)")


def results() -> Results:
    return Results("sources", "python -m benchmarks.sources", "2026-01-31", {}, {}, 0.1)


@pytest.mark.some(1)
@pytest.mark.spark
@pytest.mark.parametrize(
    "kind",
    ["parquet", "delta", *(pytest.param(k, marks=pytest.mark.campaign) for k in ("csv", "json"))],
)
def test_all_write_and_read_the_rows_they_were_given(bench: Bench, kind: str) -> None:
    found = faults(bench, kind)
    assert set(found) == {
        f"{who} {ROWS:,} rows of {period}"
        for who in ("rowbook wrote", "pyspark wrote", "rowbook read")
        for period in ("2025-12", "2026-01")
    }
    assert set(found.values()) == {""}


@pytest.mark.campaign
@pytest.mark.spark
@pytest.mark.postgres
def test_copy_writes_them_too(bench: Bench, database: Postgres) -> None:
    found = faults(replace(bench, server=database), "jdbc")
    assert f"copy wrote {ROWS:,} rows of 2026-01" in found
    assert set(found.values()) == {""}


@pytest.mark.campaign
@pytest.mark.spark
def test_reads_and_writes_are_measured(bench: Bench, tmp_path: Path) -> None:
    found, who = results(), contestants(bench, "orc")
    for what, works in {"read": reads(who), "write": writes(bench, who)}.items():
        case = f"orc, {what}, {ROWS:,} rows"
        take_warm(found, case, works, Rules(1, 60, tmp_path), bench.give_up)
    assert [m.failed for m in found.measurements] == [None] * 4
    written = [m for m in found.measurements if "write" in m.case]
    assert [m.files for m in written] == [1, 1]
    assert all((m.written_bytes or 0) > 10_000 for m in written)


def test_a_table_compares_kinds_and_directions() -> None:
    found = results()
    write, read = (f"jdbc, {what}, 1,000,000 rows" for what in ("write", "read"))
    found.measurements += [
        Measurement("rowbook", write, 3.0, written_bytes=2_000_000),
        Measurement("pyspark", write, 2.0, written_bytes=2_100_000),
        Measurement("copy", write, 1.0, written_bytes=2_100_000),
        Measurement("rowbook", read, None, failed="> 9 s"),
        Measurement("pyspark", read, 2.0),
        Measurement("rowbook", "csv, write, 5 rows", 1.0, written_bytes=140_000, files=2),
    ]
    assert report(found).table.splitlines()[2:] == [
        "| jdbc | write | 1,000,000 | 3.00 s | 2.00 s | 1.50× | 1.00 s | 2.0 MB | 2.1 MB |",
        "| jdbc | read | 1,000,000 | > 9 s | 2.00 s | – | – | – | – |",
        "| csv | write | 5 | 1.00 s | – | – | – | 0.1 MB in 2 files | – |",
    ]
