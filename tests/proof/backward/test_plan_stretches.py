"""Steps of a plan with the columns before them, and the expectations that take rows out behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rowbook.definitions.models.expectation import Otherwise
from rowbook.expressions import types as t
from rowbook.expressions.bound import Constant
from rowbook.planning.expectations.expectation_plan import (
    Against,
    CheckPoint,
    Condition,
    Expectation,
    GroupCondition,
    RowCondition,
    Tolerance,
    UniqueKeys,
)
from rowbook.planning.project_plan import ProjectPlan
from rowbook.proof.backward.plan_stretches import (
    as_it_acted,
    grouped_by,
    stretches,
    written_after,
)
from tests.proof.conftest import DATASETS
from tests.support.small_plans import delete, numbered, plan_of, total, update

HOLDS = RowCondition(Constant(True, t.BOOLEAN))


def planned(folder: Path, *expectations: Expectation) -> ProjectPlan:
    """An update that adds a column, a total, a delete: 1, 2, 3."""
    project = "project:\n  name: p\n  input_dataset_id: ledger\n  operations:\n"
    steps = update("line", "'x'"), total("line", "sum", "SUM(amount)"), delete("id = 1")
    plan = plan_of(folder, DATASETS + project + numbered(*steps))
    return replace(plan, expectations=expectations)


def expected(
    name: str,
    point: CheckPoint,
    condition: Condition = HOLDS,
    otherwise: Otherwise = "quarantine",
    whole: tuple[str, ...] = (),
) -> Expectation:
    return Expectation(name, None, point, None, (), condition, otherwise, "so it is", whole)


def after(seq: int) -> CheckPoint:
    return CheckPoint("after", seq)


def test_expectations_stand_behind_the_last_step_that_they_are_after(tmp_path: Path) -> None:
    plan = planned(
        tmp_path,
        expected("late", after(3)),
        expected("first of 1", after(1)),
        expected("at the start", CheckPoint("input")),
        expected("second of 1", after(1)),
        expected("no step has seq 0", after(0)),
    )
    start, steps = stretches(plan)
    assert [each.name for each in start] == ["at the start", "no step has seq 0"]
    behind = {each.step.seq: [e.name for e in each.expectations] for each in steps}
    assert behind == {1: ["first of 1", "second of 1"], 2: [], 3: ["late"]}


def test_expectations_that_take_nothing_out_of_the_rows_stand_nowhere(tmp_path: Path) -> None:
    plan = planned(
        tmp_path,
        expected("warns", after(1), otherwise="warn"),
        expected("stops", CheckPoint("input"), otherwise="stop"),
        expected("of an output", CheckPoint("output", 3)),
        expected("at the end", CheckPoint("end")),
    )
    start, steps = stretches(plan)
    assert start == ()
    assert [each.expectations for each in steps] == [(), (), ()]


def test_a_step_has_the_columns_before_it(tmp_path: Path) -> None:
    _, (updating, totalling, deleting) = stretches(planned(tmp_path))
    assert "line" not in updating.fields
    assert "line" in totalling.fields
    assert "sum" not in totalling.fields
    assert "sum" in deleting.fields


def test_of_a_plan_as_it_acted_the_others_and_all_bounds_are_gone(tmp_path: Path) -> None:
    some = replace(expected("some", after(1)), tolerance=Tolerance(rows=1))
    plan = planned(tmp_path, some, expected("others", after(1)))
    assert as_it_acted(plan, {(None, "some")}).expectations == (replace(some, tolerance=None),)
    assert as_it_acted(plan, set()).expectations == ()


def test_what_is_written_behind_a_point_ends_with_the_plan(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    assert written_after(plan, CheckPoint("input")) == {"line", "_updated_at", "_deleted"}
    assert written_after(plan, after(1)) == {"_updated_at", "_deleted"}
    assert written_after(plan, after(3)) == frozenset()
    assert written_after(plan, CheckPoint("end")) == frozenset()


def test_rows_are_looked_at_together_by_what_all_groups_share() -> None:
    point = CheckPoint("input")
    keys = UniqueKeys(("a", "b"))
    assert grouped_by(expected("rows", point)) == frozenset()
    assert grouped_by(expected("keys", point, keys)) == {"a", "b"}
    assert grouped_by(expected("journals", point, whole=("b", "c"))) == {"b", "c"}
    assert grouped_by(expected("both", point, keys, whole=("b", "c"))) == {"b"}
    assert grouped_by(expected("nothing shared", point, keys, whole=("c",))) == frozenset()


def test_a_comparison_with_other_rows_of_the_run_looks_at_all() -> None:
    def compared(other: CheckPoint | None) -> Expectation:
        against = Against("before", other, None, (), ())
        return expected("x", after(1), GroupCondition(("a",), (), HOLDS.that, against))

    assert grouped_by(compared(CheckPoint("input"))) == frozenset()
    assert grouped_by(compared(None)) == {"a"}
