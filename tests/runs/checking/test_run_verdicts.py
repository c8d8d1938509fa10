"""Expectations of a run judged, what a stop says, and what it is judged by again."""

from __future__ import annotations

from dataclasses import replace

from rowbook.expectations.observation import Observation
from rowbook.planning.expectations.expectation_plan import CheckPoint, Expectation, UniqueKeys
from rowbook.runs.checking.run_verdicts import StoppedRun, judge_run, stop_error
from tests.support.small_plans import CONTEXT
from tests.support.verdicts import PASSED, SKIPPED, UNBALANCED, WAIVED, WAIVER, WARNED

RUN = StoppedRun("r1", is_draft=False, unpublished=("out/lines", "out/totals"))
NUMBERED = Expectation(
    "journals balance", None, CheckPoint("input"), None, (), UniqueKeys(("line",)), "stop", "line"
)


def test_observations_are_judged_in_their_order() -> None:
    twice = replace(NUMBERED, name="lines are numbered once")
    seen = ((NUMBERED, Observation(checked=3, violated=2)), (twice, Observation(checked=3)))
    found = judge_run(seen, CONTEXT, {})
    assert [(each.name, each.status) for each in found] == [
        ("journals balance", "violated"),
        ("lines are numbered once", "passed"),
    ]


def test_what_is_waived_does_not_stop() -> None:
    (found,) = judge_run(
        [(NUMBERED, Observation(checked=3, violated=2))], CONTEXT, {}, waivers=[WAIVER]
    )
    assert (found.status, found.waiver, found.stops) == ("waived", WAIVER, False)
    assert stop_error([found], RUN) is None


def test_nothing_stops_where_all_hold_or_only_warn() -> None:
    assert stop_error([PASSED, WARNED, SKIPPED, WAIVED], RUN) is None


def test_a_stop_says_what_was_not_published_and_three_ways_on() -> None:
    error = stop_error([UNBALANCED, PASSED], RUN)
    assert error is not None
    (stop,) = error.diagnostics
    assert (stop.code, stop.message) == (
        "EXPECT_101",
        "'journals balance' (input): 2 of 1,204 groups violate it: journal_id 'J-77': SUM(amount) ="
        " 0.01; …  nothing was published; as they were: out/lines, out/totals",
    )
    assert stop.hint == (
        "correct the rows or the rules, and run again; or publish what was computed: rowbook runs"
        ' resume r1 --waive "journals balance" --reason "…"; or let such rows go to a quarantine'
        " table, with `otherwise: quarantine`"
    )


def test_all_stops_are_one_failure_that_one_command_waives() -> None:
    second = replace(SKIPPED, name='a "b" $c', status="violated")
    error = stop_error([UNBALANCED, second], RUN)
    assert error is not None
    first, other = error.diagnostics
    assert r'--waive "journals balance" --waive "a \"b\" \$c" --reason' in (first.hint or "")
    assert other.hint == "correct it too, or waive it in the same command"


def test_a_condition_about_all_rows_has_no_rows_to_quarantine() -> None:
    error = stop_error([replace(SKIPPED, status="violated")], RUN)
    assert error is not None
    assert "quarantine" not in (error.diagnostics[0].hint or "")


def test_what_was_published_before_is_said() -> None:
    some = StoppedRun("r1", False, ("out/lines",), ("out/totals",))
    assert some.consequence == "published before: out/lines; as they were: out/totals"
    assert StoppedRun("r1", False).consequence == "nothing was published"
    draft = StoppedRun("r1", True, ("out/lines",))
    assert draft.consequence == "what the draft computed is in its sandbox"
    error = stop_error([UNBALANCED], draft)
    assert error is not None
    assert "; or complete the draft: rowbook runs resume r1" in (error.diagnostics[0].hint or "")
