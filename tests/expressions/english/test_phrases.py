"""The words of functions and conditions: none is forgotten, and opposites are opposite."""

from __future__ import annotations

import pytest

from rowbook.expressions.english.phrases import (
    AGGREGATES,
    CONDITIONS,
    LISTS,
    MOMENTS,
    POSITIONS,
    VALUES,
    comparison,
)
from rowbook.expressions.functions import FUNCTIONS, OPERATORS, Group
from rowbook.expressions.types import Kind


def test_every_function_has_its_words() -> None:
    groups = {Group.AGGREGATE: AGGREGATES, Group.WINDOW: POSITIONS}
    scalars = {name for name, f in FUNCTIONS.items() if f.group not in groups}
    special = {"IF", "MOD", "ROUND", "DATEADD", "REQUIRE"}
    spoken = {name for name, _ in VALUES} | set(LISTS) | set(MOMENTS) | set(CONDITIONS)
    assert scalars <= spoken | special
    assert spoken <= scalars | OPERATORS
    for group, words in groups.items():
        assert set(words) == {name for name, f in FUNCTIONS.items() if f.group is group}


def test_every_number_of_arguments_has_its_words() -> None:
    for name, function in FUNCTIONS.items():
        if not any(spoken == name for spoken, _ in VALUES) or name in {*LISTS, "DATE"}:
            continue  # DATE takes one or three
        most = function.most or function.fewest
        numbers = range(function.fewest, most + 1)
        assert {n for spoken, n in VALUES if spoken == name} == set(numbers), name


@pytest.mark.parametrize(
    ("operator", "kind", "said"),
    [
        ("<", Kind.INTEGER, ("{0} is less than {1}", "{0} is at least {1}")),
        (">=", Kind.DATE, ("{0} is on or after {1}", "{0} is before {1}")),
        ("<=", Kind.STRING, ("{0} sorts before or is {1}", "{0} sorts after {1}")),
        ("=", Kind.INTEGER, None),
    ],
)
def test_a_comparison_depends_on_what_is_compared(
    operator: str, kind: Kind, said: tuple[str, str] | None
) -> None:
    assert comparison(operator, kind) == said
