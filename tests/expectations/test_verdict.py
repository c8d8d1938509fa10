"""What became of an expectation: whether it stops a run, and how it is recorded."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rowbook.definitions.models.expectation import Otherwise
from rowbook.expectations.verdict import Verdict, VerdictStatus
from tests.support.verdicts import PASSED, SKIPPED, UNBALANCED, WAIVED, WARNED


@pytest.mark.parametrize(
    ("status", "otherwise", "stops"),
    [
        ("violated", "stop", True),
        ("violated", "quarantine", True),
        ("violated", "warn", False),
        ("not evaluated", "stop", True),
        ("not evaluated", "warn", False),
        ("waived", "stop", False),
        ("tolerated", "quarantine", False),
        ("skipped", "stop", False),
        ("nothing to check", "stop", False),
        ("passed", "stop", False),
    ],
)
def test_only_what_failed_and_nobody_waived_stops(
    status: VerdictStatus, otherwise: Otherwise, stops: bool
) -> None:
    assert replace(UNBALANCED, status=status, otherwise=otherwise).stops is stops


@pytest.mark.parametrize("verdict", [PASSED, UNBALANCED, WAIVED, WARNED, SKIPPED])
def test_a_verdict_is_the_same_after_it_was_recorded(verdict: Verdict) -> None:
    assert Verdict.from_json(json.loads(json.dumps(verdict.as_json()))) == verdict


def test_a_record_says_who_waived_it_and_why() -> None:
    assert WAIVED.as_json()["waiver"] == {
        "name": "journals balance",
        "reason": "timing, booked in February",
        "by": "ann",
        "at": "2026-02-03T10:00:00Z",
    }
    assert UNBALANCED.as_json()["waiver"] is None
    assert UNBALANCED.as_json()["samples"][1] == {"journal_id": "J-9", "SUM(amount)": None}
