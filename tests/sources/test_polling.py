"""Who reads a table while it is replaced, again and again, sees whole states and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pyarrow.dataset as ds
import pymysql
import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from tests.sources.all_kinds import Table, frame, table_of
from tests.sources.mysql_books import MysqlBooks
from tests.sources.one_write import PERIODIC
from tests.sources.postgres_books import Books

pytestmark = [pytest.mark.spark, pytest.mark.slow]

USUAL = 4
"""Replacements of a usual run; `--seeds` says how many a campaign does."""
PAUSE = 0.02

State = list[str]
"""The amounts of all rows: a state has one amount, and as many rows as that says."""


def _of_files(path: Path) -> State | None:
    """None where a file that was listed is gone: a reader of files looks again then."""
    try:
        found = ds.dataset(path, format="parquet").to_table(columns=["amount"])
    except FileNotFoundError:
        assert path.is_dir()
        return None
    return [str(amount) for amount in found["amount"].to_pylist()]


def _of_delta(path: Path) -> State:
    found = DeltaTable(path).to_pyarrow_table(columns=["amount"])
    return [str(amount) for amount in found["amount"].to_pylist()]


def _of_database(connection: psycopg.Connection[Any]) -> State:
    return [str(amount) for (amount,) in connection.execute("SELECT amount FROM gl").fetchall()]


def _of_mysql(connection: pymysql.Connection[Any]) -> State:
    with connection.cursor() as cursor:
        cursor.execute("SELECT amount FROM gl")
        return [str(amount) for (amount,) in cursor.fetchall()]


def _of_lake(spark: SparkSession, table: Table) -> State:
    return [str(row["amount"]) for row in table.rows(spark, PERIODIC)]


_LASTING = [
    pytest.param(kind, marks=pytest.mark.campaign) for kind in ("delta", "iceberg", "mysql")
]


@pytest.mark.parametrize("kind", ["parquet", "jdbc", *_LASTING])
def test_a_reader_sees_whole_states_alone(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    count = request.config.getoption("--seeds") or USUAL
    table = table_of(kind, tmp_path, request.getfixturevalue)
    path = tmp_path / "gl"
    seen: set[tuple[str, ...]] = set()
    misses: list[int] = []
    looks = 0
    done = threading.Event()

    def replace(state: int) -> None:
        row = {"account": "A", "amount": Decimal(f"{state}.00"), "_period": "2026-01"}
        rows = [row] * state
        table.put(frame(spark, PERIODIC, rows), periods=("2026-01",), run_id=f"run-{state}")

    with ExitStack() as held:
        read: Callable[[], State | None] = partial(_of_files, path)
        if kind == "delta":
            read = partial(_of_delta, path)
        elif kind == "jdbc":
            books: Books = request.getfixturevalue("books")
            read = partial(_of_database, held.enter_context(books.connect()))
        elif kind == "iceberg":
            read = partial(_of_lake, spark, table)
        elif kind == "mysql":
            others: MysqlBooks = request.getfixturevalue("mysql_books")
            connection = others.server.connect(database=others.schema)
            read = partial(_of_mysql, held.enter_context(connection))
        faults: list[BaseException] = []

        def look() -> None:
            nonlocal looks
            missed = 0
            while not done.is_set():
                try:
                    state = read()
                except BaseException as fault:
                    faults.append(fault)
                    return
                missed = missed + 1 if state is None else 0
                misses.append(missed)
                if state is not None:
                    seen.add(tuple(state))
                looks += 1
                time.sleep(PAUSE)

        replace(1)
        reader = threading.Thread(target=look)
        reader.start()
        try:
            for state in range(2, count + 2):
                replace(state)
        finally:
            done.set()
            reader.join()
    assert faults == []
    assert looks >= count
    assert max(misses) <= 2
    assert len(seen) >= min(count, 3)
    for found in seen:
        (amount,) = set(found)
        assert len(found) == int(Decimal(amount))
