"""Random projects that count rows by the groups of an aggregate: row-wise operations, an aggregate,
outputs, and now and then expectations."""

from __future__ import annotations

import random

from tests.engine.random_levels import COLUMNS, EXACT, KEYS, OTHER
from tests.support.small_plans import delete as deleted
from tests.support.small_plans import numbered, total
from tests.support.small_plans import update as updated

WORKSPACE = f"""
dataset:
  name: t
  main_table:
    name: t{COLUMNS}
---
dataset:
  name: more
  main_table:
    name: more{COLUMNS}
---
project:
  name: p
  input_dataset_id: t
  operations:
"""
OUTPUT = "type: output, arguments: {destination: {location: {path: out}}}"
ALL = "type: update, arguments: {assignments: [{column: c, expression: \"'z'\"}]}"
APPEND = "type: append, arguments: {source: {dataset_id: more}}"


SELECTORS = (
    *("s = 'a'", "s IN ('a', 'b') AND k = 1", "k IS NULL", "b", "c = 'x' OR k = 2", "s = 'c'"),
    *("i > 0", "m < 0", "s = 'a' AND m IS NOT NULL", "TRUE", "NOT b", "c = 'x'", "c = 'y'"),
)
VALUES = (("c", "'z'"), ("c", "'x'"), ("i", "i + 1"), ("m", "0.5"), ("s", "'b'"), ("k", "2"))


def random_project(pick: random.Random) -> str:
    operations: list[str] = []
    for _ in range(pick.randint(0, 9)):
        kind = pick.random()
        if kind < 0.15:
            operations.append(APPEND)
        elif kind < 0.25:
            operations.append(deleted(pick.choice(SELECTORS)))
        else:
            column, value = pick.choice(VALUES)
            operations.append(updated(column, value, pick.choice(SELECTORS)))
    if pick.random() < 0.3:
        operations.append(ALL)
    keys = ", ".join(pick.sample(KEYS, pick.randint(1, 3)))
    values = EXACT if pick.random() < 0.8 else OTHER
    operations.append(total(keys, "r", pick.choice(values)))
    first = keys.split(", ")[0]
    if pick.random() < 0.6:
        operations.append(total(first, "q", pick.choice(EXACT), pick.choice(("", "r IS NULL"))))
    for number in range(pick.choice((0, 0, 1, 2))):
        more = ", ".join(pick.sample(KEYS, pick.randint(1, 2)))
        where = pick.choice(("", "r IS NULL", "r IS NULL AND s = 'a'", "level IS NULL", "b"))
        operations.append(total(more, f"r{number}", pick.choice(EXACT), where))
    if pick.random() < 0.5:
        operations.append(deleted("r > 2"))
    if pick.random() < 0.3:
        operations.append(updated("level", "'t'", "r IS NOT NULL"))
    operations += [OUTPUT, pick.choice((OUTPUT, OUTPUT.replace(", arg", ', selector: "b", arg')))]
    return _with_claims(pick) + numbered(*operations)


CLAIMS = (
    "s = 'a'",
    "i > 0",
    "m < 5 OR r > 1",
    "NOT b",
    "r IS NULL OR m IS NULL",
    "c <> level",
    "c IS NOT NULL",
)


def _with_claims(pick: random.Random) -> str:
    """Now and then with expectations: at the end, or after some operation."""
    if pick.random() < 0.4:
        return WORKSPACE
    said = []
    for number in range(pick.randint(1, 4)):
        claim = f'name: claim {number}, that: "{pick.choice(CLAIMS)}"'
        if pick.random() < 0.4:
            claim += f', selector: "{pick.choice(("k = 1", "r IS NULL", "i < 3"))}"'
        if pick.random() < 0.2:
            claim += ", include_deleted: true"
        if pick.random() < 0.4:
            claim = f"name: claim {number}, {_of_groups(pick)}"
        said.append(f"    - {{{claim}}}\n")
    return WORKSPACE.replace("  operations:\n", f"  expectations:\n{''.join(said)}  operations:\n")


def _of_groups(pick: random.Random) -> str:
    """Of groups, of keys that stand once, or of all rows."""
    keys = ", ".join(pick.sample(KEYS, pick.randint(1, 2)))
    where = pick.choice(("", "", ", selector: \"s = 'a'\"", ', selector: "level IS NULL"'))
    if pick.random() < 0.2:
        return f"unique: [{keys}]{where}"
    that = pick.choice(("SUM(m) > 0", "COUNT(*) < 4", "MAX_AGG(i) > MIN_AGG(i)", "COUNT(m) > 2"))
    by = f", by: [{keys}]" if pick.random() < 0.8 else ""
    return f'that: "{that}"{by}{where}'
