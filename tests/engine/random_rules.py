"""Random rule sets over small random tables: updates that are lookups, and what may stand between
them."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal
from typing import Any

DATASET = """
dataset:
  name: t
  main_table:
    name: t
    columns:
      - {name: s, type: string}
      - {name: n, type: integer}
      - {name: m, type: "decimal(18,2)"}
      - {name: d, type: date}
      - {name: b, type: boolean}
      - {name: c, type: string}
      - {name: x, type: integer}
      - {name: y, type: "decimal(18,2)"}
---
project:
  name: p
  input_dataset_id: t
  operations:
"""

_VALUES: dict[str, tuple[Any, ...]] = {
    "s": ("a", "A", "b", "it's", ""),
    "n": (0, 1, 2, -3, 2**53),
    "m": (Decimal("7.00"), Decimal("-0.01"), Decimal("2.50")),
    "d": (date(2026, 1, 31), date(2024, 2, 29)),
    "b": (True, False),
    "c": ("one", "two"),
    "x": (1, 2),
    "y": (Decimal("1.00"),),
}
"""What rows hold, beside NULL."""

_KEYS: dict[str, tuple[str, ...]] = {
    "s": ("'a'", "'A'", "'b'", "'it''s'", "''", "CONCAT('', 'a')"),
    "UPPER(s)": ("'A'", "'B'", "'nothing'"),
    "n": ("0", "1", "2", "-3", "9007199254740992"),
    "n + 1": ("1", "2", "3"),
    "m": ("7", "7.00", "-0.01", "2.5", "2.505"),
    "d": ("DATE('2026-01-31')", "DATE('2024-02-29')"),
    "b": ("TRUE", "FALSE"),
}
"""What rules compare, and with what."""

_WRITTEN: dict[str, tuple[str, ...]] = {
    "c": ("'one'", "'two'", "'three'", "NULL"),
    "x": ("1", "2", "3"),
    "y": ("1", "1.5", "NULL"),
    "new": ("'fresh'", "NULLIF('stale', 'stale')"),
}
"""What rules set, and to what."""

_COMPUTED = {"c": "CONCAT(s, '!')", "x": "n * 2", "y": "m + 1", "new": "LOWER(s)"}
_TARGETS: tuple[tuple[str, ...], ...] = (("c",), ("c",), ("c", "x"), ("x", "c"), ("y", "new"))
_OTHERS = (
    *("n > 0", "n BETWEEN 0 AND 1", "s IS NULL", "s LIKE '%a%'", "s = 'a' OR n = 1", "b"),
    *("s <> 'a'", "s NOT IN ('b', 'A')", "d < DATE('2026-01-01')", "m = y", "s = 'a' AND n > 0"),
)


def random_rows(pick: random.Random) -> list[dict[str, Any]]:
    """Rows with NULLs, some of them deleted; sometimes none."""
    return [
        {
            **{n: None if pick.random() < 0.2 else pick.choice(v) for n, v in _VALUES.items()},
            "_deleted": pick.random() < 0.1,
        }
        for _ in range(pick.choice((0, 8, 25, 40)))
    ]


def random_rules(pick: random.Random) -> str:
    """Operations of a project: rules of a few shapes, other updates and deletes among them;
    sometimes an output at the end."""
    shapes = [
        (tuple(pick.sample(list(_KEYS), pick.randint(1, 3))), pick.choice(_TARGETS))
        for _ in range(pick.randint(1, 3))
    ]
    count = pick.randint(4, 14)
    operations = [_operation(seq, shapes, pick) for seq in range(1, count + 1)]
    if pick.random() < 0.5:
        operations.append(
            f"    - {{seq: {count + 1}, name: write, type: output,"
            " arguments: {destination: {location: {path: out}}}}\n"
        )
    return "".join(operations)


def _operation(
    seq: int, shapes: list[tuple[tuple[str, ...], tuple[str, ...]]], pick: random.Random
) -> str:
    keys, targets = pick.choice(shapes)
    selector = " AND ".join(_compared(key, pick) for key in keys)
    if pick.random() < 0.1:
        selector = pick.choice(_OTHERS)
    if pick.random() < 0.06:
        selector = pick.choice(("c = 'one'", "x IN (1, 2)", "c = 'two' AND s = 'a'"))
    start = f"    - {{seq: {seq}, name: op {seq}, selector: {_quoted(selector)}, "
    if pick.random() < 0.06:
        return f"{start}type: delete}}\n"
    made = ", ".join(
        f"{{column: {name}, expression: {_quoted(_value(name, pick))}}}" for name in targets
    )
    return f"{start}type: update, arguments: {{assignments: [{made}]}}}}\n"


def _compared(key: str, pick: random.Random) -> str:
    literals = _KEYS[key]
    one, other = pick.choice(literals), pick.choice(literals)
    some = ", ".join(pick.choices((*literals, "NULL"), k=pick.randint(1, 4)))
    forms = [f"{key} = {one}", f"{one} = {key}", f"{key} IN ({some})", f"{key} IN ({some})"]
    if key != "b":
        operator = pick.choice(("<", "<=", ">", ">="))
        forms += [f"{key} {operator} {one}", f"{one} {operator} {key}"]
        forms += [f"{key} BETWEEN {one} AND {other}", f"({key} < {one} OR {key} IN ({some}))"]
    if key in ("s", "UPPER(s)"):
        forms += [f"{key} LIKE '{pick.choice('aAbi')}%'", f"STARTS_WITH({key}, {one})"]
    rare = (f"{key} = {one} AND {key} = {other}", f"{key} = NULL", f"{key} IN (NULL)")
    return pick.choice(rare if pick.random() < 0.08 else forms)


def _value(name: str, pick: random.Random) -> str:
    return _COMPUTED[name] if pick.random() < 0.08 else pick.choice(_WRITTEN[name])


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
