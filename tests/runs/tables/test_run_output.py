"""`rowbook show`: what a run wrote, by either engine; refused where it is not there any more."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import RowbookError, Workspace
from rowbook.api import EngineName
from tests.runs.books import FILES
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Workspace]:
    """January was run, February twice: what the first of these wrote was replaced."""
    folder = tmp_path_factory.mktemp("books")
    write_files(folder, FILES)
    with Workspace.open(folder, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("close")
        for period in ("2026-01", "2026-02", "2026-02"):
            assert workspace.run("close", period).status == "completed"
        yield workspace


def _runs(books: Workspace) -> list[str]:
    """Oldest first."""
    return [run.id for run in reversed(books.runs())]


@pytest.mark.parametrize("engine", ["reference", "spark"])
def test_rows_are_those_that_the_run_wrote(books: Workspace, engine: EngineName) -> None:
    found = books.output_rows(_runs(books)[0], output="closed", engine=engine)
    assert (found.seq, found.name, found.destination) == (30, "publish", "lake:closed")
    rows = found.found.rows
    assert {row["_period"] for row in rows} == {"2026-01"}
    assert sorted((r["account"], r["amount"], r["total"]) for r in rows if r["total"]) == [
        ("4000", None, Decimal("25.50")),
        ("5000", None, Decimal("-6.00")),
    ]
    assert (len(rows), found.found.is_cut, found.found.engine) == (5, False, engine)


@pytest.mark.parametrize("engine", ["reference", "spark"])
def test_a_condition_may_name_every_column_that_was_written(
    books: Workspace, engine: EngineName
) -> None:
    run_id = _runs(books)[0]
    every = books.output_rows(run_id, output="30", engine=engine).found.rows
    one = next(row for row in every if row["amount"] == Decimal("2.25"))
    where = f"_row_id = '{one['_row_id']}' AND gl.usd = 4.5"
    found = books.output_rows(run_id, output="publish", where=where, engine=engine)
    assert found.found.rows == (one,)


def test_more_rows_than_were_asked_for_are_told_of(books: Workspace) -> None:
    found = books.output_rows("latest", output="closed", limit=2).found
    assert (len(found.rows), found.is_cut) == (2, True)


def test_of_several_outputs_one_must_be_named(books: Workspace) -> None:
    with pytest.raises(RowbookError, match="has 2 outputs: say which") as raised:
        books.output_rows("latest")
    assert raised.value.diagnostics[0].hint == (
        "--output takes seq, name or table: 30 'publish', 40 'log'"
    )
    with pytest.raises(RowbookError, match="has no output 'open'"):
        books.output_rows("latest", output="open")


def test_what_was_replaced_since_is_shown_until_it_is_cleaned_up(books: Workspace) -> None:
    _, second, third = _runs(books)
    assert len(books.output_rows(second, output="closed").found.rows) == 5
    books.gc(older_than=0)
    with pytest.raises(RowbookError) as raised:
        books.output_rows(second, output="closed")
    (found,) = raised.value.diagnostics
    assert found.code == "RUN_010"
    assert f"output 30 of run {third} has written to data/lake/closed since" in found.message
    assert found.hint is not None
    assert f"rowbook runs repeat {second}" in found.hint


def test_rows_that_went_into_a_table_of_others_are_refused(books: Workspace) -> None:
    with pytest.raises(RowbookError, match="cannot be told from them"):
        books.output_rows("latest", output="log")


def test_a_table_that_lost_rows_is_not_what_the_run_wrote(books: Workspace) -> None:
    import os

    import pyarrow.parquet as pq

    run = books.runs()[0]
    (file,) = (Path(books.root) / "data/lake/closed").glob("*2026-02/*.parquet")
    state = file.stat()
    pq.write_table(pq.read_table(file, partitioning=None).slice(1), file)
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(RowbookError, match="holds 4 rows of it, not 5"):
        books.output_rows(run.id, output="closed", engine="reference")
