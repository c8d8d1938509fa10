"""Outputs to Delta tables in a bucket: all of one is seen or nothing, whoever dies or races."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable as LakeTable
from deltalake import write_deltalake
from pyspark.sql import DataFrame, SparkSession

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.delta.delta_table import DeltaStoreTarget, DeltaTable
from rowbook.sources.delta.output_folder import OutputFolder
from rowbook.sources.source import Mode, Publishing, StagedOutput, WriteRequest
from rowbook.sources.source_errors import UnreachableError
from rowbook.sources.stores.object_store import ObjectStore
from tests.sources.delta import one_staging
from tests.sources.pointer import one_publication
from tests.sources.stores.buckets import VARIABLE, Bucket
from tests.support.forked import forked
from tests.support.local_frame import local_frame
from tests.support.object_store_server import ACCESS, SECRET
from tests.support.refusal import refusal

pytestmark = [pytest.mark.spark, pytest.mark.slow]

RUNS = [f"0199a000-0000-7000-8000-{number:012}" for number in range(40)]
JANUARY, FEBRUARY = "2026-01", "2026-02"
GIVEN_UP = "was not written: the run was given up for dead meanwhile"


def target_in(bucket: Bucket) -> DeltaStoreTarget:
    return DeltaStoreTarget(bucket.path("out/gl"))


def rows(spark: SparkSession, name: str, period: str = JANUARY) -> DataFrame:
    return local_frame(spark, [(name, period)], "id string, _period string")


def staged(
    frame: DataFrame, bucket: Bucket, run: int, *periods: str, mode: Mode = "replace"
) -> StagedOutput:
    order = WriteRequest(mode, periods or None, RUNS[run], 1)
    return registry.stage(frame, target_in(bucket), order)


def publish(output: StagedOutput) -> None:
    registry.publish([output], Publishing())


def put(frame: DataFrame, bucket: Bucket, run: int, *periods: str, mode: Mode = "replace") -> None:
    publish(staged(frame, bucket, run, *periods, mode=mode))


def settled(bucket: Bucket, run: int) -> bool:
    return registry.settle(target_in(bucket), RUNS[run], 1).published


def lake(bucket: Bucket) -> dict[str, str]:
    return {
        "AWS_ENDPOINT_URL": bucket.server.endpoint,
        "AWS_ACCESS_KEY_ID": ACCESS,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
        "AWS_ALLOW_HTTP": "true",
        "aws_conditional_put": "etag",
    }


def names(bucket: Bucket, version: int | None = None) -> list[str]:
    """As a reader sees them that is neither Rowbook nor Spark."""
    table = LakeTable(f"{bucket.url}/out/gl", version=version, storage_options=lake(bucket))
    return sorted(table.to_pyarrow_table(columns=["id"]).column("id").to_pylist())


def commits(bucket: Bucket) -> list[str]:
    """What each commit of the table says that it is."""
    found = sorted(each.key for each in bucket.store.list("out/gl/_delta_log"))
    texts = [bucket.path(key).read_text("utf-8") for key in found if key.endswith(".json")]
    infos = (json.loads(line) for text in texts for line in text.splitlines())
    return [each["commitInfo"]["operation"] for each in infos if "commitInfo" in each]


def left_of(bucket: Bucket, run: int) -> list[str]:
    """Objects of a run; what Hadoop takes for a folder is none."""
    found = bucket.store.list(f"out/gl/rowbook-{RUNS[run]}")
    return [each.key for each in found if each.size]


def test_others_read_what_was_written_and_what_it_was_before(
    spark: SparkSession, bucket: Bucket
) -> None:
    put(rows(spark, "january"), bucket, 0, JANUARY)
    put(rows(spark, "february", FEBRUARY), bucket, 1, FEBRUARY)
    put(rows(spark, "corrected"), bucket, 2, JANUARY)
    put(rows(spark, "more"), bucket, 3, JANUARY, mode="append")
    assert names(bucket) == ["corrected", "february", "more"]
    assert names(bucket, 1) == ["february", "january"]
    found = registry.trace(target_in(bucket), RUNS[1], 1, ["id"], [JANUARY])
    assert found is not None
    assert isinstance(found.table, DeltaTable)
    assert found.table.version == 1
    with ExitStack() as held:
        (raw,) = registry.read(spark, [found.table], held)
        assert [row["id"] for row in raw.frame.collect()] == ["january"]
    assert all(".parquet" in key for run in range(4) for key in left_of(bucket, run))


def test_what_is_staged_is_seen_by_nobody(spark: SparkSession, bucket: Bucket) -> None:
    output = staged(rows(spark, "first"), bucket, 0, JANUARY)
    table = registry.table_of(output.target)
    assert refusal(lambda: registry.contents(table)).code == "DATASOURCE_006"
    publish(output)
    assert names(bucket) == ["first"]
    publish(output)
    assert commits(bucket) == ["WRITE"]
    assert settled(bucket, 0)


def test_columns_are_added_and_replaced(spark: SparkSession, bucket: Bucket) -> None:
    put(rows(spark, "a"), bucket, 0, JANUARY)
    wider = local_frame(spark, [("b", 1, JANUARY)], "id string, n int, _period string")
    put(wider, bucket, 1, JANUARY, mode="append")
    table = registry.table_of(target_in(bucket))
    assert set(registry.columns(table)) == {"id", "_period", "n"}
    assert names(bucket) == ["a", "b"]
    put(local_frame(spark, [("c",)], "id string"), bucket, 2)
    assert registry.columns(table) == ("id",)
    assert names(bucket) == ["c"]


def test_tables_of_others_are_written_where_naming_files_is_enough(
    spark: SparkSession, bucket: Bucket
) -> None:
    theirs = pa.table({"id": ["theirs"], "_period": [FEBRUARY]})
    url, options = f"{bucket.url}/out/gl", lake(bucket)
    write_deltalake(url, theirs, partition_by=["_period"], storage_options=options)
    put(rows(spark, "ours"), bucket, 0, JANUARY)
    write_deltalake(url, theirs, mode="append", storage_options=options)
    assert names(bucket) == ["ours", "theirs", "theirs"]
    LakeTable(url, storage_options=options).alter.add_constraint({"some": "id <> 'x'"})
    found = refusal(lambda: put(rows(spark, "more"), bucket, 1, JANUARY))
    assert (found.code, "constraints" in found.message) == ("OUTPUT_006", True)


def test_a_folder_of_other_objects_is_no_table(spark: SparkSession, bucket: Bucket) -> None:
    bucket.put({"out/gl/theirs.csv": "x"})
    found = refusal(lambda: put(rows(spark, "a"), bucket, 0, JANUARY))
    assert "holds 'theirs.csv'" in found.message
    assert left_of(bucket, 0) == []


def test_a_table_whose_log_is_broken_is_not_begun_anew(spark: SparkSession, bucket: Bucket) -> None:
    bucket.put({"out/gl/_delta_log/00000000000000000007.json": "{}\n"})
    found = refusal(lambda: put(rows(spark, "a"), bucket, 0, JANUARY))
    assert "commits are missing" in found.message


def test_what_is_settled_before_it_is_published_never_is(
    spark: SparkSession, bucket: Bucket
) -> None:
    put(rows(spark, "before"), bucket, 0, JANUARY)
    output = staged(rows(spark, "late"), bucket, 1, JANUARY)
    assert registry.damage(output) is None
    assert not settled(bucket, 1)
    assert registry.damage(output) == "its staged files are gone"
    assert refusal(lambda: publish(output)).code == "OUTPUT_006"
    assert (left_of(bucket, 1), commits(bucket)) == ([], ["WRITE"])
    put(rows(spark, "again"), bucket, 1, JANUARY)
    assert names(bucket) == ["again"]


@pytest.mark.parametrize("is_first", [False, True])
def test_a_publisher_that_was_stopped_finds_the_door_closed(
    spark: SparkSession, bucket: Bucket, is_first: bool
) -> None:
    """It has claimed its output, and is about to commit it, when others give it up."""
    if not is_first:
        put(rows(spark, "before"), bucket, 0, JANUARY)
    output = staged(rows(spark, "late"), bucket, 1, JANUARY, mode="append")
    stopped = Publishing(announce=lambda _: refuse(settled(bucket, 1)))
    found = refusal(lambda: registry.publish([output], stopped))
    assert found.message.endswith(GIVEN_UP)
    assert left_of(bucket, 1) == []
    assert commits(bucket)[-1] == "ROWBOOK GIVE UP"
    table = registry.table_of(output.target)
    if is_first:
        assert refusal(lambda: registry.contents(table)).code == "DATASOURCE_006"
    else:
        assert names(bucket) == ["before"]
    put(rows(spark, "again"), bucket, 1, JANUARY, mode="error_if_exists" if is_first else "append")
    assert names(bucket) == (["again"] if is_first else ["again", "before"])
    assert settled(bucket, 1)


def refuse(published: bool) -> None:
    assert not published


def test_who_stages_while_it_is_given_up_stages_nothing(
    spark: SparkSession, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = OutputFolder.move

    def given_up(folder: OutputFolder, *rest: Any) -> bool:
        monkeypatch.undo()
        monkeypatch.setenv(VARIABLE, f"{ACCESS}:{SECRET}")
        assert not settled(bucket, 0)
        return move(folder, *rest)

    monkeypatch.setattr(OutputFolder, "move", given_up)
    with pytest.raises(RowbookError, match="given up for dead"):
        staged(rows(spark, "late"), bucket, 0, JANUARY)
    assert left_of(bucket, 0) == []


def test_eight_writers_at_once_lose_nothing(spark: SparkSession, bucket: Bucket) -> None:
    outputs = [
        staged(rows(spark, f"{run}"), bucket, run, JANUARY, mode="append") for run in range(8)
    ]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(publish, outputs))
    assert names(bucket) == [f"{run}" for run in range(8)]
    assert commits(bucket) == ["WRITE"] * 8


def process_of(
    main: Callable[[], object], bucket: Bucket, job: dict[str, Any], **variables: str
) -> int | None:
    """How a process ended."""
    given = {**job, "host": bucket.server.host, "root": str(bucket.root)}
    out, err = bucket.root / "out", bucket.root / "err"
    process = forked(main, [json.dumps(given)], {**os.environ, **variables}, out, err)
    process.join(120)
    return process.exitcode


def test_killed_at_any_point_an_output_is_the_table_or_never_is(
    spark: SparkSession, bucket: Bucket
) -> None:
    points = bucket.root / "points"
    counted = staged(rows(spark, "0"), bucket, 0, JANUARY)
    job = {"staged": counted.as_json(), "run": RUNS[0]}
    variable = {"ROWBOOK_COUNT_WRITES": str(points)}
    assert process_of(one_publication.main, bucket, job, **variable) == 0
    count = len(points.read_text(encoding="utf-8").splitlines())
    assert count == 4
    seen, before = [], "0"
    for number in range(1, count + 1):
        output = staged(rows(spark, f"{number}"), bucket, number, JANUARY)
        job = {"staged": output.as_json(), "run": RUNS[number]}
        variable = {"ROWBOOK_KILL_AT_WRITE": str(number)}
        assert process_of(one_publication.main, bucket, job, **variable) == -signal.SIGKILL
        seen.append(settled(bucket, number))
        before = f"{number}" if seen[-1] else before
        assert names(bucket) == [before]
        assert bool(left_of(bucket, number)) is seen[-1]
        assert settled(bucket, number) is seen[-1]
        assert refusal_or_none(output) is (not seen[-1])
    assert seen == [False, False, True, True]


def refusal_or_none(output: StagedOutput) -> bool:
    """Whether an output cannot be published any more."""
    try:
        publish(output)
    except RowbookError:
        return True
    return False


@pytest.mark.campaign
def test_killed_while_it_stages_an_output_leaves_nothing(
    spark: SparkSession, bucket: Bucket
) -> None:
    put(rows(spark, "before"), bucket, 0, JANUARY)
    for number in range(1, 4):
        job = {"target": target_in(bucket).as_json(), "run": RUNS[number], "period": JANUARY}
        variable = {"ROWBOOK_KILL_AT_WRITE": str(number)}
        assert process_of(one_staging.main, bucket, job, **variable) == -signal.SIGKILL
        assert not settled(bucket, number)
        assert left_of(bucket, number) == []
    assert names(bucket) == ["before"]


def test_damage_is_seen(spark: SparkSession, bucket: Bucket) -> None:
    output = staged(rows(spark, "a"), bucket, 0, JANUARY)
    ((name, _, _),) = output.details["files"]
    key = f"out/gl/{output.details['folder']}/{name}"
    bucket.put({key: "x"})
    assert registry.damage(output) == f"its staged file '{name}' is another object now"
    bucket.store.delete(key)
    assert registry.damage(output) == f"its staged file '{name}' is gone"
    assert refusal(lambda: publish(output)).code == "OUTPUT_006"


def test_a_store_that_does_not_answer_is_asked_again_later(
    spark: SparkSession, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = staged(rows(spark, "a"), bucket, 0, JANUARY)
    monkeypatch.setenv(VARIABLE, "keeper:wr0ng-Key")
    for ask in (lambda: settled(bucket, 0), lambda: registry.damage(output)):
        with pytest.raises(UnreachableError, match="cannot be used"):
            ask()


def test_a_record_leads_nowhere_else(spark: SparkSession, bucket: Bucket) -> None:
    target = target_in(bucket)
    assert registry.target_from_json(target.as_json(), bucket.boundary) == target
    outside = {**target.as_json(), "url": "s3://other/out"}
    found = refusal(lambda: registry.target_from_json(outside, bucket.boundary))
    assert found.code == "DATASOURCE_004"
    with pytest.raises(ValueError, match="no folder of output"):
        OutputFolder.recorded(target.path, f"../x/rowbook-{RUNS[0]}", RUNS[0], 1)


def test_a_bucket_that_honours_no_conditions_is_refused(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one whose server puts whatever it is given."""

    def over(store: ObjectStore, key: str, data: bytes) -> str | None:
        file = bucket.root / "over"
        file.write_bytes(data)
        return store.upload(key, file)

    monkeypatch.setattr(ObjectStore, "put_if_absent", over)
    assert refusal(lambda: registry.existing(target_in(bucket))).code == "DATASOURCE_008"
