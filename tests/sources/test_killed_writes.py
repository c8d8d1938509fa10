"""Killed at any step of publishing, a write leaves the old content or the new, and nothing else."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from pyspark.sql import SparkSession

from rowbook.sources.delta.delta_table import DeltaTarget
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.publishing.replaced_tables import replaced_tables
from rowbook.sources.registry import settle
from tests.sources import one_write
from tests.sources.all_kinds import (
    DATABASES,
    IN_STORES,
    KINDS_OF_PUBLISHING,
    AnyBooks,
    Table,
    frame,
    table_of,
)
from tests.sources.iceberg.lakes import staged_leftovers
from tests.sources.one_write import PERIODIC
from tests.sources.tables import kind_named
from tests.support.forked import forked

pytestmark = [pytest.mark.spark, pytest.mark.slow]

SEEDS = 2
"""Kills of a usual run for each kind, spread over its write points."""
MOST = 40
"""Write points that a write has at most; with as many seeds, as in `make campaign`, all are tried.
"""
OLD_RUN = "0199a000-0000-7000-8000-000000000001"
RUN = "0199a000-0000-7000-8000-000000000002"
COUNTED_RUN = "0199a000-0000-7000-8000-000000000003"
OLD, NEW = [("A", "1.00"), ("B", "2.00")], [("A", "7.00"), ("C", "8.00"), ("D", "9.00")]
OTHER = [("A", "5.00")]

_EXPECTED = ("gl", "undisturbed", "_rowbook_outputs")

_points: dict[str, int] = {}
"""How many write points a write has, by kind."""


@pytest.fixture(params=[kind for kind in KINDS_OF_PUBLISHING if kind not in IN_STORES])
def make_table(
    request: pytest.FixtureRequest, tmp_path: Path, spark: SparkSession
) -> Callable[[str], Table]:
    """Makes tables of one kind, with two periods in them. The shared server has no keys of a
    bucket: `test_object_write.py` in `delta` and `test_object_tables.py` in `iceberg` kill writers
    to one."""

    def make(name: str) -> Table:
        made = table_of(str(request.param), tmp_path / "data", request.getfixturevalue, name)
        for period, rows in (("2026-01", OLD), ("2026-02", OTHER)):
            made.put(frame(spark, PERIODIC, _rows(rows, period)), periods=(period,), run_id=OLD_RUN)
        return made

    return make


@pytest.fixture
def write(connect_url: str, tmp_path: Path) -> Callable[..., int]:
    """Replaces January in a process of its own; gives how that ended."""

    def start(table: Table, run_id: str = RUN, **environment: str) -> int:
        job = {
            "engine": connect_url,
            "root": str(tmp_path),
            "target": table.target.as_json(),
            "rows": NEW,
            "period": "2026-01",
            "run": run_id,
        }
        variables = {**os.environ, **environment}
        out, err = tmp_path / "out", tmp_path / "err"
        process = forked(one_write.main, [json.dumps(job)], variables, out, err)
        process.join(120)
        assert process.exitcode is not None
        return process.exitcode

    return start


def _rows(rows: list[tuple[str, str]], period: str) -> list[dict[str, Any]]:
    return [{"account": a, "amount": Decimal(v), "_period": period} for a, v in rows]


def _found(spark: SparkSession, table: Table, period: str) -> list[tuple[str, str]]:
    rows = table.rows(spark, PERIODIC, period)
    return sorted((row["account"], str(row["amount"])) for row in rows)


def _leftovers(table: Table, books: Callable[[str], AnyBooks]) -> list[str]:
    """What stands beside the table, or in it and belongs to nobody. What was replaced is kept."""
    match table.target:
        case FileTarget(path=path) | DeltaTarget(path=path):
            kept = replaced_tables(path)
            return [
                e.name for e in path.parent.iterdir() if e.name not in _EXPECTED and e not in kept
            ]
        case IcebergTarget() as target:
            return staged_leftovers(target)
        case _:
            tables = books(DATABASES[table.kind]).tables()
            return [name for name in tables if name not in _EXPECTED]


@pytest.fixture
def number(
    request: pytest.FixtureRequest,
    make_table: Callable[[str], Table],
    write: Callable[..., int],
    tmp_path: Path,
    seed: int,
) -> int:
    """The write point of a seed. How many there are is counted once for each kind."""
    kind = request.node.callspec.params["make_table"]
    if kind not in _points:
        counted = tmp_path / "points"
        undisturbed = make_table("undisturbed")
        assert write(undisturbed, COUNTED_RUN, ROWBOOK_COUNT_WRITES=str(counted)) == 0
        assert settle(undisturbed.target, COUNTED_RUN, 1).published
        _points[kind] = len(counted.read_text(encoding="utf-8").splitlines())
    count = _points[kind]
    assert 4 <= count <= MOST
    if request.config.getoption("--seeds") is None:
        return (2 * seed + 1) * count // (2 * SEEDS)
    if seed >= count:
        pytest.skip(f"there are {count} write points")
    return seed + 1


@pytest.mark.some(3)
def test_killed_at_any_point_a_write_leaves_the_old_or_the_new(
    request: pytest.FixtureRequest,
    spark: SparkSession,
    make_table: Callable[[str], Table],
    write: Callable[..., int],
    number: int,
) -> None:
    table = make_table("gl")
    assert write(table, ROWBOOK_KILL_AT_WRITE=str(number)) == -signal.SIGKILL
    seen = _found(spark, table, "2026-01")
    assert seen in (OLD, NEW)
    published = settle(table.target, RUN, 1).published
    assert _found(spark, table, "2026-01") == (NEW if published else OLD)
    assert _found(spark, table, "2026-02") == OTHER
    assert _leftovers(table, request.getfixturevalue) == []
    assert settle(table.target, RUN, 1).published == published
    again = "0199a000-0000-7000-8000-000000000004"
    table.put(frame(spark, PERIODIC, _rows(NEW, "2026-01")), periods=("2026-01",), run_id=again)
    assert _found(spark, table, "2026-01") == NEW
    assert _found(spark, table, "2026-02") == OTHER


def _in_file(path: Path) -> list[tuple[str, str]]:
    if path.suffix == ".xlsx":
        found = openpyxl.load_workbook(path).worksheets[0].iter_rows(min_row=2, values_only=True)
        return sorted((str(account), f"{amount:.2f}") for account, amount, _ in found)
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return sorted((line.split(",")[0], line.split(",")[1]) for line in lines)


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["csv", "excel"])
def test_killed_at_any_point_one_file_is_the_old_or_the_new(
    spark: SparkSession, write: Callable[..., int], tmp_path: Path, kind: str
) -> None:
    """Also a workbook, whose rows are staged before."""
    name = "gl.xlsx" if kind == "excel" else "gl.csv"
    folder, counted = tmp_path / "data" / "gl", tmp_path / "points"
    made = table_of("csv", tmp_path / "data", lambda _: pytest.fail("no database"))
    table = replace(made, target=FileTarget.at(kind_named(kind), folder, {}, "gl", name))
    old = frame(spark, PERIODIC, _rows(OLD, "2026-01"))
    table.put(old, periods=("2026-01",), run_id=OLD_RUN)
    (folder / f"other{Path(name).suffix}").write_bytes(b"of another period")
    assert write(table, COUNTED_RUN, ROWBOOK_COUNT_WRITES=str(counted)) == 0
    points = len(counted.read_text(encoding="utf-8").splitlines())
    for number, share in enumerate((0.3, 0.6, 0.9)):
        table.put(old, periods=("2026-01",), run_id=OLD_RUN)
        run_id, at = RUN[:-1] + f"{number + 5}", str(int(points * share))
        assert write(table, run_id, ROWBOOK_KILL_AT_WRITE=at) == -signal.SIGKILL
        before = _in_file(folder / name)
        published = settle(table.target, run_id, 1).published
        assert before == _in_file(folder / name) == (NEW if published else OLD)
        assert _leftovers(table, lambda _: pytest.fail("no database")) == []
        assert (folder / f"other{Path(name).suffix}").read_bytes() == b"of another period"
