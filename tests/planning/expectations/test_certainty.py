"""What is told of a condition before any row is seen holds for every row."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from rowbook.expressions.binding.binder import bind
from rowbook.expressions.evaluate import Moment, Row, evaluate
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.expressions.types import INTEGER
from rowbook.planning.expectations.certainty import is_always_true, may_be_null

_SCOPE = Scope(Table.of([Field("a", INTEGER), Field("b", INTEGER), Field("c", INTEGER, False)]))
_MOMENT = Moment(datetime(2026, 1, 31, tzinfo=UTC), "2026-01")

_VALUES = st.recursive(
    st.sampled_from(["a", "b", "c", "0", "1", "NULL"]),
    lambda inner: st.one_of(
        st.builds("COALESCE({}, {})".format, inner, inner),
        st.builds("({} + {})".format, inner, inner),
        st.builds("NULLIF({}, {})".format, inner, inner),
        st.builds("GREATEST({}, {})".format, inner, inner),
        st.builds("MIN({}, {})".format, inner, inner),
        st.builds("IF({} > 0, {}, {})".format, inner, inner, inner),
    ),
    max_leaves=3,
)
_CONDITIONS = st.recursive(
    st.one_of(
        st.builds("{} = {}".format, _VALUES, _VALUES),
        st.builds("{} IS NULL".format, _VALUES),
        st.builds("{} IS NOT NULL".format, _VALUES),
        st.builds("{} IN ({}, 1)".format, _VALUES, _VALUES),
        st.builds("{} BETWEEN {} AND 2".format, _VALUES, _VALUES),
        st.sampled_from(["TRUE", "FALSE"]),
    ),
    lambda inner: st.one_of(
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
        st.builds("COALESCE({}, FALSE)".format, inner),
    ),
    max_leaves=5,
)
_CELLS = st.none() | st.integers(0, 2)


@given(_CONDITIONS, _CELLS, _CELLS, st.integers(0, 2))
def test_a_condition_that_cannot_be_null_never_is(
    text: str, a: int | None, b: int | None, c: int
) -> None:
    binding = bind(text, _SCOPE)
    assert binding.usable
    row: Row = {(None, "a"): a, (None, "b"): b, (None, "c"): c}
    value = evaluate(binding.tree, row, _MOMENT)
    assert value is not None or may_be_null(binding.tree)
    assert value is True or not is_always_true(binding.tree)
