"""Conditions that go back over single steps: what a careless reader would get wrong."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from rowbook.expressions.binding.binder import bind
from rowbook.expressions.folding import FALSE, TRUE
from rowbook.expressions.scope import Scope
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.project_plan import ProjectPlan
from rowbook.proof.backward.backward_condition import GroupQuestion, RowQuestion, rows_behind
from rowbook.reference.subset.row_subset import RowSubset
from tests.proof.backward.replays import replay
from tests.support.small_plans import CONTEXT, delete, numbered, plan_of, total, update

DATASET = """
dataset:
  name: gl
  main_table:
    name: gl
    columns:
      - {name: id, type: integer}
      - {name: entity, type: string}
      - {name: status, type: string}
      - {name: amount, type: "decimal(18,2)"}
---
project:
  name: p
  input_dataset_id: gl
  operations:
"""
ROWS: list[dict[str, Any]] = [
    {"id": 1, "entity": "DE", "status": "open", "amount": Decimal("1.00")},
    {"id": 2, "entity": "DE", "status": "done", "amount": Decimal("2.00")},
    {"id": 3, "entity": None, "status": "open", "amount": Decimal("3.00")},
    {"id": 4, "entity": "US", "status": "open", "amount": Decimal("4.00")},
    {"id": 4, "entity": "US", "status": "open", "amount": Decimal("4.00")},
]


def planned(folder: Path, *operations: str) -> ProjectPlan:
    return plan_of(folder, DATASET + numbered(*operations))


def asked(plan: ProjectPlan, text: str, seq: int | None = None) -> RowSubset:
    point = CheckPoint("end") if seq is None else CheckPoint("after", seq)
    return rows_behind(plan, CONTEXT, [RowQuestion(point, condition(plan, text))])


def condition(plan: ProjectPlan, text: str) -> Any:
    found = bind(text, Scope(plan.steps[-1].columns.table))
    assert not found.faults
    return found.tree


def ids(plan: ProjectPlan, subset: RowSubset) -> list[int]:
    found = replay(plan, {"gl": ROWS}, subset)
    return sorted(int(str(row["id"])) for row in found.started.values())


def test_a_later_update_overwrites_what_a_selector_read(tmp_path: Path) -> None:
    plan = planned(
        tmp_path,
        update("amount", "amount * 2", "status = 'open'"),
        update("status", "'done'", "status = 'open'"),
    )
    assert ids(plan, asked(plan, "status = 'done' AND amount = 2")) == [1, 2]
    assert asked(plan, "status = 'open'").exact
    assert ids(plan, asked(plan, "status = 'open'")) == []


def test_deleted_rows_are_those_that_the_delete_met(tmp_path: Path) -> None:
    plan = planned(tmp_path, delete("amount > 2"))
    assert ids(plan, asked(plan, "_deleted")) == [3, 4, 4]
    assert ids(plan, asked(plan, "NOT _deleted")) == [1, 2]


def test_a_group_needs_its_rows_and_null_is_a_key(tmp_path: Path) -> None:
    plan = planned(tmp_path, total("entity", "amount", "SUM(amount)"))
    found = asked(plan, "_operation_seq = 1 AND entity = 'DE'")
    assert found.exact
    assert ids(plan, found) == [1, 2]
    assert ids(plan, asked(plan, "_operation_seq = 1 AND entity IS NULL")) == [3]


def test_a_condition_on_a_total_needs_all_groups(tmp_path: Path) -> None:
    plan = planned(tmp_path, total("entity", "amount", "SUM(amount)"))
    found = asked(plan, "_operation_seq = 1 AND amount > 5")
    assert found.input.condition != FALSE
    assert not found.exact
    assert ids(plan, found) == [1, 2, 3, 4, 4]


def test_totals_that_are_named_by_a_literal_are_asked_for_by_it(tmp_path: Path) -> None:
    plan = planned(
        tmp_path,
        total("entity", "status", "MAX_AGG('by entity')"),
        total("id", "status", "MAX_AGG('other')", "_operation_seq IS NULL"),
    )
    found = asked(plan, "_operation_seq IS NOT NULL AND status = 'other' AND id = 4")
    assert found.exact
    assert found.groups[1] == {None: FALSE}
    assert ids(plan, found) == [4, 4]


def test_groups_may_be_asked_for_by_system_columns(tmp_path: Path) -> None:
    plan = planned(tmp_path, total("_source_table", "amount", "SUM(amount)"))
    key = condition(plan, "_source_table = 'other'")
    assert ids(plan, rows_behind(plan, CONTEXT, [GroupQuestion(1, key)])) == []
    key = condition(plan, "_source_table = 'gl'")
    assert ids(plan, rows_behind(plan, CONTEXT, [GroupQuestion(1, key)])) == [1, 2, 3, 4, 4]


def test_equal_rows_are_taken_all_or_none(tmp_path: Path) -> None:
    plan = planned(tmp_path, update("amount", "amount + 1"))
    whole = replay(plan, {"gl": ROWS})
    row_id = next(each for each, row in whole.started.items() if row["id"] == 4)
    assert ids(plan, asked(plan, f"_row_id = '{row_id}'")) == [4, 4]


def test_what_cannot_be_is_asked_of_no_row(tmp_path: Path) -> None:
    plan = planned(tmp_path, update("status", "'done'"))
    assert asked(plan, "status = 'open' AND _deleted = FALSE").input.condition != TRUE
    assert asked(plan, "_operation_seq = 7").input.condition == FALSE
