"""Entries, names and a budget: three small datasets, and operations on them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from rowbook.errors import RowbookError
from rowbook.expressions.values import Value
from tests.support.reference_run import Expected, refer
from tests.support.small_plans import numbered, plan_of

WORKSPACE = """
dataset:
  name: entries
  main_table:
    name: e
    temporal_mode: period
    columns:
      - {name: id, type: string, nullable: false}
      - {name: account, type: integer}
      - {name: amount, type: "decimal(6,2)"}
      - {name: weight, type: float}
  natural_key_columns: [id]
  lookups: [{alias: names, dataset_id: names, on: "e.account = names.account"}]
---
dataset:
  name: names
  main_table:
    name: n
    columns: [{name: account, type: integer}, {name: name, type: string}]
---
dataset:
  name: budget
  main_table:
    name: b
    columns:
      - {name: id, type: string}
      - {name: account, type: integer}
      - {name: amount, type: "decimal(6,2)"}
---
project:
  name: p
  input_dataset_id: entries
  operations:
"""

Rows = list[dict[str, Value]]


def entry(
    name: str, account: int | None = None, amount: str | None = None, **more: Value
) -> dict[str, Value]:
    value = None if amount is None else Decimal(amount)
    return {"id": name, "account": account, "amount": value, "_period": "2026-01", **more}


class Computed:
    """Computes operations on rows; names and budget are empty unless they are given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(
        self, entries: Rows, *operations: str, names: Rows | None = None, budget: Rows | None = None
    ) -> Expected:
        plan = plan_of(self.folder, WORKSPACE + numbered(*operations))
        return refer(plan, {"entries": entries, "names": names or [], "budget": budget or []})

    def rows(
        self,
        entries: Rows,
        *operations: str,
        show: tuple[str, ...] = ("id", "amount"),
        names: Rows | None = None,
        budget: Rows | None = None,
    ) -> list[tuple[Value, ...]]:
        """The final rows, as the values of some columns."""
        found = self.all(entries, *operations, names=names, budget=budget)
        return [tuple(row[name] for name in show) for row in found.rows]

    def errors(
        self, entries: Rows, *operations: str, names: Rows | None = None, budget: Rows | None = None
    ) -> list[str]:
        try:
            self.all(entries, *operations, names=names, budget=budget)
        except RowbookError as error:
            return [str(each) for each in error.diagnostics]
        return []
