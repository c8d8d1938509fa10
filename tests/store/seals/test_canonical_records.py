"""A record is the same text on both databases, whatever the order of its rows."""

from __future__ import annotations

from rowbook.store import Store
from rowbook.store.database.json_documents import canonical
from rowbook.store.seals.canonical_records import Subject, record_of, run_subject
from tests.store.samples import AT, begun, dataset, started

GL_SHA256 = "d29de841cad08129f58cb703d513f761541628cac662b969996eaefd2658def3"
"""Of {"n":1,"name":"gl"}, as sha256sum has it."""


def test_the_record_of_a_definition_has_its_content_by_digest(store: Store) -> None:
    store.definitions.record([dataset("gl", n=1)], by="ann", at=AT)
    with store._database.reading() as connection:
        record = record_of(connection, Subject("definition", ("dataset", "id-gl", 1)))
    assert record is not None
    assert canonical(record) == (
        f'{{"version":[{{"content":"{GL_SHA256}","content_hash":"{GL_SHA256}",'
        '"disabled":false,"id":"id-gl","kind":"dataset","name":"gl",'
        '"produced_by":null,"recorded_at":"2026-02-03T10:00:00.000000Z","recorded_by":"ann",'
        '"version":1}]}'
    )


def test_of_a_run_at_work_what_it_writes_is_left_out(store: Store) -> None:
    lease = started(store)
    with store.writing_as(lease, at=AT) as writes:
        writes.record_step(10, {"rows_in": 7})
    with store._database.reading() as connection:
        record = record_of(connection, run_subject("r1"))
    assert record is not None
    assert sorted(record) == ["approval", "resumptions", "run", "waivers"]
    (run,) = record["run"]
    assert (run["status"], run["draft"], run["writes_into"]) == (
        *("running", False),
        {"periods": ["2026-01"]},
    )
    assert "finished_at" not in run
    assert "staging" not in run


def test_steps_are_in_the_order_of_their_numbers(store: Store) -> None:
    lease = begun(store)
    with store.writing_as(lease, at=AT) as writes:
        for seq in (100, 20, 3):
            writes.record_step(seq, {})
        writes.fail({"code": "RUN_001", "message": "m"}, {})
    with store._database.reading() as connection:
        record = record_of(connection, run_subject("r1"))
    assert record is not None
    assert [step["seq"] for step in record["steps"]] == [3, 20, 100]


def test_of_nothing_there_is_no_record(store: Store) -> None:
    with store._database.reading() as connection:
        assert record_of(connection, run_subject("nobody")) is None
