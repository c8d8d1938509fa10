"""Random appends of rows that are made from rows."""

from __future__ import annotations

import random

from tests.engine.random_expressions import Maker

_CONDITIONS = (
    "{t}.k = j.code",
    "j.code = {t}.k AND {t}.b",
    "{t}.k < j.code AND j.code < {t}.k + 5",
    "j.code > 2",
)
_WEIGHTS = (
    "1",
    "j.code + 10",
    "ABS(COALESCE(j.rate, 0)) + 1",
    "IF(j.code > 1, j.rate * j.rate, 1)",
)
_VALUES = {
    "s": "COALESCE(j.label, '{new}')",
    "m": "TO_DECIMAL(m * 2, 18, 2)",
    "i": "k - 1",
    "r": "j.rate",
}
_PERIODS = ("PERIOD()", "COALESCE(_period, PERIOD())", "IF(b, PERIOD(), NULL)")


def random_entries(pick: random.Random, maker: Maker, made: list[int]) -> list[str]:
    """The arguments of an append that reads the working dataset or joins, or both."""
    of_working = pick.random() < 0.7
    joined = not of_working or pick.random() < 0.7
    many = joined and pick.random() < 0.7
    lines = ["      arguments:"]
    lines.append(f"        source: {'working' if of_working else '{dataset_id: extra}'}")
    if pick.random() < 0.6:
        selector = pick.choice((maker.make("bool", 1), "k > 1", "names.label = 'one'"))
        if of_working or "names" not in selector:
            lines.append(f"        source_selector: '{selector.replace(chr(39), chr(39) * 2)}'")
    if joined:
        condition = pick.choice(_CONDITIONS).format(t="t" if of_working else "x")
        unmatched = pick.choice(("keep", "keep", "keep", "drop", "drop", "error"))
        lines.append(
            f"        joins: [{{alias: j, dataset_id: names, on: '{condition}',"
            f" many: {str(many).lower()}, unmatched: {unmatched}}}]"
        )
    if many and pick.random() < 0.6:
        column, scale = pick.choice((("m", 2), ("m", 0), ("i", 0), ("r", 3)))
        weight = pick.choice((*_WEIGHTS, *_WEIGHTS, "j.rate"))
        lines.append(f"        spread: {{column: {column}, weight: '{weight}', scale: {scale}}}")
    if pick.random() < 0.2:
        return [
            *lines,
            "        aggregation:",
            f"          group_by: [{', '.join(pick.sample(['w', 'k', 'b'], 2))}]",
            "          aggregations: [{column: r, expression: 'SUM(m)'}]",
        ]
    lines.append("        assignments:")
    names = [n for n, value in _VALUES.items() if joined or "j." not in value]
    for name in pick.sample(names, pick.randint(1, len(names))):
        value = _VALUES[name].format(new=f"op {made[0]}").replace("'", "''")
        lines.append(f"          - {{column: {name}, expression: '{value}'}}")
    if of_working and pick.random() < 0.5:
        made[0] += 1
        lines.append(f"          - {{column: from_{made[0]}, expression: '_row_id'}}")
    own = random.Random("\n".join(lines))  # so that seeds still make the projects they made
    if own.random() < 0.4:
        lines.append(f"          - {{column: _period, expression: '{own.choice(_PERIODS)}'}}")
    return lines
