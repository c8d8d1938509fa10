"""A seal's head is what is printed of it, and its hash is over all that it says."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from rowbook.store.seals.seal import ORIGIN, Cover, Seal, SealHead, sha256

SEAL = Seal(7, "run started", "run r1", "ab" * 32, ORIGIN, None, "2026-02-03T10:00:00Z", "ann")


def test_the_statement_is_json_that_anybody_can_write_again() -> None:
    assert SEAL.statement == (
        '{"at":"2026-02-03T10:00:00Z","by":"ann","digest":"' + "ab" * 32 + '","key":null,'
        '"kind":"run started","number":7,"previous":"' + "0" * 64 + '","subject":"run r1"}'
    )
    assert SEAL.with_hash().hash == hashlib.sha256(SEAL.statement.encode()).hexdigest()


@pytest.mark.parametrize(
    "changed",
    [
        {"number": 8},
        {"kind": "run failed"},
        {"subject": "run r2"},
        {"digest": "cd" * 32},
        {"previous": "1" * 64},
        {"key_id": "k"},
        {"at": "2026-02-03T10:00:01Z"},
        {"by": "ben"},
    ],
)
def test_whatever_changes_its_hash_does(changed: dict[str, Any]) -> None:
    assert replace(SEAL, **changed).with_hash().hash != SEAL.with_hash().hash


def test_a_head_is_read_as_it_is_printed_or_longer() -> None:
    head = SEAL.with_hash().head
    assert SealHead.parse(str(head)) == SealHead(7, head.hash[:16])
    assert SealHead.parse(f"7:{head.hash.upper()}") == head


@pytest.mark.parametrize(
    "text", ["", "7", "7:", "7:abc", "x:0123456789abcdef", "7:0123456789abcdeg"]
)
def test_what_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no head of a chain"):
        SealHead.parse(text)


def test_a_seal_over_all_that_was_there_covers_each_of_it() -> None:
    record = '{"records":[["run r1","run completed","d1"],["period 2026-01","period closed","d2"]]}'
    sealed = replace(SEAL, subject="store", record=record, digest=sha256(record))
    assert sealed.covered() == {
        "run r1": Cover(7, "run completed", "d1"),
        "period 2026-01": Cover(7, "period closed", "d2"),
    }


def test_a_record_that_its_digest_is_not_of_covers_nothing() -> None:
    record = '{"records":[["run r1","run completed","d1"]]}'
    assert replace(SEAL, record=record, digest=sha256(f"{record} ")).covered() == {}


@pytest.mark.parametrize(
    ("kind", "final"), [("run completed", True), ("run failed", False), ("period closed", True)]
)
def test_records_of_runs_that_go_on_are_sealed_again(kind: str, final: bool) -> None:
    assert Cover(7, kind, "d").is_final is final
