"""Anything may be thrown at the language: parse raises ExpressionError alone, bind nothing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowbook.errors.codes import CODES
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.faults import ExpressionError, Fault
from rowbook.expressions.functions import FUNCTIONS
from rowbook.expressions.selectors import read_selectors
from rowbook.expressions.syntax.lexer import KEYWORDS
from rowbook.expressions.syntax.parser import parse
from tests.expressions.samples import BY_CODE, LEDGER, SCOPE
from tests.expressions.strategies import texts
from tests.expressions.test_functions import AGGREGATES, SCALARS

pytestmark = pytest.mark.fuzz

SELECTORS = {
    "sel": "posted OR lines > 1",
    "more": "{{sel}} AND NOT paid",
    "number": "lines",
    "broken": "posted AND",
    "circle": "{{circle}}",
    "lost": "{{nowhere}} AND amout > 1",
    "many": "COUNT(*) > 1",
}
SCOPES = [
    replace(scope, selectors=read_selectors(SELECTORS))
    for scope in (SCOPE, BY_CODE, replace(SCOPE, main=replace(LEDGER, complete=False)))
]

VALID = [expression for expression, _, _ in (*SCALARS, *AGGREGATES)] + [
    "amount BETWEEN 0 AND 1.5 AND NOT code IN ('a', 'b') OR note LIKE 'x%'",
    "CASE WHEN {{sel}} THEN amount * rates.factor ELSE -1 END / 7 % 3",
    "IF({{many}}, SUM(amount) / COUNT(*), 0) + AVG(lines)",
    "booked + 30 >= DATE('2026-01-31') OR accounts.kind IS NOT NULL",
]
PIECES = [
    *KEYWORDS,
    *FUNCTIONS,
    *LEDGER.fields,
    *("gl.", "rates.factor", "zzz", "no.x", "(", ")", ",", ".", "*", "+", "-", "/", "%", "="),
    *("<>", "!=", "<=", ">", "'", '"', "\\", "'x'", '"y"', "{{", "}}", " ", "\n", "{{sel}}"),
    *("{{number}}", "{{broken}}", "{{circle}}", "{{lost}}", "{{many}}", "{{nope}}"),
    *("0", "1", "2.50", "9" * 38, "9" * 39, "9223372036854775808", "0.000001", "'2026-01-31'"),
    *("\x00", "é", "٣", "\ud800", "\u2028", "’", "–", "COUNT(*)", "COUNT_ALL(", "IS_NULL("),
]


def whole(fault: Fault, length: int) -> bool:
    """Whether a finding has a known code, a message and a place within its text."""
    start, end = fault.span
    text_length = length if fault.within is None else len(SELECTORS[fault.within])
    return fault.code in CODES and bool(fault.message) and 0 <= start <= end <= text_length


def throw(text: str) -> None:
    with suppress(ExpressionError):
        parse(text)
    for scope in SCOPES:
        binding = bind(text, scope)
        assert all(whole(fault, len(text)) for fault in binding.faults)
        assert len(set(binding.faults)) == len(binding.faults)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text(text: str) -> None:
    throw(text)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
def test_any_sequence_of_words(text: str) -> None:
    throw(text)


@settings(deadline=None)
@given(texts)
def test_most_expressions(text: str) -> None:
    throw(text)


@st.composite
def mutants(draw: st.DrawFn) -> str:
    """A valid expression with parts cut out, doubled, put in, or another one put in their place."""
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 6)))
        filling = draw(
            st.one_of(
                st.just(""),
                st.just(text[start:end] * 2),
                st.sampled_from(PIECES),
                st.sampled_from(VALID),
            )
        )
        text = text[:start] + filling + text[end:]
    return text


@settings(deadline=None)
@given(mutants())
def test_mutants_of_valid_expressions(text: str) -> None:
    throw(text)


ARGUMENTS = [*LEDGER.fields, "NULL", "1", "-1", "1.5", "'x'", "TRUE", "{{sel}}", "zzz", "lines + 1"]


@settings(deadline=None)
@given(
    st.sampled_from([*FUNCTIONS, "COUNT_ALL", "IS_NULL", "AND", "OR", "NOPE"]),
    st.lists(st.sampled_from(ARGUMENTS), max_size=4),
    st.sampled_from(
        ["{}", "{} + 1", "UPPER({})", "SUM({})", "{} = {}", "CASE WHEN {} THEN {} END"]
    ),
)
def test_every_function_with_any_arguments(function: str, given_: list[str], around: str) -> None:
    call = f"{function}({', '.join(given_)})"
    throw(around.replace("{}", call))


NAMES = st.sampled_from("abcdef")


@settings(deadline=None)
@given(
    st.dictionaries(
        NAMES,
        st.lists(
            st.one_of(NAMES.map("{{{{{}}}}}".format), st.sampled_from(PIECES)), max_size=4
        ).map(" AND ".join),
    ),
    st.lists(NAMES, min_size=1, max_size=3),
)
def test_any_selectors(definitions: dict[str, str], used: list[str]) -> None:
    selectors = read_selectors(definitions)
    assert {fault.within for fault in selectors.faults} <= set(definitions)
    for scope in SCOPES:
        binding = bind(
            " AND ".join(f"{{{{{name}}}}}" for name in used), replace(scope, selectors=selectors)
        )
        assert not set(binding.faults) & set(selectors.faults)
