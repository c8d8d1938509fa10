"""Every record is sealed by what changes it, and a change behind the store's back is found."""

from __future__ import annotations

import hashlib
import json

import pytest

from rowbook.store import Activation, Conflict, Store
from rowbook.store.seals.canonical_records import Subject, run_subject
from rowbook.store.seals.seal import ORIGIN, SealHead
from rowbook.store.seals.sealer import Sealer
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import (
    ANN,
    AT,
    BEN,
    CALENDAR,
    FAILURE,
    TIMINGS,
    TTL,
    after,
    begun,
    completed,
    dataset,
    failed,
    new_run,
    started,
)
from tests.store.seals.tampering import findings, kinds, tamper


def whole_run(store: Store, run_id: str = "r1") -> None:
    """A run with one of everything."""
    lease = started(store, run_id)
    with store.writing_as(lease, at=after(1)) as writes:
        writes.record_snapshot({"operations": [], "writes": [], "datasets": [{"sha256": "ab"}]})
    with store.writing_as(lease, at=after(2)) as writes:
        writes.record_step(10, {"rows_in": 7, "rows_out": 5})
        writes.record_output(20, {"rows": 5, "share": 0.5})
        writes.record_expectations([{"name": "balances", "status": "passed"}])
        writes.warn({"message": "late"})
    with store.writing_as(lease, at=after(3)) as writes:
        writes.complete(TIMINGS)


def test_an_empty_store_has_no_head_and_is_whole(store: Store) -> None:
    assert store.seals.head() is None
    report = store.seals.verify()
    assert (report.verdict, report.seals, report.head) == ("whole", 0, None)


def test_a_run_is_sealed_when_it_starts_knows_its_input_and_ends(store: Store) -> None:
    whole_run(store)
    assert kinds(store) == ["run started", "input recorded", "run completed"]
    assert findings(store) == []
    head = store.seals.head()
    assert head is not None
    assert str(head) == f"3:{head.hash[:16]}"


def test_each_seal_is_the_hash_of_its_statement_and_follows_the_one_before(store: Store) -> None:
    whole_run(store)
    previous = ORIGIN
    for number, line in enumerate(store.seals.export(), 1):
        statement = json.loads(line["statement"])
        assert (statement["number"], statement["previous"]) == (number, previous)
        previous = hashlib.sha256(line["statement"].encode()).hexdigest()
        assert line["hash"] == previous
    assert statement["subject"] == "run r1"
    assert statement["at"] == "2026-02-03T10:00:03.000000Z"
    assert statement["by"] == "ann"


def test_an_export_has_the_records_that_still_are_as_sealed(store: Store) -> None:
    whole_run(store)
    store.periods.close(CALENDAR, "2026-01", by="ann", at=AT, reason="done")
    started_, known, ended, closed = store.seals.export(records=True)
    assert (started_["record"], known["record"]) == (None, None)
    for line in (ended, closed):
        digest = hashlib.sha256(line["record"].encode()).hexdigest()
        assert json.loads(line["statement"])["digest"] == digest
    assert json.loads(ended["record"])["steps"][0]["entry"] == {"rows_in": 7, "rows_out": 5}
    assert json.loads(closed["record"]) == {
        "change": [
            {
                "calendar_id": "gregorian-id",
                "period": "2026-01",
                "status": "closed",
                "changed_at": "2026-02-03T10:00:00.000000Z",
                "changed_by": "ann",
                "reason": "done",
            }
        ]
    }
    assert [line["record"] for line in store.seals.export()] == [None] * 4


def test_all_else_that_people_believe_is_sealed(store: Store) -> None:
    store.definitions.record([dataset("gl"), dataset("fx")], by="ann", at=AT)
    store.definitions.record([dataset("gl")], by="ann", at=AT)
    activation = Activation("p1", "close", {}, {"id-gl": 1})
    store.projects.activate(activation, by="ann", at=AT)
    store.projects.activate(activation, by="ann", at=AT)
    conflict = Conflict("p1", "column gone", {})
    store.definitions.record([dataset("gl", n=2)], by="ben", at=AT, conflicts=[conflict])
    store.projects.deactivate("close", by="ann", at=AT)
    completed(store)
    store.periods.close(CALENDAR, "2026-01", by="ann", at=AT)
    lease = store.leases.begin(new_run("r2"), ANN, at=AT, ttl=TTL, reopened="late invoice")
    with store.writing_as(lease, at=AT) as writes:
        writes.start({})
    with store.writing_as(lease, at=AT) as writes:
        writes.waive({"expectation": "balances"})
    with store.writing_as(lease, at=AT) as writes:
        writes.fail(FAILURE, TIMINGS)
    store.periods.lock(CALENDAR, "2026-01", by="ann", at=AT)
    assert store.seals.record_verification("r1", {"verdict": "proved"}, by="eve", at=after(9)) == 1
    assert kinds(store) == [
        *("definition recorded", "definition recorded"),
        *("project version recorded", "project activated"),
        *("definition recorded", "project in conflict", "project deactivated"),
        *("run started", "run completed", "period closed"),
        *("period reopened", "run started", "expectation waived", "run failed"),
        *("period locked", "run verified"),
    ]
    assert findings(store) == []
    (verification,) = store.runs.record("r1").verifications
    assert verification.verification == {"verdict": "proved"}
    assert (verification.recorded_at, verification.recorded_by) == (after(9), "eve")


def test_a_run_that_is_resumed_is_sealed_anew_and_not_reported(store: Store) -> None:
    failed(store)
    lease = store.leases.resume("r1", BEN, at=after(10), ttl=TTL, from_seq=0)
    assert findings(store) == []
    with store.writing_as(lease, at=after(11)) as writes:
        writes.record_step(10, {"rows_in": 7})
        writes.complete(TIMINGS)
    assert kinds(store) == ["run started", "run failed", "run resumed", "run completed"]
    assert findings(store) == []


@pytest.mark.parametrize(
    ("verdict", "kind"), [("approve", "run approved"), ("reject", "run rejected")]
)
def test_what_became_of_an_approval_is_sealed(store: Store, verdict: str, kind: str) -> None:
    lease = started(store)
    with store.writing_as(lease, at=AT) as writes:
        writes.wait({}, TIMINGS)
    if verdict == "approve":
        lease = store.leases.approve("r1", BEN, comment="agrees", at=after(5), ttl=TTL)
        assert findings(store) == []
        with store.writing_as(lease, at=after(6)) as writes:
            writes.complete(TIMINGS)
    else:
        store.runs.reject("r1", by="ben", comment="wrong rates", at=after(5))
    assert kinds(store)[:3] == ["run started", "run waiting", kind]
    assert findings(store) == []
    tamper(store, "UPDATE run_approval SET decided_by = 'mallory'")
    assert len(findings(store)) == 1


def test_runs_that_others_end_are_sealed(store: Store) -> None:
    """Superseded while it waits; dead, and its lease taken over; dead, and recovered."""
    waiting = started(store, "r1")
    with store.writing_as(waiting, at=AT) as writes:
        writes.wait({}, TIMINGS)
    completed(store, "r2", at=after(1))
    assert store.runs.get("r1").status == "cancelled"
    started(store, "r3", at=after(2))
    begun(store, "r4", at=after(1000))
    assert store.runs.get("r3").status == "failed"
    held = store.leases.recover("r4", BEN, at=after(2000), ttl=TTL)
    assert findings(store) == []
    with store.writing_as(held, at=after(2001)) as writes:
        writes.record_output(20, {"rows": 5})
    store.leases.release(held, at=after(2002))
    assert findings(store) == []
    assert kinds(store)[-3:] == ["run failed", "run failed", "run failed"]
    assert kinds(store)[3:5] == ["run cancelled", "run completed"]


def test_cleaning_up_changes_no_record(store: Store) -> None:
    completed(store, "d1", draft=True, project_version=None)
    failed(store, "r1", at=after(1))
    before = store.seals.head()
    store.leftovers.expire(before=after(100))
    for run_id in store.leftovers.discards():
        store.leftovers.discarded(run_id)
    store.leftovers.sandbox_removed("d1", at=after(200))
    assert findings(store) == []
    assert store.seals.head() == before


@pytest.mark.parametrize(
    "edit",
    [
        'UPDATE run_step SET entry = \'{"rows_in": 7, "rows_out": 6}\'',
        "UPDATE run_step SET entry = 'nonsense'",
        "UPDATE run_step SET entry = '1e999'",
        'UPDATE run_output SET output = \'{"rows": 5, "share": 0.25}\'',
        "UPDATE run SET snapshot = replace(snapshot, 'ab', 'cd')",
        "UPDATE run SET requested_by = 'mallory'",
        "UPDATE run SET period = '2026-02'",
        "UPDATE run SET status = 'running'",
        "UPDATE run_expectation SET verdict = '{}'",
        "DELETE FROM run_warning",
    ],
)
def test_an_edited_record_of_a_run_is_found(store: Store, edit: str) -> None:
    whole_run(store)
    completed(store, "r2", at=after(4))
    tamper(store, edit + (" WHERE id = 'r1'" if "UPDATE run SET" in edit else ""))
    assert findings(store) == [
        "record changed: run r1, sealed as 'run completed' by seal 3:"
        " the store says something else now"
    ]
    assert store.seals.of_run("r1").record == "changed"
    assert store.seals.of_run("r2").record == "as sealed"


def test_other_records_that_were_edited_are_found(store: Store) -> None:
    store.definitions.record([dataset("gl", n=1)], by="ann", at=AT)
    store.projects.activate(Activation("p1", "close", {"n": 1}, {"id-gl": 1}), by="ann", at=AT)
    store.projects.activate(Activation("p1", "close", {"n": 2}, {"id-gl": 1}), by="ann", at=AT)
    store.periods.close(CALENDAR, "2026-01", by="ann", at=AT)
    completed(store, period="2026-02")
    store.seals.record_verification("r1", {"verdict": "differs"}, by="eve", at=AT)
    assert findings(store) == []
    for table, edit in {
        "dataset 'gl' version 1": "UPDATE definition_version SET content = '{}'",
        "project 'close' version 1": "UPDATE project_version SET content = '{}' WHERE version = 1",
        "change 2 of project 'close'": "UPDATE project_change SET version = 1 WHERE number = 2",
        "period gregorian-id 2026-01 closed": "UPDATE period_change SET changed_by = 'mallory'",
        "verification r1 1": "UPDATE run_verification SET recorded_by = 'mallory'",
    }.items():
        tamper(store, edit)
        changed = f"record changed: {table}, sealed as '"
        assert sum(each.startswith(changed) for each in findings(store)) == 1
    assert findings(store)[5:] == [
        "record changed: project 'close': it is at another version, status or name than its last"
        " change says"
    ]


@pytest.mark.parametrize(
    ("edit", "subject"),
    [
        ("UPDATE definition SET latest = 1", "dataset 'gl'"),
        ("UPDATE definition SET name = 'fx'", "dataset 'gl'"),
        ("UPDATE project SET version = 1", "project 'close'"),
        ("UPDATE project SET status = 'inactive'", "project 'close'"),
        ("UPDATE project SET name = 'other'", "project 'close'"),
    ],
)
def test_a_row_that_points_elsewhere_is_found(store: Store, edit: str, subject: str) -> None:
    for n in (1, 2):
        store.definitions.record([dataset("gl", n=n)], by="ann", at=AT)
        store.projects.activate(Activation("p1", "close", {"n": n}, {"id-gl": n}), by="ann", at=AT)
    assert findings(store) == []
    tamper(store, edit)
    assert findings(store) == [
        f"record changed: {subject}: it is at another version, status or name than its last change"
        " says"
    ]


def test_an_edited_record_that_was_sealed_again_is_found(store: Store) -> None:
    """By somebody who knows how seals are made, and appends one."""
    whole_run(store)
    store.periods.close(CALENDAR, "2026-01", by="ann", at=AT)
    for edit, kind, subject in (
        ("UPDATE run SET requested_by = 'mallory'", "run completed", run_subject("r1")),
        (
            "UPDATE period_change SET changed_by = 'mallory'",
            "period closed",
            Subject("period", (CALENDAR, "2026-01", "closed")),
        ),
    ):
        tamper(store, edit)
        with store._database.writing("tampering") as connection:
            Sealer().seal(connection, kind, subject, at=after(99), by="ann")  # type: ignore[arg-type]
    assert findings(store) == [
        "record changed: run r1, sealed as 'run completed' by seal 3: it was final, and seal 5 is"
        " over it again",
        "record changed: period gregorian-id 2026-01 closed, sealed as 'period closed' by seal 4:"
        " it was final, and seal 6 is over it again",
    ]


def test_a_record_that_is_gone_and_one_that_was_put_in_are_found(store: Store) -> None:
    store.periods.close(CALENDAR, "2026-01", by="ann", at=AT)
    tamper(store, "UPDATE period_change SET period = '2026-02'")
    assert findings(store) == [
        "record changed: period gregorian-id 2026-02 closed:"
        " it is in the store, and no seal is over it",
        "record changed: period gregorian-id 2026-01 closed, sealed as 'period closed' by seal 1:"
        " it is gone from the store",
    ]


def three_closed(store: Store) -> None:
    for month in ("2026-01", "2026-02", "2026-03"):
        store.periods.close(CALENDAR, month, by="ann", at=AT)


def test_a_seal_that_was_removed_from_the_middle_breaks_the_chain(store: Store) -> None:
    three_closed(store)
    tamper(store, "DELETE FROM seal WHERE number = 2")
    tamper(store, "DELETE FROM period_change WHERE period = '2026-02'")
    assert findings(store) == ["broken at 3: seal 2 is missing"]
    assert store.seals.verify().verdict == "broken at 3"


def test_an_edited_seal_breaks_the_chain(store: Store) -> None:
    three_closed(store)
    tamper(store, "UPDATE seal SET sealed_by = 'mallory' WHERE number = 2")
    assert findings(store) == ["broken at 2: its hash is not that of what it says"]


def test_a_time_of_a_seal_that_is_none_breaks_the_chain(sqlite: Place) -> None:
    with sqlite.open() as store:
        three_closed(store)
        tamper(store, "UPDATE seal SET sealed_at = 'soon' WHERE number = 2")
        assert findings(store) == ["broken at 2: its hash is not that of what it says"]


def test_a_tail_that_was_cut_is_found_by_a_head_that_was_noted_and_by_nothing_else(
    store: Store,
) -> None:
    three_closed(store)
    noted = store.seals.head()
    assert noted is not None
    assert store.seals.verify(SealHead(3, noted.hash[:16])).verdict == "whole"
    tamper(store, "DELETE FROM seal WHERE number = 3")
    tamper(store, "DELETE FROM period_change WHERE period = '2026-03'")
    assert findings(store) == []
    report = store.seals.verify(SealHead(3, noted.hash[:16]))
    assert report.verdict == "tail cut"
    assert [str(each) for each in report.findings] == [
        f"tail cut: the chain had a seal {noted}, and now ends with 2"
    ]


def test_of_a_tail_whose_seals_alone_were_cut_the_records_tell(store: Store) -> None:
    whole_run(store)
    tamper(store, "DELETE FROM seal WHERE number = 3")
    assert findings(store) == [
        "record changed: run r1, sealed as 'input recorded' by seal 2:"
        " the store says something else now"
    ]


def test_a_chain_that_was_made_anew_is_whole_but_not_that_of_a_head_that_was_noted(
    store: Store,
) -> None:
    three_closed(store)
    noted = store.seals.head()
    assert noted is not None
    with store._database.writing("rebuilding") as connection:
        for table in ("seal", "period_change"):
            connection.exec_driver_sql(f"DELETE FROM {table}")
    for month in ("2026-01", "2026-02", "2026-03"):
        store.periods.close(CALENDAR, month, by="mallory", at=AT)
    assert findings(store) == []
    report = store.seals.verify(noted)
    assert report.verdict == "broken at 3"
    assert report.findings[0].detail.endswith("the chain was made anew")


def test_of_one_run_the_chain_counts_up_to_its_seal(store: Store) -> None:
    whole_run(store, "r1")
    whole_run(store, "r2")
    first, second = store.seals.of_run("r1"), store.seals.of_run("r2")
    assert (first.number, first.chain, first.record, first.signature) == (
        *(3, "whole"),
        *("as sealed", "none"),
    )
    assert str(second.head) == str(store.seals.head())
    tamper(store, "UPDATE seal SET sealed_by = 'mallory' WHERE number = 5")
    assert store.seals.of_run("r1").chain == "whole"
    assert store.seals.of_run("r2").chain == "broken at 5"


def test_a_run_that_nobody_sealed_is_said_to_be_so(store: Store) -> None:
    begun(store)
    assert store.seals.of_run("r1").record == "never sealed"
    assert store.seals.of_run("r1").head is None
    assert findings(store) == []


def test_eight_processes_append_to_one_chain(place: Place, forks: Forks) -> None:
    place.open().close()
    ended = forks.at_once("record_own", place, [{"me": n, "count": 5} for n in range(8)])
    assert [each.error for each in ended] == [None] * 8
    with place.open() as store:
        assert findings(store) == []
        assert store.seals.verify().seals == 80
