"""Forms that need a part twice may be nested, but not until a plan explodes."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.scope import Field, Scope, Table

SCOPE = Scope(Table.of([Field("a", t.INTEGER), Field("b", t.BOOLEAN), Field("f", t.FLOAT)]), "l")


def nested(form: str, depth: int, innermost: str) -> str:
    text = innermost
    for _ in range(depth):
        text = form.format(text)
    return text


@pytest.mark.parametrize(
    ("form", "innermost"),
    [("({} BETWEEN FALSE AND TRUE)", "b"), ("NULLIF({}, 1)", "a"), ("SQRT({})", "f")],
)
def test_sixty_levels_are_refused_and_six_are_not(form: str, innermost: str) -> None:
    (fault,) = bind(nested(form, 60, innermost), SCOPE).faults
    assert fault.code == "EXPR_008"
    assert fault.message == (
        "functions that need their arguments twice are nested too deep in each other"
    )
    assert bind(nested(form, 6, innermost), SCOPE).faults == ()


def test_many_beside_each_other_are_fine() -> None:
    text = " AND ".join(f"a BETWEEN {i} AND {i + 1}" for i in range(2000))
    assert bind(text, SCOPE).faults == ()
