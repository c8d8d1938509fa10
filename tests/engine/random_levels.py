"""Random levels of totals: aggregates of aggregates, and what may stand between them."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

COLUMNS = """
    columns:
      - {name: s, type: string}
      - {name: k, type: integer}
      - {name: b, type: boolean}
      - {name: c, type: string}
      - {name: i, type: integer}
      - {name: m, type: "decimal(18,2)"}
      - {name: level, type: string}
"""
DATASET = f"""
dataset:
  name: t
  main_table:
    name: t{COLUMNS}---
project:
  name: p
  input_dataset_id: t
  operations:
"""

KEYS = ("s", "k", "b", "c")
EXACT = (
    *("SUM(m)", "SUM(i)", "COUNT(*)", "COUNT(m)", "MIN_AGG(m)", "MAX_AGG(i)"),
    *("SUM(m) / COUNT(*)", "SUM(m) - MIN_AGG(m)", "COALESCE(SUM(m), 0) + COUNT(*)"),
)
"""Results that can be put together from parts."""

OTHER = (
    *("AVG(m)", "COUNT_DISTINCT(i)", "SUM(m * 2)"),
    *("SUM(CASE WHEN i > 0 THEN m END)", "COUNT(CASE WHEN i > 0 THEN 1 END)"),
)
"""Results that cannot, or whose values might fail on rows that a later aggregate leaves out."""


def random_rows(pick: random.Random) -> list[dict[str, Any]]:
    """Rows with NULLs in keys and values, some of them deleted; sometimes none."""

    def maybe(*values: Any) -> Any:
        return None if pick.random() < 0.15 else pick.choice(values)

    return [
        {
            "s": maybe("a", "b", "c"),
            "k": maybe(1, 2),
            "b": maybe(True, False),
            "c": maybe("x", "y"),
            "i": maybe(-2, 0, 1, 3),
            "m": maybe(Decimal("0.01"), Decimal("-7.50"), Decimal("100.00")),
            "level": None,
            "_deleted": pick.random() < 0.1,
        }
        for _ in range(pick.choice((0, 10, 40, 40)))
    ]


def random_levels(pick: random.Random) -> str:
    """Operations of a project."""
    keys = pick.sample(KEYS, pick.randint(2, 4))
    made = ["n1"]
    operations = [_aggregate(keys, made, pick, selector=None)]
    for _ in range(pick.randint(2, 4)):
        if pick.random() < 0.25:
            operations.append(_between(made, pick))
        made.append(f"n{len(made) + 1}")
        fewer = pick.sample(keys, pick.randint(1, len(keys)))
        if pick.random() < 0.1:
            fewer = pick.sample(KEYS, 2)
        operations.append(_aggregate(fewer, made, pick, _selector(keys, made[:-1], pick)))
    operations.append(_output(pick))
    return "".join(
        f"    - {{seq: {seq}, name: op {seq}, {operation}}}\n"
        for seq, operation in enumerate(operations, start=1)
    )


def _selector(keys: list[str], made: list[str], pick: random.Random) -> str | None:
    """None and a condition on a key let earlier summaries in: they are counted twice, as SQL
    would."""
    conditions = {"s": "s <> 'a'", "k": "k = 1", "b": "b", "c": "c IS NULL OR c = 'x'"}
    forms = (
        None,
        f"{made[0]} IS NULL",
        " AND ".join(f"{name} IS NULL" for name in made),
        f"{made[-1]} IS NOT NULL",
        conditions[pick.choice(keys)],
        f"{made[0]} IS NULL AND {keys[0]} IS NOT NULL",
    )
    if pick.random() < 0.15:
        return pick.choice(("m > 0", "level IS NULL", "i IS NOT NULL"))
    return pick.choice(forms)


def _aggregate(keys: list[str], made: list[str], pick: random.Random, selector: str | None) -> str:
    results = [f'{{column: {made[-1]}, expression: "COUNT(*)"}}']
    if pick.random() < 0.8:
        column = pick.choice(("m", f"r{len(made)}"))
        value = pick.choice(OTHER if pick.random() < 0.15 else EXACT)
        results.append(
            f'{{column: {column}, expression: "{_stored(value) if column == "m" else value}"}}'
        )
    if pick.random() < 0.3:
        results.append("{column: level, expression: \"MAX_AGG('total')\"}")
    where = "" if selector is None else f'selector: "{selector}", '
    return (
        f"type: aggregate, {where}arguments: {{group_by: [{', '.join(keys)}],"
        f" aggregations: [{', '.join(results)}]}}"
    )


def _stored(value: str) -> str:
    return f"TO_DECIMAL({value}, 18, 2)"


def _between(made: list[str], pick: random.Random) -> str:
    if pick.random() < 0.4:
        return _output(pick)
    if pick.random() < 0.4:
        return f'type: delete, selector: "{made[-1]} > 2"'
    selector = pick.choice((f"{made[-1]} IS NOT NULL", "k = 1"))
    return (
        f'type: update, selector: "{selector}",'
        ' arguments: {assignments: [{column: i, expression: "i + 1"}]}'
    )


def _output(pick: random.Random) -> str:
    where = pick.choice(("", 'selector: "s IS NOT NULL", ', 'selector: "n1 IS NOT NULL", '))
    chosen = pick.choice(("", ", columns: [s, k, m, n1]"))
    return f"type: output, {where}arguments: {{destination: {{location: {{path: out}}}}{chosen}}}"
