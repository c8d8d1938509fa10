"""What adds to a figure, as a table with a bar for each line, whose last line is what they add up
to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from rowbook.drawing.markup import Markup, element, joined
from rowbook.expressions.values import Value
from rowbook.proof.explanation import Contribution
from rowbook.proof.figure import total_of
from rowbook.reports.html_tables import table
from rowbook.reports.proof.cell_html import cells_html
from rowbook.text.number_format import format_value
from rowbook.text.plan_words import one_line
from rowbook.text.visible import number

_MOST = 20
_WIDE, _HIGH, _LEAST = 1000.0, 14.0, 4.0


def contribution_bars(caption: str, found: Sequence[Contribution], total: Value) -> Markup:
    """Of very many lines the largest; the others are one."""
    shown, rest = found[:_MOST], found[_MOST:]
    amounts = [each.amount for each in shown]
    scale = _Scale([*amounts, _sum(rest)])
    rows = [
        (
            _amount(each.amount),
            scale.bar(each.amount),
            _origin(each),
            f"{each.rows:,}" if each.dataset is not None else "",
            ", ".join(map(str, each.operations)),
        )
        for each in shown
    ]
    if rest:
        amount, label = _sum(rest), number(len(rest), "smaller line")
        rows.append((_amount(amount), scale.bar(amount), joined(label), "", ""))
    strong = element("strong", _amount(total))
    rows.append((strong, joined(""), element("strong", "together"), "", ""))
    heads: dict[str, str | None] = {"Amount": "number", "": None, "From": "said"}
    heads |= {"Rows": "number", "By operations": "name"}
    return table(caption, heads, rows, kind="bars")


def _origin(each: Contribution) -> Markup:
    if each.dataset is None:
        return joined(one_line(str(each.keys.get("line", ""))))
    return joined(one_line(each.dataset), " ", cells_html(each.keys))


def _amount(value: Value) -> str:
    return "" if value is None else format_value(value)


def _sum(found: Sequence[Contribution]) -> Value:
    amounts = [each.amount for each in found if each.amount is not None]
    return total_of(amounts) if amounts else None


class _Scale:
    """Bars of all lines begin at one place: to its left what is below 0."""

    def __init__(self, amounts: Sequence[Value]) -> None:
        ends = [0.0, *filter(None, map(_length, amounts))]
        self.low, high = min(ends), max(ends)
        self.unit = _WIDE / ((high - self.low) or 1.0)

    def bar(self, amount: Value) -> Markup:
        return element(
            "svg",
            *self._drawn(_length(amount)),
            xmlns="http://www.w3.org/2000/svg",
            class_="bar",
            viewBox=f"0 0 {_WIDE:g} {_HIGH:g}",
            preserveAspectRatio="none",
            aria_hidden="true",
        )

    def _drawn(self, length: float | None) -> Iterator[Markup]:
        zero = -self.low * self.unit
        yield element("path", class_="line", d=f"M{zero:g} 0 V{_HIGH:g}")
        if length:
            wide = max(abs(length) * self.unit, _LEAST)
            left = zero if length > 0 else zero - wide
            kind = "up" if length > 0 else "down"
            yield element("rect", class_=kind, x=left, y=0, width=wide, height=_HIGH)


def _length(value: Value) -> float | None:
    """None where it is no number: a witness of a text's least value."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    return float(value)
