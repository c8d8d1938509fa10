"""Outputs to a bucket: all of one is seen or nothing, whoever dies or races."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.pointer.source import RUNS as FOLDER
from rowbook.sources.pointer.source import PointerSource
from rowbook.sources.pointer.target import PointerTarget
from rowbook.sources.source import Mode, Publishing, StagedOutput, WriteResult
from rowbook.sources.source_errors import UnreachableError
from rowbook.sources.stores.object_store import ObjectStore
from tests.sources.pointer import one_publication
from tests.sources.stores.buckets import VARIABLE, Bucket
from tests.support.forked import forked
from tests.support.refusal import refusal

RUNS = [f"0199a000-0000-7000-8000-{number:012}" for number in range(20)]


def target_in(bucket: Bucket) -> PointerTarget:
    return PointerTarget("csv", bucket.path("out/closed"), bucket.root)


def staged(
    bucket: Bucket,
    run: str,
    text: str,
    period: str | None = None,
    mode: Mode = "replace",
    seq: int = 1,
) -> StagedOutput:
    """Files as `stage` leaves them, without Spark."""
    target = target_in(bucket)
    pointer = _closings(target, run, seq)
    folder = f"period={period}/" if period else ""
    name = f"{FOLDER}/{run}/{seq}-{pointer}/{folder}part-0.csv"
    bucket.put({f"out/closed/{name}": f"account\n{text}\n"})
    found = bucket.store.head(f"out/closed/{name}")
    assert found is not None
    files = [{"name": name, "size": found.size, "etag": found.etag}]
    written = WriteResult(1, 1, found.size, 0)
    periods = (period,) if period else None
    details = {"files": files, "closings": pointer}
    return StagedOutput(target, mode, periods, run, seq, written, details)


def _closings(target: PointerTarget, run: str, seq: int) -> int:
    from rowbook.sources.stores.table_pointer import StoredPointer

    return StoredPointer.at(target.path).pointer.closings(run, seq)


def publish(*outputs: StagedOutput) -> None:
    registry.publish(outputs, Publishing())


def accounts(bucket: Bucket, table: FileTable | None = None) -> list[str]:
    """As somebody reads the table now."""
    found = table or FileTable("csv", bucket.path("out/closed"), label="out")
    rows = (row for plain in registry.read_plain([found.pin()]) for row in plain.rows)
    return sorted(str(row["account"]) for row in rows)


def test_an_output_is_the_table_once_it_is_published(bucket: Bucket) -> None:
    output = staged(bucket, RUNS[0], "4000")
    nothing = refusal(lambda: registry.contents(registry.table_of(output.target)))
    assert nothing.code == "DATASOURCE_006"
    publish(output)
    assert accounts(bucket) == ["4000"]


def test_a_period_is_replaced_and_others_stay(bucket: Bucket) -> None:
    publish(staged(bucket, RUNS[0], "january", "2026-01"))
    publish(staged(bucket, RUNS[1], "february", "2026-02"))
    publish(staged(bucket, RUNS[2], "corrected", "2026-01"))
    assert accounts(bucket) == ["corrected", "february"]


def test_rows_are_appended(bucket: Bucket) -> None:
    publish(staged(bucket, RUNS[0], "a"), staged(bucket, RUNS[1], "b", mode="append"))
    assert accounts(bucket) == ["a", "b"]


def test_what_is_there_already_is_not_written_over_by_error_if_exists(bucket: Bucket) -> None:
    publish(staged(bucket, RUNS[0], "a", mode="error_if_exists"))
    again = staged(bucket, RUNS[1], "b", mode="error_if_exists")
    assert refusal(lambda: publish(again)).code == "OUTPUT_006"
    assert accounts(bucket) == ["a"]


def test_rows_without_periods_are_not_mixed_with_rows_of_periods(bucket: Bucket) -> None:
    publish(staged(bucket, RUNS[0], "a"))
    other = staged(bucket, RUNS[1], "b", "2026-01")
    assert "without _period" in refusal(lambda: publish(other)).message


def test_objects_of_somebody_else_are_no_table_of_ours(bucket: Bucket) -> None:
    bucket.put({"out/closed/theirs.csv": "account\nx\n"})
    output = staged(bucket, RUNS[0], "a")
    found = refusal(lambda: publish(output))
    assert "theirs.csv" in found.message
    bucket.put({"out/closed/current.json": "{}"})
    assert "is no pointer of Rowbook" in refusal(lambda: publish(output)).message


def test_an_output_is_published_once_however_often_it_is_asked(bucket: Bucket) -> None:
    output = staged(bucket, RUNS[0], "a", mode="append")
    publish(output)
    publish(output)
    assert accounts(bucket) == ["a"]


def test_what_is_settled_as_not_published_never_is(bucket: Bucket) -> None:
    output = staged(bucket, RUNS[0], "late")
    assert registry.settle(output.target, RUNS[0], 1).published is False
    late = refusal(lambda: publish(output))
    assert late.code == "OUTPUT_006"
    assert [each.key for each in bucket.store.list(f"out/closed/{FOLDER}")] == []
    again = staged(bucket, RUNS[0], "resumed")
    publish(again)
    assert registry.settle(output.target, RUNS[0], 1).published is True
    assert accounts(bucket) == ["resumed"]


def test_a_publisher_that_was_stopped_finds_the_door_closed(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has read the pointer, and is about to replace it, when others give it up."""
    publish(staged(bucket, RUNS[0], "before"))
    output = staged(bucket, RUNS[1], "late")
    put, is_stopped = ObjectStore.put_if_unchanged, [True]

    def stopped(store: ObjectStore, key: str, data: bytes, etag: str) -> str | None:
        if is_stopped.pop() if is_stopped else False:
            assert registry.settle(output.target, RUNS[1], 1).published is False
        return put(store, key, data, etag)

    monkeypatch.setattr(ObjectStore, "put_if_unchanged", stopped)
    with pytest.raises(RowbookError, match="given up for dead"):
        publish(output)
    assert accounts(bucket) == ["before"]


@pytest.mark.parametrize(("point", "is_published"), [(1, False), (2, True)])
def test_killed_while_it_publishes_an_output_is_the_table_or_never_is(
    bucket: Bucket, point: int, is_published: bool
) -> None:
    publish(staged(bucket, RUNS[0], "before"))
    output = staged(bucket, RUNS[1], "after")
    job = {"staged": output.as_json(), "run": RUNS[1], "host": bucket.server.host}
    given = [json.dumps({**job, "root": str(bucket.root)})]
    variables = {**os.environ, "ROWBOOK_KILL_AT_WRITE": str(point)}
    out, err = bucket.root / "out", bucket.root / "err"
    process = forked(one_publication.main, given, variables, out, err)
    process.join(60)
    assert process.exitcode == -signal.SIGKILL, err.read_text()
    assert registry.settle(output.target, RUNS[1], 1).published is is_published
    assert accounts(bucket) == ["after" if is_published else "before"]


def test_eight_writers_at_once_lose_nothing(bucket: Bucket) -> None:
    outputs = [staged(bucket, run, run[-2:], mode="append") for run in RUNS[:8]]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(publish, outputs))
    assert accounts(bucket) == [f"{number:02}" for number in range(8)]


def test_a_reader_sees_the_old_or_the_new(bucket: Bucket) -> None:
    """Two periods are replaced together again and again; both always have one number."""
    done, seen = threading.Event(), set[tuple[str, ...]]()

    def both(number: int) -> StagedOutput:
        first, second = (
            staged(bucket, RUNS[number], f"{number:02}", period, seq=seq)
            for seq, period in ((1, "2026-01"), (2, "2026-02"))
        )
        files: Sequence[Any] = (*first.details["files"], *second.details["files"])
        details = {"files": list(files), "closings": 0}
        periods = ("2026-01", "2026-02")
        return StagedOutput(
            first.target, "replace", periods, RUNS[number], 1, first.written, details
        )

    publish(both(0))

    def poll() -> None:
        while not done.is_set():
            seen.add(tuple(accounts(bucket)))

    reader = threading.Thread(target=poll)
    reader.start()
    for number in range(1, 12):
        publish(both(number))
    done.set()
    reader.join()
    assert seen
    assert all(len(pair) == 2 and pair[0] == pair[1] for pair in seen), seen


def test_an_output_is_found_again_after_others_replaced_it(bucket: Bucket) -> None:
    first = staged(bucket, RUNS[0], "first")
    publish(first)
    publish(staged(bucket, RUNS[1], "second"))
    found = registry.trace(first.target, RUNS[0], 1, ["account"])
    assert found is not None
    assert isinstance(found.table, FileTable)
    assert (accounts(bucket, found.table), found.since) == (["first"], ())
    assert registry.trace(first.target, RUNS[2], 1, ["account"]) is None


def test_a_store_that_does_not_answer_is_asked_again_later(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = staged(bucket, RUNS[0], "a")
    monkeypatch.setenv(VARIABLE, "keeper:wr0ng-Key")
    for ask in (
        lambda: registry.settle(output.target, RUNS[0], 1),
        lambda: registry.damage(output),
    ):
        with pytest.raises(UnreachableError, match="cannot be used"):
            ask()


def test_damage_is_seen(bucket: Bucket) -> None:
    output = staged(bucket, RUNS[0], "a")
    assert registry.damage(output) is None
    name = output.details["files"][0]["name"]
    bucket.put({f"out/closed/{name}": "account\nb\n"})
    assert registry.damage(output) == f"{name} is another object now"
    bucket.store.delete(f"out/closed/{name}")
    assert registry.damage(output) == f"{name} is gone"
    assert refusal(lambda: publish(output)).code == "OUTPUT_006"


def test_a_target_comes_back_from_its_record_inside_the_boundary(bucket: Bucket) -> None:
    target = target_in(bucket)
    again = registry.target_from_json(target.as_json(), bucket.boundary)
    assert again == target
    outside = {**target.as_json(), "url": "s3://other/out"}
    found = refusal(lambda: registry.target_from_json(outside, bucket.boundary))
    assert found.code == "DATASOURCE_004"


def test_a_bucket_that_honours_no_conditions_is_refused(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one whose server puts whatever it is given."""

    def over(store: ObjectStore, key: str, data: bytes) -> str | None:
        file = bucket.root / "over"
        file.write_bytes(data)
        return store.upload(key, file)

    monkeypatch.setattr(ObjectStore, "put_if_absent", over)
    found = refusal(lambda: PointerSource().existing(target_in(bucket)))
    assert found.code == "DATASOURCE_008"
    assert "conditions" in found.message
    assert bucket.store.list("") == ()
