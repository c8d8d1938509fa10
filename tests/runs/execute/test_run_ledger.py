"""The ledger: rows in and out follow from what each operation added, deleted and had taken out."""

from __future__ import annotations

from pathlib import Path

from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.pipeline import Done
from rowbook.runs.execute.run_ledger import ledger
from tests.support.small_plans import delete, numbered, plan_of, update

LEDGER = """
dataset:
  name: ledger
  main_table: {name: ledger, columns: [{name: amount, type: integer}]}
---
project:
  name: p
  input_dataset_id: ledger
  operations:
"""


def test_rows_that_were_taken_out_after_an_operation_do_not_reach_the_next(tmp_path: Path) -> None:
    text = LEDGER + numbered(update("amount", "1"), delete("amount = 0"))
    done = [Done(step, 5) for step in plan_of(tmp_path, text).steps]
    counts = {0: Count(10), 1: Count(10), 2: Count(2)}
    found = ledger(done, counts, (), {1: 3})
    rows = [(each.rows_in, each.deleted, each.quarantined, each.rows_out) for each in found]
    assert rows == [(10, 0, 3, 7), (7, 2, 0, 5)]


def test_without_a_quarantine_nothing_is_taken_out(tmp_path: Path) -> None:
    done = [Done(step, 5) for step in plan_of(tmp_path, LEDGER + numbered(delete("TRUE"))).steps]
    (entry,) = ledger(done, {0: Count(10), 1: Count(4)}, ())
    assert (entry.quarantined, entry.rows_out) == (0, 6)
