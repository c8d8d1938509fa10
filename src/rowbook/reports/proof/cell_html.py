"""Values of rows in the pages of proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rowbook.drawing.markup import Markup, element, joined
from rowbook.expressions.values import Value
from rowbook.text.number_format import format_value
from rowbook.text.plan_words import one_line


def value_html(value: Value) -> Markup:
    if value is None:
        return element("span", "NULL", class_="quiet")
    return joined(one_line(format_value(value)))


def cells_html(values: Mapping[str, Value]) -> Markup:
    """The columns that hold anything, with their names."""
    return joined(*_cells([(name, value) for name, value in values.items() if value is not None]))


def _cells(present: Sequence[tuple[str, Value]]) -> Iterator[Markup]:
    for name, value in present:
        label = element("span", one_line(name), class_="quiet")
        yield joined(element("span", label, " ", value_html(value), class_="cell"), " ")
