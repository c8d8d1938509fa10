"""Iceberg tables in a bucket: all of an output is seen or nothing, whoever dies or races."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.iceberg.iceberg_table import IcebergTable, IcebergTarget
from rowbook.sources.source import Mode, Publishing, SourceTable, StagedOutput, WriteRequest
from rowbook.sources.source_errors import NeedsSparkError, UnreachableError
from tests.sources.iceberg import one_output
from tests.sources.iceberg.lakes import lake_in_bucket, rest_lake, staged_leftovers
from tests.sources.stores.buckets import VARIABLE, Bucket
from tests.support.forked import forked
from tests.support.local_frame import local_frame
from tests.support.object_store_server import ACCESS, KEYS, SECRET
from tests.support.refusal import refusal

pytestmark = [pytest.mark.spark, pytest.mark.slow]

RUNS = [f"0199a000-0000-7000-8000-{number:012}" for number in range(40)]
JANUARY, FEBRUARY = "2026-01", "2026-02"


@pytest.fixture(params=["jdbc", pytest.param("rest", marks=pytest.mark.campaign)])
def target(
    request: pytest.FixtureRequest, bucket: Bucket, tmp_path: Path
) -> Iterator[IcebergTarget]:
    with ExitStack() as held:
        lake = lake_in_bucket(bucket, tmp_path)
        if request.param == "rest":
            lake = held.enter_context(rest_lake(tmp_path, bucket))
        yield IcebergTarget(lake, "books.gl", "lake:books.gl")


def rows(spark: SparkSession, name: str, period: str = JANUARY) -> DataFrame:
    return local_frame(spark, [(name, period)], "id string, _period string")


def staged(
    frame: DataFrame, target: IcebergTarget, run: int, *periods: str, mode: Mode = "replace"
) -> StagedOutput:
    """As others find it in a record."""
    order = WriteRequest(mode, periods or None, RUNS[run], 1)
    output = json.loads(json.dumps(registry.stage(frame, target, order).as_json()))
    return StagedOutput.from_json(output, target, RUNS[run], 1)


def publish(output: StagedOutput, spark: SparkSession | None = None) -> None:
    registry.publish([output], Publishing(spark=None if spark is None else lambda: spark))


def put(
    frame: DataFrame, target: IcebergTarget, run: int, *periods: str, mode: Mode = "replace"
) -> None:
    publish(staged(frame, target, run, *periods, mode=mode))


def settled(target: IcebergTarget, run: int) -> bool:
    return registry.settle(target, RUNS[run], 1).published


def names(spark: SparkSession, target: IcebergTarget) -> list[str]:
    return names_in(spark, registry.table_of(target))


def names_in(spark: SparkSession, table: SourceTable) -> list[str]:
    with ExitStack() as held:
        (raw,) = registry.read(spark, [table], held)
        return sorted(row["id"] for row in raw.frame.collect())


def test_what_an_output_was_is_read_when_others_replaced_it(
    spark: SparkSession, target: IcebergTarget
) -> None:
    put(rows(spark, "january"), target, 0, JANUARY)
    put(rows(spark, "february", FEBRUARY), target, 1, FEBRUARY)
    put(rows(spark, "corrected"), target, 2, JANUARY)
    put(rows(spark, "more"), target, 3, JANUARY, mode="append")
    assert names(spark, target) == ["corrected", "february", "more"]
    found = registry.trace(target, RUNS[0], 1, ["id"], [JANUARY])
    assert found is not None
    assert names_in(spark, found.table) == ["january"]
    metadata = target.metadata()
    assert metadata is not None
    assert metadata.content["refs"].keys() == {"main"} | {f"rowbook_{RUNS[n]}_1" for n in range(4)}
    assert metadata.location == f"{target.catalog.warehouse}/books/gl"
    assert staged_leftovers(target) == []


def test_what_is_staged_is_published_without_spark(
    spark: SparkSession, target: IcebergTarget
) -> None:
    """As an output that waited for approval; seen by nobody until then."""
    output = staged(rows(spark, "first"), target, 0, JANUARY)
    table = registry.table_of(target)
    assert refusal(lambda: registry.contents(table)).code == "DATASOURCE_006"
    assert registry.damage(output) is None
    for _ in range(2):
        publish(output)
        assert names(spark, target) == ["first"]
    assert settled(target, 0)


def test_a_table_that_others_changed_gets_the_rows_all_the_same(
    spark: SparkSession, target: IcebergTarget
) -> None:
    put(rows(spark, "old"), target, 0, JANUARY)
    output = staged(rows(spark, "new"), target, 1, JANUARY)
    put(rows(spark, "other", FEBRUARY), target, 2, FEBRUARY)
    with pytest.raises(NeedsSparkError):
        publish(output)
    publish(output, spark)
    assert names(spark, target) == ["new", "other"]
    assert staged_leftovers(target) == []


def test_what_is_settled_before_it_is_published_never_is(
    spark: SparkSession, target: IcebergTarget
) -> None:
    put(rows(spark, "before"), target, 0, JANUARY)
    output = staged(rows(spark, "late"), target, 1, JANUARY)
    assert not settled(target, 1)
    assert registry.damage(output) == "its staged files are gone"
    assert refusal(lambda: publish(output)).code == "OUTPUT_006"
    assert (names(spark, target), staged_leftovers(target)) == (["before"], [])
    put(rows(spark, "again"), target, 1, JANUARY)
    assert names(spark, target) == ["again"]


def test_a_publisher_that_was_stopped_finds_the_door_closed(
    spark: SparkSession, target: IcebergTarget
) -> None:
    """It is about to exchange what the table is, when others give it up."""
    put(rows(spark, "before"), target, 0, JANUARY)
    output = staged(rows(spark, "late"), target, 1, JANUARY, mode="append")
    stopped = Publishing(announce=lambda _: refuse(settled(target, 1)))
    found = refusal(lambda: registry.publish([output], stopped))
    assert found.code == "OUTPUT_006"
    assert (names(spark, target), staged_leftovers(target)) == (["before"], [])


def refuse(published: bool) -> None:
    assert not published


def test_eight_writers_at_once_lose_nothing_and_readers_see_whole_states(
    spark: SparkSession, target: IcebergTarget
) -> None:
    """All of them stage upon the same table; who comes second stages again."""
    put(rows(spark, "0"), target, 0, JANUARY)
    outputs = [
        staged(rows(spark, f"{run}").union(rows(spark, f"{run}")), target, run, mode="append")
        for run in range(1, 9)
    ]
    done, states, faults = threading.Event(), list[list[str]](), list[BaseException]()

    def look() -> None:
        while not done.is_set():
            try:
                states.append(names(spark, target))
            except BaseException as fault:
                faults.append(fault)
                return

    reader = threading.Thread(target=look)
    reader.start()
    try:
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda output: publish(output, spark), outputs))
    finally:
        done.set()
        reader.join()
    assert faults == []
    assert names(spark, target) == sorted(["0", *"1122334455667788"])
    for state in states:
        assert all(state.count(name) == 2 for name in set(state) - {"0"})
    assert staged_leftovers(target) == []


def process_of(job: dict[str, Any], target: IcebergTarget, **variables: str) -> int | None:
    """How a process ended."""
    (grant,) = target.catalog.boundary.credentials
    folder = target.catalog.boundary.root
    given = {**job, "host": grant.host, "root": str(folder)}
    out, err = folder / "out", folder / "err"
    arguments = [json.dumps(given)]
    process = forked(one_output.main, arguments, {**os.environ, **variables}, out, err)
    process.join(120)
    return process.exitcode


def test_killed_at_any_point_an_output_is_the_table_or_never_is(
    spark: SparkSession, target: IcebergTarget, tmp_path: Path
) -> None:
    points = tmp_path / "points"
    counted = staged(rows(spark, "0"), target, 0, JANUARY)
    job = {"staged": counted.as_json(), "run": RUNS[0]}
    assert process_of(job, target, ROWBOOK_COUNT_WRITES=str(points)) == 0
    count = len(points.read_text(encoding="utf-8").splitlines())
    seen, before = [], "0"
    for number in range(1, count + 1):
        output = staged(rows(spark, f"{number}"), target, number, JANUARY)
        job = {"staged": output.as_json(), "run": RUNS[number]}
        killed = process_of(job, target, ROWBOOK_KILL_AT_WRITE=str(number))
        assert killed == -signal.SIGKILL
        seen.append(settled(target, number))
        before = f"{number}" if seen[-1] else before
        assert names(spark, target) == [before]
        assert staged_leftovers(target) == []
        assert settled(target, number) is seen[-1]
        assert is_refused(output) is (not seen[-1])
    assert seen == [False, True]


def is_refused(output: StagedOutput) -> bool:
    """Whether an output cannot be published any more."""
    try:
        publish(output)
    except RowbookError:
        return True
    return False


@pytest.mark.campaign
def test_killed_while_it_stages_an_output_leaves_nothing(
    spark: SparkSession, target: IcebergTarget
) -> None:
    put(rows(spark, "before"), target, 0, JANUARY)
    for number in range(1, 4):
        job = {"target": target.as_json(), "run": RUNS[number], "period": JANUARY}
        killed = process_of(job, target, ROWBOOK_KILL_AT_WRITE=str(number))
        assert killed == -signal.SIGKILL
        assert not settled(target, number)
        assert staged_leftovers(target) == []
    assert names(spark, target) == ["before"]


def test_damage_is_seen(spark: SparkSession, target: IcebergTarget, bucket: Bucket) -> None:
    output = staged(rows(spark, "a"), target, 0, JANUARY)
    name = next(file[0] for file in output.details["files"] if file[0].endswith(".parquet"))
    key = f"lake/books/gl/{output.details['folder']}/{name}"
    bucket.put({key: "x"})
    assert registry.damage(output) == f"its staged file '{name}' is damaged"
    bucket.store.delete(key)
    assert registry.damage(output) == f"its staged file '{name}' is gone"
    assert refusal(lambda: publish(output)).code == "OUTPUT_006"


def test_a_store_that_does_not_answer_is_asked_again_later(
    spark: SparkSession, target: IcebergTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = staged(rows(spark, "a"), target, 0, JANUARY)
    monkeypatch.setenv(VARIABLE, "keeper:wr0ng-Key")
    for ask in (lambda: settled(target, 0), lambda: registry.damage(output)):
        with pytest.raises(UnreachableError, match="cannot be used"):
            ask()


def test_a_record_leads_nowhere_else(target: IcebergTarget, bucket: Bucket) -> None:
    recorded = target.as_json()
    assert registry.target_from_json(recorded, bucket.boundary) == target
    options = {**target.catalog.options, "warehouse": "s3://other/lake"}
    outside = {**recorded, "catalog": {**recorded["catalog"], "options": options}}
    found = refusal(lambda: registry.target_from_json(outside, bucket.boundary))
    assert found.code == "DATASOURCE_004"


def test_metadata_that_leads_elsewhere_is_not_followed(
    spark: SparkSession, target: IcebergTarget, bucket: Bucket
) -> None:
    """Another table of the bucket that the workspace may not read."""
    put(rows(spark, "a"), target, 0, JANUARY)
    narrow = replace(bucket.boundary, allowed=(f"{bucket.url}/lake/other",))
    lake = replace(target.catalog, boundary=narrow)
    found = refusal(lambda: registry.contents(IcebergTable(lake, "books.gl", "lake:books.gl")))
    assert found.code == "DATASOURCE_004"


def test_the_keys_are_in_no_setting_of_the_session_and_no_plan(
    spark: SparkSession, target: IcebergTarget
) -> None:
    put(rows(spark, "a"), target, 0, JANUARY)
    with ExitStack() as held:
        (raw,) = registry.read(spark, [registry.table_of(target)], held)
        assert [row["id"] for row in raw.frame.collect()] == ["a"]
        plan = raw.frame._jdf.queryExecution().toString()
    session = json.dumps(dict(spark.sql("SET").rdd.map(tuple).collect()))
    output = staged(rows(spark, "b"), target, 1, JANUARY)
    for text in (plan, session, json.dumps(output.as_json()), repr(target)):
        assert SECRET not in text
        assert ACCESS not in text.replace(str(target.catalog.boundary.root), "")


def test_other_keys_for_the_same_bucket_are_the_ones_that_are_used(
    spark: SparkSession, target: IcebergTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hadoop would read with those that it knows the bucket by."""
    put(rows(spark, "a"), target, 0, JANUARY)
    monkeypatch.setenv("ROWBOOK_OTHER_KEYS", KEYS)
    monkeypatch.setenv("ROWBOOK_NO_KEYS", "keeper:wr0ng-Key")
    assert names_in(spark, with_keys(target, "env://ROWBOOK_OTHER_KEYS")) == ["a"]
    metadata = target.metadata()
    assert metadata is not None

    def denied() -> None:
        from rowbook.sources.iceberg.spark_tables import SnapshotScan

        with ExitStack() as held:
            lake = with_keys(target, "env://ROWBOOK_NO_KEYS").catalog
            SnapshotScan(spark, lake.warehouse, held).frame(metadata).collect()

    with pytest.raises(Exception, match=r"403|SignatureDoesNotMatch"):
        denied()
    assert names(spark, target) == ["a"]


def with_keys(target: IcebergTarget, reference: str) -> IcebergTable:
    (grant,) = target.catalog.boundary.credentials
    other = CredentialDefinition(ref=reference, host=grant.host)
    boundary = replace(target.catalog.boundary, credentials=(grant, other))
    options = {**target.catalog.options, "warehouse_keys": reference}
    lake = replace(target.catalog, options=options, boundary=boundary)
    return IcebergTable(lake, "books.gl", "lake:books.gl")
