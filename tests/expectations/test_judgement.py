"""What became of an expectation, by what was seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, get_args

import pytest

from rowbook.expectations.judgement import judge, waive
from rowbook.expectations.observation import (
    DOES_NOT_FIT,
    Observation,
    ViolationSample,
    match_observation,
)
from rowbook.expectations.verdict import Verdict, VerdictStatus, Waiver
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound, Column
from rowbook.expressions.closures import Moment
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.planning.expectations.expectation_plan import (
    Against,
    CheckPoint,
    Condition,
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    Tolerance,
    UniqueKeys,
)
from rowbook.planning.steps import Result

MOMENT = Moment(datetime(2026, 2, 3, tzinfo=UTC), "2026-01")
AMOUNT = t.decimal(18, 2)
_SCOPE = Scope(
    Table.of([Field("lines", t.INTEGER), Field("total", AMOUNT), Field("key", t.STRING)])
).with_other("last", Table.of([Field("lines", t.INTEGER), Field("total", AMOUNT)]))
REASON = Waiver("it holds", "known since Monday", "ana", "2026-02-03T00:00:00Z")


def bound(text: str) -> Bound:
    binding = bind(text, _SCOPE)
    assert binding.usable, binding.faults
    return binding.tree


def measure(name: str, kind: t.Type) -> Result:
    return Result(name, Column(None, name, kind, True))


ROWS = RowCondition(bound("lines > 0"))
TOTAL = GroupCondition((), (measure("total", AMOUNT),), bound("total = 0"))
GROUPS = GroupCondition(("key",), (measure("total", AMOUNT),), bound("total = 0"))
LAST = Against("last", None, None, (), (measure("lines", t.INTEGER),))
COMPARED = GroupCondition(
    (),
    (measure("lines", t.INTEGER),),
    bound("lines BETWEEN last.lines - 1 AND last.lines + 1"),
    LAST,
)


def expected(condition: Condition, **more: Any) -> Expectation:
    given: dict[str, Any] = {"otherwise": "warn", "text": "…", **more}
    return Expectation("it holds", None, CheckPoint("input"), None, (), condition, **given)


def verdict(condition: Condition, seen: Observation, **more: Any) -> Verdict:
    return judge(expected(condition, **more), seen, MOMENT)


def rows(checked: int, violated: int, **more: Any) -> Observation:
    return Observation("rows", checked, violated, **more)


def test_no_row_to_look_at_is_a_status_of_its_own() -> None:
    found = verdict(ROWS, rows(0, 0))
    assert (found.status, found.detail) == ("nothing to check", "there are no rows to check")
    found = verdict(GROUPS, Observation("groups"))
    assert (found.status, found.detail) == ("nothing to check", "there are no groups to check")


def test_a_condition_that_all_rows_meet_has_passed() -> None:
    found = verdict(ROWS, rows(1204, 0))
    assert (found.status, found.detail, found.stops) == ("passed", "1,204 rows checked", False)


def test_one_row_violates_and_several_violate() -> None:
    sample = ViolationSample({"key": "J-77", "total": Decimal("-5.00"), "lines": None}, "id-1")
    one = verdict(ROWS, rows(3, 1, samples=(sample,)))
    assert one.status == "violated"
    assert one.detail == "1 of 3 rows violates it: key 'J-77', total -5.00, lines NULL"
    assert one.samples == ({"_row_id": "id-1", "key": "J-77", "total": "-5.00", "lines": None},)
    many = verdict(ROWS, rows(5000, 1204, samples=(sample,) * 4))
    assert many.detail.startswith("1,204 of 5,000 rows violate it: key 'J-77', ")
    assert many.detail.endswith("lines NULL; …")
    assert many.detail.count("J-77") == 3


def test_groups_are_told_by_their_keys_and_measures() -> None:
    samples = (
        ViolationSample({"key": "J-77", "total": Decimal("0.01")}),
        ViolationSample({"key": None, "total": None}),
    )
    found = verdict(GROUPS, Observation("groups", 1204, 2, samples=samples))
    assert found.detail == (
        "2 of 1,204 groups violate it: key 'J-77': total = 0.01; key NULL: total = NULL"
    )


def test_a_group_of_one_side_is_told_with_what_that_side_has() -> None:
    against = Against("tb", CheckPoint("end"), None, (), (measure("b", AMOUNT),))
    condition = GroupCondition(("key",), (measure("total", AMOUNT),), bound("total = 0"), against)
    cents = Decimal("0.10")
    samples = (
        ViolationSample({"key": "a", "total": cents, "tb.b": None}, missing_side="tb"),
        ViolationSample({"key": "b", "total": None, "tb.b": cents}, missing_side="here"),
    )
    found = verdict(condition, Observation("groups", 9, 2, samples=samples))
    assert found.detail == (
        "2 of 9 groups violate it: key 'a': total = 0.10, not in tb;"
        " key 'b': tb.b = 0.10, only in tb"
    )
    assert [each["_missing_side"] for each in found.samples] == ["tb", "here"]


def test_a_key_that_stands_twice_is_told_with_its_rows() -> None:
    sample = ViolationSample({"key": None, "rows": 2})
    found = verdict(UniqueKeys(("key",)), rows(5, 2, samples=(sample,)))
    assert found.detail == "2 of 5 rows violate it: key NULL: 2 rows"


@pytest.mark.parametrize(
    ("total", "status"),
    [(Decimal("0.00"), "passed"), (Decimal("0.01"), "violated"), (None, "violated")],
)
def test_a_condition_about_all_rows_is_judged_by_its_measures_and_null_violates(
    total: Decimal | None, status: str
) -> None:
    found = verdict(TOTAL, Observation(measures={"total": total}))
    assert (found.status, found.checked, found.violated) == (status, 0, int(status == "violated"))
    text = None if total is None else str(total)
    assert (found.measures, found.detail) == ({"total": text}, f"total = {text or 'NULL'}")


@pytest.mark.parametrize(
    ("tolerance", "violated", "status"),
    [
        (Tolerance(rows=2), 2, "tolerated"),
        (Tolerance(rows=2), 3, "violated"),
        (Tolerance(share=Decimal("0.01")), 1, "tolerated"),
        (Tolerance(share=Decimal("0.01")), 2, "violated"),
        (Tolerance(Decimal("0.01"), 0), 1, "violated"),
        (Tolerance(Decimal("0.001"), 5), 1, "violated"),
        (Tolerance(Decimal(0), None), 1, "violated"),
    ],
)
def test_what_exactly_meets_the_bound_is_tolerated_and_both_bounds_must_hold(
    tolerance: Tolerance, violated: int, status: str
) -> None:
    assert verdict(ROWS, rows(100, violated), tolerance=tolerance).status == status


def test_the_bound_stands_beside_the_count() -> None:
    found = verdict(ROWS, rows(100, 1), tolerance=Tolerance(Decimal("0.01"), 50))
    assert found.detail == "1 of 100 rows violates it (tolerated: a share of 0.01 and 50 rows)"


def test_rows_that_are_quarantined_are_tolerated_and_above_the_bound_the_run_stops() -> None:
    taken = verdict(ROWS, rows(9, 1, quarantined=3), otherwise="quarantine")
    assert (taken.status, taken.stops, taken.quarantined) == ("tolerated", False, 3)
    assert taken.detail == "1 of 9 rows violates it, 3 rows are quarantined"
    above = verdict(ROWS, rows(9, 2), otherwise="quarantine", tolerance=Tolerance(rows=1))
    assert (above.status, above.stops) == ("violated", True)
    assert above.detail == "2 of 9 rows violate it (tolerated: 1 row)"


@pytest.mark.parametrize(("otherwise", "stops"), [("warn", False), ("stop", True)])
def test_what_cannot_be_computed_is_not_evaluated_and_stops_where_stop_is_said(
    otherwise: str, stops: bool
) -> None:
    found = verdict(ROWS, Observation(failure=DOES_NOT_FIT), otherwise=otherwise)
    assert (found.status, found.stops) == ("not evaluated", stops)
    assert found.detail == "it cannot be evaluated: a value in it does not fit its type"


def test_an_overflow_in_a_condition_about_all_rows_is_found_by_the_judge() -> None:
    condition = GroupCondition((), (measure("lines", t.INTEGER),), bound("lines + 1 > 0"))
    found = verdict(condition, Observation(measures={"lines": 2**63 - 1}))
    assert found.status == "not evaluated"


@pytest.mark.parametrize(
    ("previous", "status"),
    [
        ({"lines": 101}, "passed"),
        ({"lines": "101"}, "passed"),
        ({"lines": 102}, "violated"),
        ({"lines": None}, "violated"),
        ({}, "skipped"),
        ({"lines": "1.5"}, "skipped"),
        (None, "skipped"),
    ],
)
def test_what_was_measured_before_is_the_other_side(
    previous: Mapping[str, object] | None, status: str
) -> None:
    found = judge(expected(COMPARED), Observation(measures={"lines": 100}), MOMENT, previous)
    assert found.status == status
    if status == "skipped":
        assert found.detail.startswith("there is nothing to compare with")
    else:
        other = "NULL" if previous == {"lines": None} else found.other_measures["lines"]
        assert found.detail == f"lines = 100, last.lines = {other}"


def test_a_waiver_is_for_what_would_stop_the_run() -> None:
    def waived(seen: Observation, otherwise: str) -> Verdict:
        (found,) = waive([judge(expected(ROWS, otherwise=otherwise), seen, MOMENT)], [REASON])
        return found

    stopped = waived(rows(2, 1), "stop")
    assert (stopped.status, stopped.waiver, stopped.stops) == ("waived", REASON, False)
    assert stopped.detail == "1 of 2 rows violates it"
    assert waived(Observation(failure=DOES_NOT_FIT), "stop").status == "waived"
    assert (waived(rows(2, 1), "warn").status, waived(rows(2, 1), "warn").waiver) == (
        "violated",
        None,
    )
    assert waived(rows(2, 0), "stop").status == "passed"
    (other,) = waive(
        [judge(expected(ROWS, otherwise="stop"), rows(2, 1), MOMENT)],
        [Waiver("another", "", "", "")],
    )
    assert other.status == "violated"


def test_an_operation_must_match() -> None:
    condition = MatchCondition(30)
    none = verdict(condition, match_observation(0), otherwise="stop")
    assert (none.status, none.detail) == ("violated", "the operation matched no row")
    some = verdict(condition, match_observation(1204))
    assert (some.status, some.detail) == ("passed", "the operation matched 1,204 rows")
    assert some.measures == {"matched": 1204}


def test_every_status_comes_about() -> None:
    (waived,) = waive([judge(expected(ROWS, otherwise="stop"), rows(1, 1), MOMENT)], [REASON])
    found = {
        verdict(ROWS, rows(1, 0)).status,
        verdict(ROWS, rows(0, 0)).status,
        verdict(ROWS, rows(1, 1), tolerance=Tolerance(rows=1)).status,
        verdict(ROWS, rows(1, 1)).status,
        waived.status,
        verdict(COMPARED, Observation(measures={"lines": 1})).status,
        verdict(ROWS, Observation(failure="")).status,
    }
    assert found == set(get_args(VerdictStatus))


def test_a_verdict_is_the_same_after_it_was_stored() -> None:
    sample = ViolationSample({"key": "a", "total": Decimal("0.10")}, "id")
    found = verdict(ROWS, rows(2, 1, samples=(sample,)))
    assert Verdict.from_json(found.as_json()) == found
