"""The expectations of a run: waivers recorded, verdicts kept, warnings told once, the stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rowbook.expectations.verdict import Waiver
from rowbook.runs.checking.expectation_check import ExpectationCheck, new_waivers
from rowbook.runs.checking.run_verdicts import EarlierJudgement
from rowbook.runs.checking.waivers import WaiverRequest
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.runs.prepare.new_run import new_run
from rowbook.runs.prepare.request import Request, request_draft
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.preview.plain_preview import PlainInput, observe
from rowbook.store import Lease, RunRecord, this_process
from tests.support.journals import BALANCED, FILES
from tests.support.refusal import refusal
from tests.support.write_files import write_files

WAIVE = WaiverRequest(("journals balance",), "booked in February")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[OpenWorkspace]:
    write_files(tmp_path, FILES)
    with OpenWorkspace(tmp_path) as opened:
        yield opened


def request_for(workspace: OpenWorkspace, period: str = "2026-01") -> Request:
    return request_draft(workspace, "close", period)


def begin(workspace: OpenWorkspace, request: Request) -> Lease:
    asked, ttl = new_run(request, "local", "test"), lease_time()
    return workspace.store.leases.begin(asked, this_process(), at=at_present(), ttl=ttl)


def judge(check: ExpectationCheck) -> tuple[str, ...]:
    request = check.request
    resolved = resolve_run(request)
    return check.judge(observe(resolved, request.plan, PlainInput(resolved)))


def record_of(check: ExpectationCheck) -> RunRecord:
    return check.workspace.store.runs.record(check.request.context.run_id)


def test_verdicts_are_kept_with_the_run(workspace: OpenWorkspace) -> None:
    request = request_for(workspace)
    check = ExpectationCheck(workspace, request, begin(workspace, request))
    warnings = judge(check)
    assert [(each.name, each.status) for each in check.verdicts] == [
        ("lines are numbered once", "passed"),
        ("journals balance", "violated"),
        ("reclassifying loses nothing", "passed"),
        ("no suspense account", "violated"),
        ("about as many lines as last month", "skipped"),
    ]
    record = record_of(check)
    assert [each.verdict["name"] for each in record.expectations] == [
        each.name for each in check.verdicts
    ]
    assert [each.warning["code"] for each in record.warnings] == ["EXPECT_102", "EXPECT_104"]
    assert [each.warning["message"] for each in record.warnings] == list(warnings)
    assert warnings[0] == "'no suspense account' (end): 1 of 6 rows violates it: account '1999'"


def test_a_stop_names_what_is_as_it_was(workspace: OpenWorkspace) -> None:
    request = request_for(workspace)
    check = ExpectationCheck(workspace, request, begin(workspace, request))
    judge(check)
    found = refusal(lambda: check.decide([], ["out/closed"]), "EXPECT_101")
    assert found.message == (
        "'journals balance' (input): 1 of 3 groups violates it: journal 'J-3': SUM(amount) = 0.01"
        "  what the draft computed is in its sandbox"
    )


def test_a_waiver_is_recorded_before_anything_is_judged(workspace: OpenWorkspace) -> None:
    request = request_for(workspace)
    given = new_waivers(request, WAIVE)
    check = ExpectationCheck(workspace, request, begin(workspace, request), given)
    check.begin()
    assert [Waiver(**each.waiver) for each in record_of(check).waivers] == list(given)
    judge(check)
    check.decide([], [])
    assert (check.verdicts[1].status, check.verdicts[1].waiver) == ("waived", given[0])


def test_rows_that_were_staged_are_judged_again_without_being_computed(
    workspace: OpenWorkspace,
) -> None:
    request = request_for(workspace)
    lease = begin(workspace, request)
    judge(ExpectationCheck(workspace, request, lease))
    given = new_waivers(request, WAIVE)
    resumed = ExpectationCheck(workspace, request, lease, given)
    resumed.begin()
    resumed.judge_again()
    resumed.decide([], [])
    record = record_of(resumed)
    assert [each.verdict["status"] for each in record.expectations][1] == "waived"
    assert len(record.warnings) == 2
    earlier = EarlierJudgement.of(record)
    assert earlier.waivers == given


def test_waivers_of_earlier_attempts_hold(workspace: OpenWorkspace) -> None:
    request = request_for(workspace)
    lease, given = begin(workspace, request), new_waivers(request, WAIVE)
    check = ExpectationCheck(workspace, request, lease, recorded=given)
    check.begin()
    judge(check)
    check.decide([], [])
    assert record_of(check).waivers == ()


def test_a_repetition_compares_itself_with_what_the_run_did(workspace: OpenWorkspace) -> None:
    write_files(workspace.root, {"data/gl.csv": BALANCED})
    request = request_for(workspace)
    key = (None, "about as many lines as last month")
    lease = begin(workspace, request)
    check = ExpectationCheck(workspace, request, lease, past={key: {"lines": 6}})
    judge(check)
    last = check.verdicts[-1]
    assert (last.status, last.other_measures) == ("passed", {"lines": 6})
    assert EarlierJudgement.of(record_of(check)).past[key] == {"lines": 6}


def test_a_run_without_expectations_records_nothing(workspace: OpenWorkspace) -> None:
    text = FILES["rowbook.yaml"]
    shortened = text[: text.index("  expectations:")] + "---\n" + text[text.index("project:") :]
    write_files(workspace.root, {"rowbook.yaml": shortened[: shortened.rindex("  expectations:")]})
    with OpenWorkspace(workspace.root) as opened:
        request = request_for(opened)
        check = ExpectationCheck(opened, request, begin(opened, request))
        assert check.judge(()) == ()
        check.decide([], [])
        assert record_of(check).expectations == ()
