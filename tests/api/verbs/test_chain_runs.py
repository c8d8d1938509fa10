"""Chains that really run, on the session that all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from rowbook import Workspace
from rowbook.api import ChainListeners, ChainResult
from tests.runs.chains.ledgers import FILES, make_ledgers, project
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

INBOX = "data/inbox/gl/2026-01.csv"


@pytest.fixture
def books(tmp_path: Path, spark: SparkSession) -> Iterator[Workspace]:
    with Workspace.open(make_ledgers(tmp_path / "books"), spark=spark) as workspace:
        yield workspace


def told(result: ChainResult) -> list[tuple[str, str]]:
    return [(each.project, each.status) for each in result.links]


def amounts(workspace: Workspace, table: str) -> list[tuple[Any, ...]]:
    rows = pq.read_table(workspace.root / "data" / "lake" / table).to_pylist()
    return sorted((each["account"], str(each["amount"])) for each in rows)


def test_producers_run_first_and_those_that_are_unchanged_are_passed_over(
    books: Workspace,
) -> None:
    books.apply()
    books.activate("convert")

    # A project whose input nobody made yet cannot be activated: it runs as a draft.
    first = books.run_upstream("close", "2026-01")
    assert told(first) == [("convert", "completed"), ("close", "completed")]
    assert first.links[1].version is None
    books.activate("close")
    assert books.run("close", "2026-01").status == "completed"
    books.activate("report")

    again = books.run_upstream("report", "2026-01")
    assert told(again) == [
        ("convert", "passed over"),
        ("close", "passed over"),
        ("report", "completed"),
    ]
    assert first.links[0].run is not None
    assert again.links[0].because == f"unchanged since run {first.links[0].run.run_id}"
    assert amounts(books, "reported") == [("4000", "220.00"), ("5000", "-50.00")]

    write_files(books.root, {INBOX: "account,amount\n4000,1.00\n"})
    order: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    listeners = ChainListeners(lambda *found: order.append(found))
    changed = books.run_upstream("report", "2026-01", listeners=listeners)
    assert order == [(("convert", "close", "report"), ("close", "report"))]
    assert [(each.status, each.because) for each in changed.links] == [
        ("completed", f"gl/2026-01.csv of dataset 'gl': {INBOX} changed"),
        ("completed", "convert ran before it"),
        ("completed", None),
    ]
    assert amounts(books, "reported") == [("4000", "30.00")]

    # What a producer wrote is gone: it is made again, though what it reads is the same.
    (written,) = (books.root / "data" / "lake" / "closed").rglob("*.parquet")
    written.unlink()
    lost = books.run_upstream("report", "2026-01")
    assert told(lost) == [
        ("convert", "passed over"),
        ("close", "completed"),
        ("report", "completed"),
    ]
    assert amounts(books, "reported") == [("4000", "30.00")]

    # A failure in the middle, with one that is independent of it, and a period after it.
    books.activate("audit")
    huge = project("close", "converted", "amount * 9999999999999999", "closed")
    write_files(books.root, {"projects/close.yaml": huge})
    books.activate("close")
    failed = books.run_all("2026-01", "2026-02")
    assert not failed.ok
    assert told(failed) == [
        ("audit", "completed"),
        ("convert", "completed"),
        ("close", "failed"),
        ("report", "not run"),
        ("audit", "completed"),
        ("convert", "completed"),
        ("close", "not run"),
        ("report", "not run"),
    ]
    assert [each.code for each in failed.links[2].errors] == ["RUN_001"]
    assert failed.links[7].because == "close failed for 2026-01"


@pytest.mark.campaign
def test_a_change_in_two_projects_is_tried_as_drafts_and_compared(books: Workspace) -> None:
    books.apply()
    for each in ("convert", "close", "report"):
        books.activate(each)
        books.run(each, "2026-01")

    with_units = FILES["projects/close.yaml"].replace(
        'column: amount, expression: "amount + 1"', 'column: units, expression: "amount / 2"'
    )
    assert with_units != FILES["projects/close.yaml"]
    write_files(
        books.root,
        {
            "projects/close.yaml": with_units.replace("[account,", "[units, account,"),
            "projects/report.yaml": project("report", "closed", "units * 4", "reported"),
        },
    )
    result = books.run_upstream("report", "2026-01", draft=True)
    assert told(result) == [
        ("convert", "completed"),
        ("close", "completed"),
        ("report", "completed"),
    ]
    assert amounts(books, "reported") == [("4000", "220.00"), ("5000", "-50.00")]

    draft = result.links[2].run
    assert draft is not None
    rows = books.output_rows(draft.run_id).found.rows
    assert sorted((row["account"], str(row["amount"])) for row in rows) == [
        ("4000", "42.00"),
        ("5000", "-12.00"),
    ]
    (output,) = books.diff("report", "2026-01", run=draft.run_id).outputs
    assert (output.table.rows_before, output.table.rows_after, output.table.same) == (2, 2, False)
    assert books.repeat(draft.run_id).differs is False
