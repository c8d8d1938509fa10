"""The table of operators and functions: complete, and each under its name."""

from __future__ import annotations

import pytest

from rowbook.expressions.functions import FUNCTIONS, Group
from rowbook.expressions.scalars.table import SCALARS
from rowbook.expressions.values import Value


def test_every_function_of_one_row_is_here_or_bound_as_something_else() -> None:
    over_rows = (Group.AGGREGATE, Group.WINDOW)
    scalars = {name for name, f in FUNCTIONS.items() if f.group not in over_rows}
    assert scalars - set(SCALARS) == {
        *("IF", "MOD", "ISNULL", "COALESCE", "NULLIF", "TODAY", "NOW", "PERIOD", "LEVEL"),
        *("PERIOD_START", "PERIOD_END", "GREATEST", "LEAST", "REQUIRE"),
    }


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("=", (1, 1), True),
        ("<>", (1, 1), False),
        ("<", (1, 2), True),
        ("<=", (2, 1), False),
        (">", (2, 1), True),
        (">=", (1, 2), False),
        ("NOT", (True,), False),
        ("LEN", ("abc",), 3),
        ("LEFT", ("abc", 2), "ab"),
        ("RIGHT", ("abc", 2), "bc"),
        ("MIN", (3, 2), 2),
        ("MAX", (3, 2), 3),
        ("POSITION", ("b", "abc"), 2),
        ("TO_STRING", (5, "000"), "005"),
    ],
)
def test_a_name_stands_for_its_function(
    name: str, arguments: tuple[Value, ...], value: Value
) -> None:
    assert SCALARS[name](*arguments) == value
