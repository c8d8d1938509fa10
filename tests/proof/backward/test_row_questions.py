"""What somebody asks of rows, as questions about rows of a plan."""

from __future__ import annotations

from pathlib import Path

from rowbook.expressions.bound import Bound
from rowbook.expressions.folding import FALSE, TRUE
from rowbook.planning.project_plan import ProjectPlan
from rowbook.proof.backward.backward_condition import rows_behind
from rowbook.proof.backward.row_questions import figure_rows
from rowbook.reference.subset.row_subset import RowSubset
from tests.proof.backward.test_traps import condition, planned
from tests.support.small_plans import CONTEXT, total

OUTPUT = (
    "type: output, arguments: {destination: {location: {path: out, format: csv}},"
    " columns: [id, amount, _row_id]}"
)


def subsets(plan: ProjectPlan, where: Bound) -> list[RowSubset]:
    return [rows_behind(plan, CONTEXT, each) for each in figure_rows(2, where)]


def test_a_row_of_an_output_is_looked_for_by_its_id_where_it_was_read_first(
    tmp_path: Path,
) -> None:
    plan = planned(tmp_path, total("entity", "amount", "SUM(amount)"), OUTPUT)
    first, then = subsets(plan, condition(plan, "amount > 1 AND _row_id = 'x'"))
    assert first.groups[1] == {None: FALSE}
    assert first.exact
    assert then.groups[1] == {None: TRUE}
    assert not then.exact


def test_rows_that_are_meant_otherwise_are_asked_for_once(tmp_path: Path) -> None:
    plan = planned(tmp_path, total("entity", "amount", "SUM(amount)"), OUTPUT)
    for where in ("amount > 1", "_row_id = 'x' OR amount > 1", "_row_id > 'x'"):
        assert len(subsets(plan, condition(plan, where))) == 1
