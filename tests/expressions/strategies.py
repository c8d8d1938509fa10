"""Random trees of every form, and random texts that mostly are expressions."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st

from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.lexer import KEYWORDS


def _any_case(word: str) -> st.SearchStrategy[str]:
    return st.sampled_from((word, word.lower(), word.title()))


def _words(rest: str) -> st.SearchStrategy[str]:
    return st.builds(str.__add__, st.sampled_from("aZ_"), st.text(alphabet=rest, max_size=4))


names = _words("bY_9")
keywords = st.sampled_from(sorted(KEYWORDS)).flatmap(_any_case)
decimals = st.builds(
    lambda whole, fraction: Decimal(f"{whole}.{fraction}"),
    st.integers(0, 10**19 - 1),
    st.text(alphabet="0123456789", min_size=1, max_size=19),
)

leaves: st.SearchStrategy[n.Node] = st.one_of(
    st.builds(
        n.Literal,
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(0, 10**38 - 1),
            decimals,
            st.text(max_size=6),
            st.text(alphabet="'\"\\%_{}a", max_size=8),
        ),
    ),
    st.builds(n.Name, st.none(), names),
    st.builds(n.Name, names, names | keywords),
    st.builds(n.Selector, _words("bY_9.-")),
    st.builds(n.Call, names.map(str.upper), st.just(()), st.booleans()),
)


def _compound(part: st.SearchStrategy[n.Node]) -> st.SearchStrategy[n.Node]:
    operators = ("+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">=")
    some = st.lists(part, min_size=1, max_size=3).map(tuple)
    several = st.lists(part, min_size=2, max_size=4).map(tuple)
    branches = st.lists(st.tuples(part, part), min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(n.Negate, part),
        st.builds(n.Not, part),
        st.builds(n.Binary, st.sampled_from(operators), part, part),
        st.builds(n.Logical, st.sampled_from(("AND", "OR")), several),
        st.builds(n.IsNull, part, st.booleans()),
        st.builds(n.In, part, some, st.booleans()),
        st.builds(n.Between, part, part, part, st.booleans()),
        st.builds(n.Like, part, part, st.booleans()),
        st.builds(n.Case, branches, st.none() | part),
        st.builds(n.Call, names.map(str.upper), some),
    )


trees = st.recursive(leaves, _compound, max_leaves=20)

_fragments = st.sampled_from(
    [
        *("a", "gl.amount", "period.end", "_x", "0", "007", "1.50", "TRUE", "Null", "{{sel}}"),
        *("'it''s'", '"say ""x"""', r"'\\'", r"'100\%'", "count(*)", "now()", "IF(a,1,2)"),
        *("-1", "--a", "NOT(b)", "(c)", "x=1", "y!=2", "p<=q"),
    ]
)


def _spaced(*parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    texts = st.tuples(*(st.just(p) if isinstance(p, str) else p for p in parts))
    gaps = st.sampled_from((" ", "  ", "\n", " \t"))
    return st.builds(lambda gap, texts: str(gap).join(texts), gaps, texts)


def _longer(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from(("+", "-", "*", "/", "%", "=", "!=", "<>", "<", ">="))
    negation = st.sampled_from(("", "not", "NOT"))
    return st.one_of(
        _spaced("(", part, ")"),
        _spaced("-", part),
        _spaced(_any_case("NOT"), part),
        _spaced(part, signs, part),
        _spaced(part, _any_case("AND"), part, _any_case("OR"), part),
        _spaced(_any_case("AND"), "(", part, ",", part, ")"),
        _spaced(part, negation, _any_case("IN"), "(", part, ",", part, ")"),
        _spaced(part, negation, _any_case("BETWEEN"), part, "and", part),
        _spaced(part, negation, _any_case("LIKE"), part),
        _spaced(part, _any_case("IS"), negation, "null"),
        _spaced("case when", part, "then", part, _any_case("END")),
        _spaced("CASE WHEN", part, "THEN", part, "else", part, "END"),
        _spaced(names, "(", part, ")"),
    )


texts = st.recursive(_fragments, _longer, max_leaves=12)
"""Most of them parse."""
