"""Datasets of random projects that read other periods of the input, and what appends take."""

from __future__ import annotations

import random

VIEWS = """
---
dataset: {name: before, of: main, periods: previous, missing: empty}
---
dataset: {name: lately, of: main, periods: {trailing: 2}, missing: empty}
---
dataset: {name: ever, of: main, periods: all}
"""


def random_source(pick: random.Random) -> str:
    """The dataset that an append takes: now and then other periods of the input."""
    return pick.choice(("extra", "extra", "extra", "before", "lately", "ever"))
