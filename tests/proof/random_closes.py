"""Random projects that close books: amounts converted, classified, deleted, summed up on levels and
again, booked once more, spread. Conditions read what names a row, never what was summed up: so a
figure loses exactly what a row added when the row is gone."""

from __future__ import annotations

import random
from decimal import Decimal
from pathlib import Path
from typing import Any

from rowbook.planning.project_plan import ProjectPlan
from tests.support.small_plans import plan_of

DATASETS = """
dataset:
  name: ledger
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: id, type: integer, nullable: false}
      - {name: entity, type: string}
      - {name: account, type: string}
      - {name: currency, type: string}
      - {name: amount, type: "decimal(18,2)"}
  natural_key_columns: [id]
  lookups:
    - {alias: rates, dataset_id: rates, on: "gl.currency = rates.currency"}
---
dataset:
  name: rates
  main_table:
    name: rates
    columns:
      - {name: currency, type: string, nullable: false}
      - {name: rate, type: "decimal(18,6)", nullable: false}
---
dataset:
  name: budget
  main_table:
    name: budget
    columns:
      - {name: item, type: integer, nullable: false}
      - {name: entity, type: string}
      - {name: account, type: string}
      - {name: amount, type: "decimal(18,2)"}
  natural_key_columns: [item]
---
dataset:
  name: centers
  main_table:
    name: centers
    columns:
      - {name: center, type: string, nullable: false}
      - {name: weight, type: integer, nullable: false}
---
"""

_ENTITIES = ("DE", "US", None)
_ACCOUNTS = ("rent", "pay", "sales", None)


def random_close(folder: Path, pick: random.Random) -> tuple[str, ProjectPlan]:
    """The project's text, and its plan."""
    operations = [_CONVERT]
    operations += pick.sample(_EARLY, pick.randint(1, len(_EARLY)))
    operations += [pick.choice(_TOTALS)]
    operations += pick.sample(_LATE, pick.randint(0, len(_LATE)))
    body = "".join(
        f"    - {{seq: {seq}, name: op {seq}, {operation}}}\n"
        for seq, operation in enumerate(operations, start=1)
    )
    text = f"project:\n  name: p\n  input_dataset_id: ledger\n  operations:\n{body}"
    return text, plan_of(folder, DATASETS + text)


def random_books(pick: random.Random) -> dict[str, list[dict[str, Any]]]:
    ledger = [
        {
            "id": number,
            "entity": pick.choice(_ENTITIES),
            "account": pick.choice(_ACCOUNTS),
            "currency": pick.choice(("EUR", "USD", "JPY", None)),
            "amount": _amount(pick),
            "_period": "2025-12" if pick.random() < 0.1 else "2026-01",
        }
        for number in range(pick.choice((2, 6, 14)))
    ]
    budget = [
        {
            "item": number,
            "entity": pick.choice(_ENTITIES),
            "account": pick.choice(_ACCOUNTS),
            "amount": _amount(pick),
        }
        for number in range(pick.choice((0, 3, 8)))
    ]
    rates = [
        {"currency": "EUR", "rate": Decimal("0.851500")},
        {"currency": "USD", "rate": Decimal("1.000000")},
    ]
    centers = [{"center": "A", "weight": 1}, {"center": "B", "weight": 2}]
    return {"ledger": ledger, "budget": budget, "rates": rates, "centers": centers}


def _amount(pick: random.Random) -> Decimal | None:
    return None if pick.random() < 0.1 else Decimal(pick.randint(-99999, 99999)) / 100


_CONVERT = (
    "type: update, arguments: {assignments: ["
    '{column: usd, expression: "ROUND(amount / rates.rate, 2)"},'
    "{column: level, expression: \"'line'\"}, {column: class, expression: account}]}"
)
_EARLY = (
    "type: delete, selector: \"account = 'rent' AND entity = 'US'\"",
    "type: update, selector: \"class = 'pay'\", arguments: {assignments:"
    " [{column: class, expression: \"'people'\"}]}",
    "type: update, selector: \"entity = 'DE'\", arguments: {assignments:"
    ' [{column: usd, expression: "-usd * 2"}, {column: class, expression: "\'sales\'"}]}',
    "type: append, arguments: {source: {dataset_id: budget}, source_selector: \"entity <> 'US'\","
    " aggregation: {group_by: [entity, account], aggregations:"
    ' [{column: usd, expression: "SUM(amount)"}, {column: level, expression: "MAX_AGG(\'line\')"},'
    " {column: class, expression: \"MAX_AGG('budget')\"}]}}",
    "type: append, arguments: {source: {dataset_id: budget}, assignments:"
    ' [{column: usd, expression: "amount"}, {column: level, expression: "\'line\'"}]}',
    "type: append, arguments: {source: working, source_selector: \"entity = 'DE'\", assignments:"
    ' [{column: usd, expression: "-usd"}, {column: level, expression: "\'line\'"}]}',
)
_TOTALS = (
    "type: aggregate, selector: \"level = 'line'\", arguments: {levels:"
    " [{name: entity, group_by: [entity, class]}, {name: class, group_by: [class]}], aggregations:"
    ' [{column: usd, expression: "SUM(usd)"}, {column: count, expression: "COUNT(*)"}],'
    ' assignments: [{column: level, expression: "LEVEL()"},'
    ' {column: net, expression: "COALESCE(usd, 0) - count"}]}',
    "type: aggregate, selector: \"level = 'line'\", arguments: {group_by: [entity], aggregations:"
    ' [{column: usd, expression: "SUM(usd)"}, {column: count, expression: "COUNT(usd)"}],'
    " assignments: [{column: level, expression: \"'entity'\"},"
    ' {column: net, expression: "COALESCE(usd, 0) * 2 + count"}]}',
)
_LATE = (
    "type: aggregate, selector: \"level = 'entity'\", arguments: {group_by: [_period],"
    ' aggregations: [{column: usd, expression: "SUM(usd)"},'
    ' {column: net, expression: "COALESCE(SUM(net), 0) + COALESCE(SUM(usd), 0)"}],'
    " assignments: [{column: level, expression: \"'all'\"}]}",
    "type: aggregate, arguments: {group_by: [class], aggregations:"
    ' [{column: usd, expression: "SUM(usd)"}, {column: net, expression: "COUNT(usd)"}],'
    " assignments: [{column: level, expression: \"'totals of totals'\"}]}",
    "type: update, selector: \"level <> 'line'\", arguments: {assignments:"
    " [{column: net, expression: \"IF(level = 'entity', usd, 0) + COALESCE(usd, 0)\"}]}",
    "type: delete, selector: \"level = 'class' AND class = 'sales'\"",
    "type: append, arguments: {source: working, source_selector: \"level = 'entity'\", joins:"
    ' [{alias: j, dataset_id: centers, on: "j.weight > 0", many: true}],'
    ' spread: {column: usd, weight: "j.weight", scale: 2},'
    ' assignments: [{column: usd, expression: "usd"}, {column: class, expression: "j.center"},'
    " {column: level, expression: \"'part'\"}]}",
)
