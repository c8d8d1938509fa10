"""Waivers: a reason for names that stop, and what they make of verdicts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.expectations.judgement import waive
from rowbook.expectations.verdict import Waiver
from rowbook.planning.expectations.expectation_plan import CheckPoint, Expectation, UniqueKeys
from rowbook.planning.project_plan import ProjectPlan
from rowbook.runs.checking.waivers import WaiverRequest
from tests.runs.checking.plans import plan_with
from tests.support.refusal import refusal
from tests.support.verdicts import PASSED, UNBALANCED, WAIVED, WAIVER, WARNED

AT = datetime(2026, 2, 3, 10, tzinfo=UTC)
END = CheckPoint("end")
BALANCE = Expectation("journals balance", None, END, None, (), UniqueKeys(("a",)), "stop", "")
WARNS = replace(BALANCE, name="few lines", otherwise="warn")


@pytest.fixture
def plan(tmp_path: Path) -> ProjectPlan:
    return plan_with(tmp_path, BALANCE, WARNS)


def test_a_waiver_has_who_when_and_why(plan: ProjectPlan) -> None:
    request = WaiverRequest.checked(["journals balance"], " timing ")
    assert request.waivers(plan, "ann", AT) == (
        Waiver("journals balance", "timing", "ann", "2026-02-03T10:00:00Z"),
    )


def test_nothing_is_waived_where_nobody_asks(plan: ProjectPlan) -> None:
    assert WaiverRequest.checked([], None).waivers(plan, "ann", AT) == ()


@pytest.mark.parametrize(
    ("names", "reason", "text"),
    [
        (["a"], None, "an expectation is waived for a reason"),
        (["a"], "  ", "an expectation is waived for a reason"),
        ([], "why", "a reason is given, and nothing is waived"),
    ],
)
def test_names_and_reason_go_together(names: list[str], reason: str | None, text: str) -> None:
    with pytest.raises(RowbookError, match=f"USAGE_001  {text}"):
        WaiverRequest.checked(names, reason)


def test_every_name_that_stops_nothing_is_refused(plan: ProjectPlan) -> None:
    request = WaiverRequest.checked(["journal balance", "few lines", "journals balance"], "x")
    with pytest.raises(RowbookError) as raised:
        request.waivers(plan, "ann", AT)
    assert [(each.code, each.message, each.hint) for each in raised.value.diagnostics] == [
        (
            "EXPECT_011",
            "there is no expectation 'journal balance'",
            "did you mean 'journals balance'?  expectations that stop: journals balance",
        ),
        ("EXPECT_011", "'few lines' cannot be waived: it only warns, and stops no run", None),
    ]


def test_a_project_whose_expectations_only_warn_has_nothing_to_waive(plan: ProjectPlan) -> None:
    warning = replace(plan, expectations=(WARNS,))
    found = refusal(lambda: WaiverRequest(("a",), "x").waivers(warning, "ann", AT), "EXPECT_011")
    assert found.message == "'a' cannot be waived: no expectation of the project stops a run"


def test_only_what_stops_is_waived() -> None:
    names = [PASSED.name, WARNED.name]
    waivers = [WAIVER, *(replace(WAIVER, name=name) for name in names)]
    assert waive([UNBALANCED, PASSED, WARNED], waivers) == (WAIVED, PASSED, WARNED)
    assert waive([UNBALANCED], ()) == (UNBALANCED,)
