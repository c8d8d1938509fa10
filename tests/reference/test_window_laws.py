"""Laws of windows, on rows of any kind in any order."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.planning.project_plan import ProjectPlan
from tests.reference.small_projects import WORKSPACE, entry
from tests.support.reference_run import refer
from tests.support.small_plans import numbered, plan_of

_UPDATE = """type: update, arguments: {windows: [
  {alias: t, by: [account], values: {total: "SUM(amount)", lines: "COUNT(*)"}},
  {alias: n, by: [account], order_by: [-amount], values: {number: "ROW_NUMBER()", rank: "RANK()",
   running: "SUM(amount)", before: "LAG(id)", after: "LEAD(id)"}}],
  assignments: [{column: total, expression: "t.total"}, {column: lines, expression: "t.lines"},
   {column: number, expression: "n.number"}, {column: rank, expression: "n.rank"},
   {column: running, expression: "n.running"}, {column: before, expression: "n.before"},
   {column: after, expression: "n.after"}]}"""

_amounts = st.one_of(st.none(), st.integers(-300, 300).map(lambda cents: f"{cents / 100:.2f}"))
_rows = st.lists(
    st.builds(
        lambda account, amount, deleted: entry("", account, amount, _deleted=deleted),
        st.sampled_from([None, 1, 2]),
        _amounts,
        st.booleans(),
    ),
    max_size=12,
).map(lambda rows: [{**row, "id": f"r{i}", "_row_id": f"r{i}"} for i, row in enumerate(rows)])


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> ProjectPlan:
    text = numbered(_UPDATE.replace("\n", " "))
    return plan_of(tmp_path_factory.mktemp("laws"), WORKSPACE + text)


def computed(plan: ProjectPlan, rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found = refer(plan, {"entries": rows, "names": [], "budget": []}).rows
    return {str(row["id"]): row for row in found}


def groups(rows: dict[str, dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Visible rows of each group, by their numbers."""
    found: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in rows.values():
        if not row["_deleted"]:
            found[row["account"]].append(row)
    return [sorted(group, key=lambda row: row["number"]) for group in found.values()]


@given(rows=_rows)
def test_rows_are_neither_added_nor_lost(plan: ProjectPlan, rows: list[dict[str, Any]]) -> None:
    found = computed(plan, rows)
    assert list(found) == [row["id"] for row in rows]
    assert all(found[str(r["id"])]["lines"] is None for r in rows if r["_deleted"])


@given(rows=_rows)
def test_the_last_running_value_is_the_total(plan: ProjectPlan, rows: list[dict[str, Any]]) -> None:
    for group in groups(computed(plan, rows)):
        amounts = [row["amount"] for row in group if row["amount"] is not None]
        total = sum(amounts, Decimal()) if amounts else None
        assert {row["total"] for row in group} == {total} == {group[-1]["running"]}
        assert {row["lines"] for row in group} == {len(group)}


@given(rows=_rows)
def test_each_row_has_a_number_of_its_own_and_its_neighbours(
    plan: ProjectPlan, rows: list[dict[str, Any]]
) -> None:
    for group in groups(computed(plan, rows)):
        assert [row["number"] for row in group] == list(range(1, len(group) + 1))
        assert [row["before"] for row in group] == [None, *(row["id"] for row in group[:-1])]
        assert [row["after"] for row in group] == [*(row["id"] for row in group[1:]), None]
        for row in group:
            first = next(other for other in group if other["amount"] == row["amount"])
            assert row["rank"] == first["number"]


@given(rows=_rows, data=st.data())
def test_the_order_of_the_input_does_not_matter(
    plan: ProjectPlan, rows: list[dict[str, Any]], data: st.DataObject
) -> None:
    mixed = data.draw(st.permutations(rows))
    assert computed(plan, mixed) == computed(plan, rows)
