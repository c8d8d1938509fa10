"""Laws of expectations, on rows of any kind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.expectations.judgement import judge
from rowbook.expectations.observation import Observation
from rowbook.expectations.verdict import VerdictStatus
from rowbook.planning.project_plan import ProjectPlan
from rowbook.reference.computation import Computation
from tests.reference.small_projects import WORKSPACE, entry
from tests.support.reference_run import source_of
from tests.support.small_plans import CONTEXT, numbered, plan_of, update

_EXPECTATIONS = """  quarantine: {location: {path: refused}}
  expectations:
    - {name: known, at: input, that: "account IS NOT NULL", otherwise: quarantine}
    - {name: positive, at: 1, selector: "weight = 1", that: "amount > 0", otherwise: quarantine,
       whole: [account]}
    - {name: once, unique: [account, amount]}
    - {name: few, that: "amount < 1", selector: "weight = 2", tolerate: {share: 0.5, rows: 2}}
    - {name: balance, by: [account], that: "SUM(amount) = 0", otherwise: stop}
    - {name: total, that: "SUM(amount) > 0"}
"""

_amounts = st.one_of(st.none(), st.sampled_from(["-1.00", "0.00", "0.50", "2.00"]))
_rows = st.lists(
    st.builds(
        lambda account, amount, weight, deleted: entry(
            "", account, amount, weight=weight, _deleted=deleted
        ),
        st.sampled_from([None, 1, 2, 3]),
        _amounts,
        st.sampled_from([None, 1.0, 2.0]),
        st.booleans(),
    ),
    max_size=12,
).map(lambda rows: [{**row, "id": f"r{i}", "_row_id": f"r{i}"} for i, row in enumerate(rows)])


class Computed:
    def __init__(self, plan: ProjectPlan, rows: list[dict[str, Any]]) -> None:
        tables = {"entries": rows, "names": [], "budget": []}
        computation = Computation(plan, CONTEXT, source_of(tables))
        done = list(computation.follow(computation.start()))
        self.counts = [each.count for each in done]
        self.left: list[dict[str, Any]] = done[-1].effect.working.values()
        self.taken = list(computation.quarantine)
        self.expectations = [each for each, _ in computation.observations]
        self.seen = {each.name: seen for each, seen in computation.observations}

    @property
    def visible(self) -> list[dict[str, Any]]:
        return [row for row in self.left if not row["_deleted"]]


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> ProjectPlan:
    folder: Path = tmp_path_factory.mktemp("laws")
    text = numbered(update("tag", "'x'"), update("tag", "'y'"))
    return plan_of(folder, WORKSPACE + text + _EXPECTATIONS)


def ids(rows: list[dict[str, Any]]) -> Counter[str]:
    return Counter(row["id"] for row in rows)


@given(rows=_rows)
def test_a_row_is_either_left_or_taken(plan: ProjectPlan, rows: list[dict[str, Any]]) -> None:
    found = Computed(plan, rows)
    assert ids(found.left) + ids(found.taken) == ids(rows)
    assert sum(c.quarantined for c in found.counts) == found.seen["positive"].quarantined
    assert found.counts[-1].rows_out == len(found.visible)


@given(rows=_rows)
def test_whole_never_splits_a_key(plan: ProjectPlan, rows: list[dict[str, Any]]) -> None:
    found = Computed(plan, rows)
    taken = {row["account"] for row in found.taken if row["_expectation"] == "positive"}
    assert taken.isdisjoint(row["account"] for row in found.visible)


@given(rows=_rows)
def test_rows_of_the_selector_are_checked(plan: ProjectPlan, rows: list[dict[str, Any]]) -> None:
    found = Computed(plan, rows)
    assert found.seen["few"].checked == sum(row["weight"] == 2 for row in found.visible)
    assert found.seen["once"].checked == len(found.visible)
    assert found.seen["known"].checked == sum(not row["_deleted"] for row in rows)


@given(rows=_rows)
def test_rows_of_groups_above_one_are_not_unique(
    plan: ProjectPlan, rows: list[dict[str, Any]]
) -> None:
    found = Computed(plan, rows)
    groups = Counter((row["account"], row["amount"]) for row in found.visible)
    seen = found.seen["once"]
    assert seen.violated == sum(count for count in groups.values() if count > 1)
    assert Counter({tuple(s.values.values())[:2]: s.values["rows"] for s in seen.samples}) == {
        key: count for key, count in groups.items() if count > 1
    }


@given(rows=_rows)
def test_every_expectation_has_one_status_and_stops_by_it(
    plan: ProjectPlan, rows: list[dict[str, Any]]
) -> None:
    found = Computed(plan, rows)
    assert [each.name for each in found.expectations] == [e.name for e in plan.expectations]
    for each in found.expectations:
        verdict = judge(each, found.seen[each.name], CONTEXT.moment)
        assert verdict.status in get_args(VerdictStatus)
        assert verdict.stops == (verdict.status == "violated" and each.otherwise == "stop")
        assert (verdict.violated == 0) == (verdict.status in ("passed", "nothing to check"))
        assert verdict.detail


@given(
    checked=st.integers(0, 9),
    share=st.integers(0, 9),
    failure=st.sampled_from([None, "it does not fit"]),
)
def test_whatever_is_seen_has_a_status(
    plan: ProjectPlan, checked: int, share: int, failure: str | None
) -> None:
    seen = Observation("rows", checked, min(checked, share), failure=failure)
    for each in plan.expectations[:4]:
        verdict = judge(each, seen, CONTEXT.moment)
        assert (verdict.status == "not evaluated") == (failure is not None)
        assert verdict.status not in ("waived", "skipped")
