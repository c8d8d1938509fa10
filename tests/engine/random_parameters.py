"""Parameters in random projects: some of the whole numbers in its expressions become parameters."""

from __future__ import annotations

import random
import re

_NUMBER = re.compile(r"(?<![\w.'%-])(?<!, )\d{1,6}(?![\w.'%])")
_EXPRESSION = re.compile(r"(?:selector|expression): '.*")


def with_parameters(project: str, pick: random.Random) -> str:
    """The project, now and then with parameters. One that stands where a number must be written out
    makes a project that cannot be planned."""
    if pick.random() > 0.3:
        return project
    places = [
        found.start() + number.start()
        for found in _EXPRESSION.finditer(project)
        for number in _NUMBER.finditer(found[0])
    ]
    chosen = sorted(pick.sample(places, min(len(places), 2)), reverse=True)
    declared = []
    for place in chosen:
        name = f"p{place}"
        number = _NUMBER.match(project, place)
        assert number is not None
        project = f"{project[:place]}param.{name}{project[number.end() :]}"
        declared.append(f"    {name}: {{type: integer, default: {number[0]}}}\n")
    if not declared:
        return project
    return project.replace(
        "  operations:\n", f"  parameters:\n{''.join(declared)}  operations:\n", 1
    )
