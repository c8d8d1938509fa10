"""Rows that Spark computed, in a bucket: the values they were, in every format, also where the
writer is killed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.loading.load import load
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import source_of, wanted_folders
from rowbook.sources import registry
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.pointer.source import RUNS
from rowbook.sources.pointer.target import PointerTarget
from rowbook.sources.source import Mode, WriteRequest
from tests.sources.all_kinds import frame
from tests.sources.one_write import PERIODIC
from tests.sources.pointer import one_upload
from tests.sources.stores.buckets import Bucket
from tests.sources.tables import context, dataset, kind_named
from tests.sources.test_conformance import VALUES
from tests.support.forked import forked
from tests.support.refusal import refusal

pytestmark = [pytest.mark.spark, pytest.mark.slow]

OLD_RUN = "0199a000-0000-7000-8000-000000000001"
RUN = "0199a000-0000-7000-8000-000000000002"
OTHER_RUN = "0199a000-0000-7000-8000-000000000003"
_FORMATS = [
    pytest.param(kind, marks=pytest.mark.campaign) if kind != "parquet" else kind
    for kind in ("parquet", "csv", "json", "orc")
]


def target_in(bucket: Bucket, kind: str = "parquet") -> PointerTarget:
    return PointerTarget(kind_named(kind), bucket.path("out/gl"), bucket.root)


def put(
    spark: SparkSession,
    target: PointerTarget,
    wanted: Dataset,
    rows: Sequence[dict[str, Any]],
    *periods: str,
    run_id: str = OLD_RUN,
    mode: Mode = "replace",
) -> int:
    order = WriteRequest(mode, periods or None, run_id, 1)
    return registry.write(frame(spark, wanted, rows), target, order).rows


def rows_of(
    spark: SparkSession, target: PointerTarget, wanted: Dataset, *periods: str
) -> list[dict[str, Any]]:
    accepted = periods or ("2026-01",)
    columns = tuple(source_of(wanted, field.name) for field in wanted.fields)
    only = dict(wanted_folders(wanted, accepted))
    table = FileTable(target.format, target.path, label="gl", only=only, wanted=columns).pin()
    with ExitStack() as held:
        raws = registry.read(spark, [table], held)
        loaded = load(wanted, raws, context(), keep_deleted=True, periods=accepted)
        return collect(loaded.frame, wanted.fields)


def booked(period: str, **accounts: str) -> list[dict[str, Any]]:
    return [
        {"account": name, "amount": Decimal(amount), "_period": period}
        for name, amount in accounts.items()
    ]


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=repr)


@pytest.mark.parametrize("kind", _FORMATS)
def test_values_come_back_as_they_were(spark: SparkSession, bucket: Bucket, kind: str) -> None:
    kinds = {f"v{n}": kind for n, kind in enumerate(VALUES)}
    wanted = dataset("n integer", *(f"{name} {kind}" for name, kind in kinds.items()))
    most = max(map(len, VALUES.values()))
    rows: list[dict[str, Any]] = [
        {"n": n, **{name: ([*VALUES[kind], *[None] * most])[n] for name, kind in kinds.items()}}
        for n in range(most + 1)
    ]
    target = target_in(bucket, kind)
    assert put(spark, target, wanted, rows) == len(rows)
    found = sorted(rows_of(spark, target, wanted), key=lambda row: int(row["n"]))
    assert found == rows


def test_periods_are_replaced_alone_and_rows_of_others_refused(
    spark: SparkSession, bucket: Bucket
) -> None:
    target = target_in(bucket)
    put(spark, target, PERIODIC, booked("2026-01", A="1.00", B="2.00"), "2026-01")
    put(spark, target, PERIODIC, booked("2026-02", A="5.00"), "2026-02", run_id=OTHER_RUN)
    put(spark, target, PERIODIC, booked("2026-01", C="3.00"), "2026-01", run_id=RUN)
    wrong = booked("2026-03", A="9.00")
    refused = refusal(lambda: put(spark, target, PERIODIC, wrong, "2026-01", run_id=RUN))
    assert refused.code == "OUTPUT_006"
    assert in_order(rows_of(spark, target, PERIODIC, "2026-01", "2026-02")) == in_order(
        [*booked("2026-01", C="3.00"), *booked("2026-02", A="5.00")]
    )
    assert not (bucket.root / ".rowbook/uploads" / RUN).exists()


@pytest.mark.campaign
def test_killed_at_any_point_a_write_leaves_the_old_or_the_new(
    spark: SparkSession, bucket: Bucket, connect_url: str, tmp_path: Path
) -> None:
    target = target_in(bucket)
    points = tmp_path / "points"
    assert _written(target, bucket, connect_url, OTHER_RUN, ROWBOOK_COUNT_WRITES=str(points)) == 0
    count = len(points.read_text(encoding="utf-8").splitlines())
    assert count >= 4
    for number in range(1, count + 1):
        run_id, before = (f"0199a000-0000-7000-8000-{number + n:012}" for n in (100, 500))
        put(spark, target, PERIODIC, booked("2026-01", A="1.00"), "2026-01", run_id=before)
        ended = _written(target, bucket, connect_url, run_id, ROWBOOK_KILL_AT_WRITE=str(number))
        assert ended == -signal.SIGKILL
        published = registry.settle(target, run_id, 1).published
        assert published is (number == count)
        expected = (
            booked("2026-01", A="7.00", C="8.00") if published else booked("2026-01", A="1.00")
        )
        assert in_order(rows_of(spark, target, PERIODIC, "2026-01")) == in_order(expected)
        left = [each.key for each in bucket.store.list(f"out/gl/{RUNS}/{run_id}")]
        assert bool(left) is published
        assert not (tmp_path / ".rowbook/uploads" / run_id).exists()
        assert registry.settle(target, run_id, 1).published is published


def _written(
    target: PointerTarget, bucket: Bucket, engine: str, run_id: str, **variables: str
) -> int | None:
    """How a process ended that replaces January."""
    job = {
        "engine": engine,
        "root": str(bucket.root),
        "host": bucket.server.host,
        "target": target.as_json(),
        "rows": [("A", "7.00"), ("C", "8.00")],
        "period": "2026-01",
        "run": run_id,
    }
    out, err = bucket.root / "out", bucket.root / "err"
    process = forked(one_upload.main, [json.dumps(job)], {**os.environ, **variables}, out, err)
    process.join(120)
    return process.exitcode
