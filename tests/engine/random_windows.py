"""Random updates with windows, as parts of random projects."""

from __future__ import annotations

import random

from tests.engine.random_expressions import Maker

_KEYS = ("s", "k", "b", "f", "z", "_period", "_row_id")
_ORDER = ("m", "-m", "f", "-f", "s", "-d", "z", "b", "-_row_id")
_WHOLE = {
    "total": "SUM(m)",
    "lines": "COUNT(*)",
    "kinds": "COUNT_DISTINCT(f)",
    "words": "COUNT_DISTINCT(w)",
    "mean": "AVG(r)",
    "floats": "SUM(f)",
    "even": "AVG(f)",
    "least": "MIN_AGG(z)",
    "greatest": "MAX_AGG(s)",
    "constant": "MAX_AGG('here')",
    "first": "MIN_BY(s, k)",
    "last": "MAX_BY(w, f)",
    "latest": "MAX_BY(m, d)",
    "text": "MAX_BY(i, w)",
    "named": "COUNT(names.label)",
    "share": "SUM(m) / NULLIF(SUM(r), 0)",
    "large": "SUM(m * 1000000)",
}
_PLACES = {
    "number": "ROW_NUMBER()",
    "rank": "RANK()",
    "before": "LAG(m)",
    "after": "LEAD(s, 2)",
    "gap": "ROW_NUMBER() - RANK()",
    "growth": "COUNT(*) + ROW_NUMBER()",
    "named_before": "LAG(names.label, 2)",
}


def window_update(seq: int, pick: random.Random, maker: Maker, made: list[int]) -> str:
    """An update whose new columns are values of one or two windows."""
    lines = [f"    - seq: {seq}", f"      name: op {seq}", "      type: update"]
    windows: list[str] = []
    columns: list[str] = []
    keys = pick.sample(_KEYS, pick.randint(0, 2))
    for alias in ("g", "n")[: pick.randint(1, 2)]:
        order = _order(pick)
        names = pick.sample(sorted({**_WHOLE, **_PLACES} if order else _WHOLE), pick.randint(1, 3))
        values = ", ".join(f'{name}: "{({**_WHOLE, **_PLACES})[name]}"' for name in names)
        condition = maker.make("bool", 1).replace("'", "''")
        selector = f", selector: '{condition}'" if pick.random() < 0.4 else ""
        windows.append(
            f"          - {{alias: {alias}, by: [{', '.join(keys)}]{selector},"
            f" order_by: [{', '.join(order)}], values: {{{values}}}}}"
        )
        for name in names:
            made[0] += 1
            columns.append(f'          - {{column: seen_{made[0]}, expression: "{alias}.{name}"}}')
        if pick.random() < 0.5:
            keys = pick.sample(_KEYS, pick.randint(0, 2))
    if pick.random() < 0.5:
        columns.append('          - {column: m, expression: "m + 1"}')
    if pick.random() < 0.3:
        lines.append(f"      selector: {pick.choice(('k > 2', 'b', 'm IS NOT NULL'))}")
    return "\n".join(
        [*lines, "      arguments:", "        windows:", *windows, "        assignments:", *columns]
    )


def _order(pick: random.Random) -> list[str]:
    """Columns of an order, each once; often none."""
    if pick.random() < 0.4:
        return []
    chosen = pick.sample(_ORDER, pick.randint(1, 2))
    return list({name.lstrip("-"): name for name in chosen}.values())
