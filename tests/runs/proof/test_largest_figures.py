"""Which figures of an output are explained without being asked for."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from rowbook.planning.steps import OutputStep
from rowbook.runs.proof.largest_figures import figure_requests
from tests.support.replays import replay_of, with_output
from tests.support.small_plans import delete, numbered, plan_of, total, update

DATASET = """
dataset:
  name: ledger
  main_table:
    name: gl
    columns:
      - {name: entity, type: string}
      - {name: line, type: string}
      - {name: amount, type: "decimal(18,2)"}
      - {name: fee, type: "decimal(18,2)"}
---
project:
  name: p
  input_dataset_id: ledger
  operations:
"""
ROWS = (("DE", "Cost", "-50.00"), ("DE", "Sales", "20.00"), ("US", "Cost", "-1.00"))
TOTALS = (
    "type: aggregate, arguments: {levels: [{name: lines, group_by: [entity, line]},"
    " {name: entities, group_by: [entity]}],"
    ' aggregations: [{column: amount, expression: "SUM(amount)"}],'
    """ assignments: [{column: level, expression: "LEVEL()"}]}"""
)
NO_DETAIL = delete("level IS NULL")


def requests(folder: Path, *operations: str, names: Sequence[str]) -> list[tuple[str, str | None]]:
    plan = with_output(plan_of(folder, DATASET + numbered(*operations)))
    ledger = [
        {"entity": entity, "line": line, "amount": Decimal(amount), "fee": None}
        for entity, line, amount in ROWS
    ]
    replay = replay_of(plan, {"ledger": ledger})
    step = plan.steps[-1]
    assert isinstance(step, OutputStep)
    return [(each.column, each.where) for each in figure_requests(replay, step, names)]


def test_rows_that_sum_up_are_named_by_their_texts_the_largest_first(tmp_path: Path) -> None:
    assert requests(tmp_path, TOTALS, NO_DETAIL, names=["amount"]) == [
        ("amount", "line = 'Cost' AND entity = 'DE'"),
        ("amount", "line IS NULL AND entity = 'DE'"),
        ("amount", "line = 'Sales'"),
        ("amount", "entity = 'US' AND line = 'Cost'"),
        ("amount", "entity = 'US' AND line IS NULL"),
    ]


def test_a_column_that_they_do_not_have_is_passed_over(tmp_path: Path) -> None:
    found = requests(tmp_path, TOTALS, NO_DETAIL, names=["fee", "amount"])
    assert {column for column, _ in found} == {"amount"}


def test_where_nothing_sums_up_it_is_the_total(tmp_path: Path) -> None:
    assert requests(tmp_path, update("fee", "0"), names=["amount", "fee"]) == [("amount", None)]


def test_rows_that_no_text_tells_apart_are_left_to_the_total(tmp_path: Path) -> None:
    """The summary has no text of its own, and neither has another row."""
    nameless = total("fee", "amount", "SUM(amount)")
    twice = requests(tmp_path, nameless, nameless, delete("entity IS NOT NULL"), names=["amount"])
    assert twice == [("amount", None)]
