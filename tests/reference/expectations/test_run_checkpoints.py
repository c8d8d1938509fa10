"""Expectations on plain rows, made by hand: what each form sees, and which rows it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rowbook.expectations.observation import DOES_NOT_FIT, Observation
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Aggregate, Bound, Column
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.expressions.values import Value
from rowbook.planning.expectations.expectation_plan import (
    Against,
    CheckPoint,
    Condition,
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    UniqueKeys,
)
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import Result
from rowbook.reference.computation import Computation
from tests.reference.small_projects import WORKSPACE, entry
from tests.support.reference_run import source_of
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of, update

AMOUNT = t.decimal(6, 2)
ENTRIES = [
    entry("a", 1, "1.00"),
    entry("b", 1, "-1.00"),
    entry("c", 2, "5.00"),
    entry("d", None, None),
    entry("e", 2, "2.00", _deleted=True),
]
INPUT = CheckPoint("input")
SUM = Aggregate("SUM", Column(None, "amount", AMOUNT, True), t.decimal(16, 2), True)
TOTAL = Result("total", SUM)


class Rows:
    """A plan on these entries, with expectations."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def plan(self, *operations: str) -> ProjectPlan:
        given = operations or (update("weight", "1.5", "id = 'a'"),)
        return plan_of(self._folder, WORKSPACE + numbered(*given))

    def computed(
        self, plan: ProjectPlan, *expectations: Expectation, names: Sequence[dict[str, Value]] = ()
    ) -> tuple[Computation, list[Value]]:
        """With the ids of the rows that are left."""
        computation = Computation(
            replace(plan, expectations=expectations),
            CONTEXT,
            source_of({"entries": ENTRIES, "names": names, "budget": []}),
        )
        working = computation.start()
        for done in computation.follow(working):
            working = done.effect.working
        return computation, [row["id"] for row in working.values()]

    def seen(
        self, *expectations: Expectation, plan: ProjectPlan | None = None
    ) -> list[Observation]:
        computation, _ = self.computed(plan or self.plan(), *expectations)
        return [each for _, each in computation.observations]


@pytest.fixture
def rows(tmp_path: Path) -> Rows:
    return Rows(tmp_path)


def bound(text: str) -> Bound:
    fields = [
        Field("id", t.STRING),
        Field("account", t.INTEGER),
        Field("amount", AMOUNT),
        Field("total", t.decimal(16, 2)),
    ]
    scope = Scope(Table.of(fields)).with_other("other", Table.of(fields))
    binding = bind(text, scope)
    assert binding.usable, binding.faults
    return binding.tree


def expect(condition: Condition, point: CheckPoint = INPUT, **more: Any) -> Expectation:
    given: dict[str, Any] = {
        "name": "e",
        "owner": None,
        "selector": None,
        "joins": (),
        "otherwise": "warn",
        "text": "…",
        "show": ("id",),
        **more,
    }
    return Expectation(point=point, condition=condition, **given)


def counts(seen: Observation) -> tuple[str, int, int]:
    return seen.unit, seen.checked, seen.violated


def keys(seen: Observation) -> list[dict[str, Value]]:
    return [dict(each.values) for each in seen.samples]


POSITIVE = RowCondition(bound("amount > 0"))


def test_false_and_null_violate_and_deleted_rows_are_invisible(rows: Rows) -> None:
    (seen,) = rows.seen(expect(POSITIVE))
    assert counts(seen) == ("rows", 4, 2)
    assert sorted(str(each["id"]) for each in keys(seen)) == ["b", "d"]
    assert all(len(str(each.row_id)) == 36 for each in seen.samples)


def test_deleted_rows_are_looked_at_where_they_are_asked_for(rows: Rows) -> None:
    (seen,) = rows.seen(expect(POSITIVE, include_deleted=True))
    assert counts(seen) == ("rows", 5, 2)


def test_only_rows_of_the_selector_are_looked_at(rows: Rows) -> None:
    (seen,) = rows.seen(expect(POSITIVE, selector=bound("account = 1")))
    assert counts(seen) == ("rows", 2, 1)


def test_the_largest_fault_comes_first_and_those_without_a_size_last(rows: Rows) -> None:
    condition = RowCondition(bound("amount > 9"))
    (seen,) = rows.seen(expect(condition, fault_size=bound("ABS(amount - 2)")))
    assert [each["id"] for each in keys(seen)][2:] == ["a", "d"]
    assert {each["id"] for each in keys(seen)[:2]} == {"b", "c"}


def test_null_is_a_key_and_rows_of_keys_that_stand_twice_are_counted(rows: Rows) -> None:
    (seen,) = rows.seen(expect(UniqueKeys(("account",))))
    assert counts(seen) == ("rows", 4, 2)
    assert keys(seen) == [{"account": 1, "rows": 2}]


def test_groups_that_do_not_meet_it_are_told_by_keys_and_measures(rows: Rows) -> None:
    condition = GroupCondition(("account",), (TOTAL,), bound("total = 0"))
    (seen,) = rows.seen(expect(condition))
    assert counts(seen) == ("groups", 3, 2)
    assert keys(seen) == [
        {"account": 2, "total": Decimal("5.00")},
        {"account": None, "total": None},
    ]


def test_of_all_rows_nothing_but_measures_is_seen(rows: Rows) -> None:
    condition = GroupCondition((), (TOTAL,), bound("total = 0"))
    (seen,) = rows.seen(expect(condition))
    assert counts(seen) == ("rows", 0, 0)
    assert seen.measures == {"total": Decimal("5.00")}


def test_another_point_is_compared_group_by_group_and_one_side_alone_violates(rows: Rows) -> None:
    against = Against("other", INPUT, None, (), (TOTAL,))
    condition = GroupCondition(("account",), (TOTAL,), bound("total = other.total"), against)
    plan = rows.plan(update("amount", "7", "id = 'a'"), delete("account = 2"))
    (seen,) = rows.seen(expect(condition, CheckPoint("after", 2)), plan=plan)
    assert counts(seen) == ("groups", 3, 3)
    assert [(dict(each.values), each.missing_side) for each in seen.samples] == [
        ({"account": 1, "total": Decimal("6.00"), "other.total": Decimal("0.00")}, None),
        ({"account": 2, "total": None, "other.total": Decimal("5.00")}, "here"),
        ({"account": None, "total": None, "other.total": None}, None),
    ]


def test_points_are_looked_at_as_the_run_passes_them(rows: Rows) -> None:
    plan = rows.plan(
        delete("id = 'a'"),
        'type: output, selector: "amount > 0", arguments: {destination: {location: {path: o}}}',
        delete("id = 'b'"),
    )
    points = (INPUT, CheckPoint("after", 1), CheckPoint("output", 2), CheckPoint("end"))
    found = rows.seen(*(expect(POSITIVE, point, name=point.label) for point in points), plan=plan)
    assert [each.checked for each in found] == [4, 3, 1, 2]


def test_an_overflow_is_not_evaluated_and_the_run_goes_on(rows: Rows) -> None:
    condition = RowCondition(bound("account + 9223372036854775807 > 0"))
    computation, left = rows.computed(rows.plan(), expect(condition))
    assert [each for _, each in computation.observations] == [Observation(failure=DOES_NOT_FIT)]
    assert left == ["a", "b", "c", "d", "e"]


def test_an_operation_that_must_match_is_seen_by_its_count(rows: Rows) -> None:
    plan = rows.plan(delete("id = 'a'"), delete("id = 'z'"))
    found = rows.seen(
        expect(MatchCondition(1), CheckPoint("after", 1), name="first"),
        expect(MatchCondition(2), CheckPoint("after", 2), name="second"),
        plan=plan,
    )
    assert [counts(each) for each in found] == [("operations", 1, 0), ("operations", 1, 1)]


def test_quarantine_takes_whole_groups_before_the_next_expectation_looks(rows: Rows) -> None:
    takes = expect(
        RowCondition(bound("amount >= 0")), otherwise="quarantine", whole=("account",), name="first"
    )
    plan = rows.plan(update("weight", "2"))
    computation, left = rows.computed(plan, takes, expect(POSITIVE, name="second"))
    first, second = (each for _, each in computation.observations)
    assert (counts(first), first.quarantined) == (("rows", 4, 2), 3)
    assert counts(second) == ("rows", 1, 0)
    assert left == ["c", "e"]


def test_rows_taken_after_an_operation_are_in_its_count(rows: Rows) -> None:
    takes = expect(POSITIVE, CheckPoint("after", 1), otherwise="quarantine")
    plan = replace(rows.plan(update("weight", "2"), delete("id = 'a'")), expectations=(takes,))
    computation = Computation(plan, CONTEXT, source_of({"entries": ENTRIES}))
    done = [each.count for each in computation.follow(computation.start())]
    assert [(c.rows_in, c.matched, c.deleted, c.quarantined, c.rows_out) for c in done] == [
        (4, 4, 0, 2, 2),
        (2, 1, 1, 0, 1),
    ]
