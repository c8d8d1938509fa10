"""Random aggregates with levels, computed keys and assignments, for random projects.

They have a chance of their own, drawn from what they stand for: the rest of a project stays what
its seed makes of it.
"""

from __future__ import annotations

import random

_KEYS = ("s", "k", "b", "f", "z", "_period")
_COMPUTED = {
    "class": "'LEFT(s, 1)'",
    "k": "'k % 2'",
    "s": "'COALESCE(names.label, w)'",
    "big": "'i > 2'",
    "twice": "'m * 2'",
}
"""Keys by expression: new columns and existing ones, of rows and of a lookup."""


def level_totals(plain: list[str], number: int) -> list[str]:
    """The arguments of an aggregate instead of plain ones, or none; `number` tells its columns from
    those of others."""
    pick = random.Random("".join(plain))
    if pick.random() < 0.5:
        return []
    keys = pick.sample(_KEYS, pick.randint(1, 3))
    computed = pick.sample(list(_COMPUTED), pick.randint(0, 2))
    names = [*(key for key in keys if key not in computed), *computed]
    results = [
        f"{{column: total_{number}, expression: 'SUM(m)'}}",
        "{column: i, expression: 'COUNT(*)'}",
        "{column: d, expression: 'MAX_AGG(e)'}",
    ]
    if pick.random() < 0.4:
        other = pick.choice(("COUNT_DISTINCT(w)", "AVG(r)", "SUM(f)"))
        results.append(f"{{column: other_{number}, expression: '{other}'}}")
    results = pick.sample(results, pick.randint(1, len(results)))
    if not any("total" in each for each in results):
        results.append(f"{{column: total_{number}, expression: 'SUM(m) - MIN_AGG(m)'}}")
    assignments = [
        f"{{column: double_{number}, expression: 'total_{number} * 2'}}",
        "{column: r, expression: 'TO_DECIMAL(1.5, 24, 6)'}",
        "{column: _labels, expression: \"'total'\"}",
    ]
    if pick.random() < 0.1:
        assignments = [f"{{column: m, expression: 'total_{number} * 10000000000'}}"]
    groups = f"        group_by: [{_listed(names, computed)}]"
    if pick.random() < 0.8:
        assignments.append(f"{{column: level_{number}, expression: 'LEVEL()'}}")
        groups = f"        levels: [{_levels(pick, names, computed)}]"
    assignments = pick.sample(assignments, pick.randint(0, len(assignments)))
    return [
        "      arguments:",
        groups,
        f"        aggregations: [{', '.join(results)}]",
        f"        assignments: [{', '.join(assignments)}]",
    ]


def source_keys(pick: random.Random) -> list[str]:
    """Keys of an append's aggregation."""
    keys = pick.sample(["w", "k", "b"], 2)
    if keys[0] == "w":
        keys[0] = "{column: s, expression: 'LEFT(w, 1)'}"
    elif keys == ["b", "k"]:
        keys[1] = "{column: k, expression: 'i + 1'}"
    return keys


def _levels(pick: random.Random, names: list[str], computed: list[str]) -> str:
    """Some subsets of the keys, seldom all of them; a computed one is said where it comes first."""
    subsets = {frozenset(pick.sample(names, pick.randint(0, len(names)))) for _ in range(3)}
    if pick.random() < 0.6:
        subsets.add(frozenset(names))
    levels, said = [], set[str]()
    for i, subset in enumerate(sorted(subsets, key=lambda each: (-len(each), sorted(each)))):
        keys = [name for name in names if name in subset]
        new = [name for name in computed if name in keys and name not in said]
        said |= set(new)
        levels.append(f"{{name: level {i}, group_by: [{_listed(keys, new)}]}}")
    return ", ".join(levels)


def _listed(names: list[str], computed: list[str]) -> str:
    forms = {key: f"{{column: {key}, expression: {_COMPUTED[key]}}}" for key in computed}
    return ", ".join(forms.get(name, name) for name in names)
