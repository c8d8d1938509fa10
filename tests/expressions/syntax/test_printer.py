"""Laws of printing: a printed tree parses to the same tree, and printing is a fixpoint."""

from __future__ import annotations

from hypothesis import given, settings

from rowbook.expressions.faults import ExpressionError
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.parser import parse
from rowbook.expressions.syntax.printer import to_text
from tests.expressions.samples import shape
from tests.expressions.strategies import texts, trees


@settings(max_examples=200, deadline=None)
@given(trees)
def test_a_printed_tree_parses_to_the_same_tree(tree: n.Node) -> None:
    assert shape(parse(to_text(tree))) == shape(tree)


def test_what_parses_is_printed_as_text_that_stays_the_same() -> None:
    tried: list[bool] = []

    @settings(max_examples=200, deadline=None)
    @given(texts)
    def stays_the_same(text: str) -> None:
        try:
            tree = parse(text)
        except ExpressionError:
            tried.append(False)
            return
        tried.append(True)
        printed = to_text(tree)
        assert shape(parse(printed)) == shape(tree)
        assert to_text(parse(printed)) == printed

    stays_the_same()
    assert sum(tried) > len(tried) / 4, "too few of the texts parse to say anything"
