"""REQUIRE in random projects: some of the values that updates give must be there."""

from __future__ import annotations

import random
import re

_ASSIGNMENT = re.compile(r"(?<=- \{column: [a-z], expression: ')(?:[^'\n]|'')+(?='\})")


def with_requirements(project: str, pick: random.Random) -> str:
    """The project, now and then with REQUIRE around a value of an update; seldom around one that is
    NULL on some rows, which ends the run."""
    if pick.random() > 0.25:
        return project
    updates = list(re.finditer(r"type: update\n(?:(?!    - seq).*\n)*", project))
    places = [
        (block.start() + found.start(), block.start() + found.end())
        for block in updates
        for found in _ASSIGNMENT.finditer(block[0])
    ]
    if not places:
        return project
    start, end = pick.choice(places)
    value = project[start:end]
    forms = ("REQUIRE({0})", "IF(({0}) IS NULL, NULL, REQUIRE({0}))", "COALESCE({0}, REQUIRE({0}))")
    required = pick.choices(forms, (1, 2, 1))[0].format(value)
    return f"{project[:start]}{required}{project[end:]}"
