"""A run as it is recorded: its statuses, its parts, lists, requests to cancel."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import sqlalchemy as sa

from rowbook.errors import RowbookError
from rowbook.store import CancelRequest, Store
from tests.store.samples import (
    ANN,
    AT,
    FAILURE,
    TIMINGS,
    TTL,
    after,
    begun,
    completed,
    failed,
    new_draft,
    started,
)


def test_a_run_that_begins_is_queued_with_all_that_was_asked_for(store: Store) -> None:
    local = datetime(2026, 2, 3, 12, 0, tzinfo=timezone(timedelta(hours=2)))
    begun(store, clock=local)
    run = store.runs.get("r1")
    assert (run.status, run.created_at, run.started_at, run.finished_at) == (
        "queued",
        AT,
        None,
        None,
    )
    assert (run.project_id, run.project_name, run.project_version) == ("p1", "close", 3)
    assert (run.draft, run.period, run.as_of) == (False, "2026-01", "2026-01-31")
    assert (run.clock, run.clock.tzinfo) == (AT, UTC)
    assert (run.trigger, run.engine, run.requested_by) == ("cli", "local[*]", "ann")
    assert run.writes_into == ("2026-01",)
    assert store.runs.snapshot("r1") is None


def test_a_run_starts_with_its_snapshot(store: Store) -> None:
    lease = begun(store)
    snapshot = {"z": 1, "a": {"operations": ["delete"]}}
    with store.writing_as(lease, at=after(1)) as writes:
        writes.start(snapshot)
    found = store.runs.snapshot("r1")
    assert found == snapshot
    assert list(found) == ["z", "a"]
    run = store.runs.get("r1")
    assert (run.status, run.started_at) == ("running", after(1))


def test_a_completed_run_says_when_and_keeps_its_timings(store: Store) -> None:
    lease = started(store)
    with store.writing_as(lease, at=after(9)) as writes:
        writes.complete(TIMINGS)
    run = store.runs.get("r1")
    assert (run.status, run.finished_at, run.timings) == ("completed", after(9), TIMINGS)
    assert run.failure is None


def test_a_failed_run_says_why(store: Store) -> None:
    failed(store)
    run = store.runs.get("r1")
    assert (run.status, run.failure, run.staging) == ("failed", FAILURE, "kept")


def test_a_run_leaves_ledger_outputs_and_warnings_in_order(store: Store) -> None:
    lease = started(store)
    for seq in (30, 10, 20):
        with store.writing_as(lease, at=after(seq)) as writes:
            writes.record_step(seq, {"rows_out": seq})
            writes.warn({"code": "W", "seq": seq})
    with store.writing_as(lease, at=after(31)) as writes:
        writes.record_output(30, {"rows": 7})
    record = store.runs.record("r1")
    assert [(s.seq, s.entry, s.recorded_at) for s in record.steps] == [
        (10, {"rows_out": 10}, after(10)),
        (20, {"rows_out": 20}, after(20)),
        (30, {"rows_out": 30}, after(30)),
    ]
    assert [(o.seq, o.output) for o in record.outputs] == [(30, {"rows": 7})]
    assert [(w.number, w.warning["seq"]) for w in record.warnings] == [(1, 30), (2, 10), (3, 20)]
    assert record.run == store.runs.get("r1")
    assert record.resumptions == ()


def test_a_step_that_is_recorded_again_takes_the_place_of_the_first(store: Store) -> None:
    lease = started(store)
    for rows in (1, 2):
        with store.writing_as(lease, at=AT) as writes:
            writes.record_step(10, {"rows_out": rows})
            writes.record_output(10, {"rows": rows})
    record = store.runs.record("r1")
    assert [s.entry for s in record.steps] == [{"rows_out": 2}]
    assert [o.output for o in record.outputs] == [{"rows": 2}]


def test_writes_made_together_become_durable_together(store: Store) -> None:
    lease = started(store)
    with pytest.raises(RowbookError), store.writing_as(lease, at=AT) as writes:  # noqa: PT012
        writes.record_step(10, {})
        writes.warn({})
        writes.start({})
    record = store.runs.record("r1")
    assert (record.steps, record.warnings) == ((), ())


@pytest.mark.parametrize(
    ("before", "then", "text"),
    [
        ("queued", "complete", "run r1 is queued and cannot become completed"),
        ("running", "start", "run r1 is running and cannot become running"),
    ],
)
def test_a_status_that_cannot_follow_is_refused(
    before: str, then: str, text: str, store: Store
) -> None:
    lease = begun(store) if before == "queued" else started(store)
    with pytest.raises(RowbookError) as refused, store.writing_as(lease, at=AT) as writes:
        getattr(writes, then)({})
    (finding,) = refused.value.diagnostics
    assert (finding.code, finding.message) == ("RUN_005", text)
    assert store.runs.get("r1").status == before


def test_a_run_that_could_not_start_can_fail_or_be_cancelled(store: Store) -> None:
    with store.writing_as(begun(store), at=AT) as writes:
        writes.fail(FAILURE, TIMINGS)
    with store.writing_as(begun(store, "r2"), at=AT) as writes:
        writes.cancel(TIMINGS)
    assert [r.status for r in store.runs.newest()] == ["cancelled", "failed"]


def test_runs_are_listed_newest_first_with_filters(store: Store) -> None:
    completed(store, "a", at=after(1))
    failed(store, "b", at=after(2), period="2026-02")
    completed(store, "c", at=after(3), project_id="p2", project_name="budget")
    started(store, "d", at=after(3))

    def ids(**filters: Any) -> list[str]:
        return [run.id for run in store.runs.newest(**filters)]

    assert ids() == ["d", "c", "b", "a"]
    assert ids(limit=2) == ["d", "c"]
    assert ids(project="close") == ["d", "b", "a"]
    assert ids(project="p2") == ["c"]
    assert ids(period="2026-01") == ["d", "c", "a"]
    assert ids(status="completed") == ["c", "a"]
    assert ids(project="close", status="completed", period="2026-01", limit=1) == ["a"]
    assert ids(project="other") == []


@pytest.mark.parametrize("verb", ["get", "record", "snapshot"])
def test_a_run_that_is_not_there_is_refused(verb: str, store: Store) -> None:
    with pytest.raises(RowbookError, match="RUN_006  there is no run nowhere"):
        getattr(store.runs, verb)("nowhere")


def test_an_id_is_used_once(store: Store) -> None:
    completed(store)
    with pytest.raises(sa.exc.IntegrityError):
        begun(store)


def test_a_request_to_cancel_is_seen_by_the_run(store: Store) -> None:
    lease = started(store)
    assert store.runs.get("r1").cancel_requested is None
    assert not store.leases.heartbeat(lease, at=AT, ttl=TTL).cancel_requested
    asked = store.runs.request_cancel("r1", by="ben", at=after(2))
    assert (asked.status, asked.cancel_requested) == ("running", CancelRequest(after(2), "ben"))
    assert store.leases.heartbeat(lease, at=AT, ttl=TTL).cancel_requested
    assert store.runs.request_cancel("r1", by="ann", at=after(3)).cancel_requested == CancelRequest(
        after(2), "ben"
    )


def test_a_run_that_was_taken_but_not_started_is_asked(store: Store) -> None:
    begun(store)
    assert store.runs.request_cancel("r1", by="ben", at=after(2)).status == "queued"


def test_a_run_that_has_ended_cannot_be_cancelled(store: Store) -> None:
    completed(store)
    with pytest.raises(
        RowbookError, match="RUN_005  run r1 is completed and has nothing to cancel"
    ):
        store.runs.request_cancel("r1", by="ben", at=after(2))


def test_a_draft_has_no_version(store: Store) -> None:
    store.leases.begin(new_draft(), ANN, at=AT, ttl=TTL)
    run = store.runs.get("d1")
    assert (run.draft, run.project_version) == (True, None)


def judged(store: Store, run_id: str, seconds: float, status: str, **changes: Any) -> None:
    """A run that completed with one expectation."""
    lease = started(store, run_id, after(seconds), **changes)
    with store.writing_as(lease, at=after(seconds + 1)) as writes:
        writes.record_expectations([{"name": "journals balance", "status": status}])
        writes.complete(TIMINGS)


def test_a_run_keeps_what_became_of_its_expectations_and_who_waived_them(store: Store) -> None:
    lease = started(store)
    with store.writing_as(lease, at=after(1)) as writes:
        writes.record_expectations([{"name": "a"}, {"name": "b"}])
        writes.waive({"name": "b", "by": "ann"})
    record = store.runs.record("r1")
    assert [(e.number, e.verdict, e.recorded_at) for e in record.expectations] == [
        (1, {"name": "a"}, after(1)),
        (2, {"name": "b"}, after(1)),
    ]
    assert [(w.number, w.waiver) for w in record.waivers] == [(1, {"name": "b", "by": "ann"})]


def test_expectations_that_are_recorded_again_take_the_place_of_the_first(store: Store) -> None:
    lease = started(store)
    for names in (("a", "b"), ("c",)):
        with store.writing_as(lease, at=AT) as writes:
            writes.record_expectations([{"name": name} for name in names])
            writes.waive({"name": names[0]})
    record = store.runs.record("r1")
    assert [e.verdict for e in record.expectations] == [{"name": "c"}]
    assert [w.waiver["name"] for w in record.waivers] == ["a", "c"]


def test_past_expectations_are_those_of_the_last_published_run_of_each_period(
    store: Store,
) -> None:
    judged(store, "r1", 0, "violated", period="2025-12")
    judged(store, "r2", 10, "passed", period="2025-12")
    judged(store, "r3", 20, "tolerated")
    judged(store, "r4", 30, "passed", project_id="p2")
    failed(store, "r5", after(40))
    lease = store.leases.begin(new_draft("d1"), ANN, at=after(50), ttl=TTL)
    with store.writing_as(lease, at=after(51)) as writes:
        writes.start({})
        writes.record_expectations([{"status": "violated"}])
        writes.complete(TIMINGS)

    def found(**choice: Any) -> list[tuple[str, str, list[str]]]:
        past = store.runs.past_expectations("p1", **choice)
        return [(p.run_id, p.period, [v["status"] for v in p.verdicts]) for p in past]

    december, january = ("r2", "2025-12", ["passed"]), ("r3", "2026-01", ["tolerated"])
    assert found() == [january, december]
    assert found(limit=1) == [january]
    assert found(period="2025-12") == [december]
    assert found(before=after(5)) == [("r1", "2025-12", ["violated"])]
    assert found(period="2025-11") == []
