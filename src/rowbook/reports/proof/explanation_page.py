"""What a figure is made of, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rowbook.drawing.markup import Markup, element, page
from rowbook.expressions.values import Value
from rowbook.proof.explanation import Contribution, Explanation
from rowbook.proof.terms import exact
from rowbook.reports.html_tables import table
from rowbook.reports.proof.bars import STYLE as BAR_STYLE
from rowbook.reports.proof.bars import bar, strip
from rowbook.reports.style import STYLE
from rowbook.text.number_format import format_value
from rowbook.text.visible import number

NOW = "as the data is now"
_REPLAYED = {
    "equal": "replayed: equal to what was published",
    "differs": "replayed: not what was published",
    "no": "not compared with what was published",
}


def explanation_html(found: Explanation) -> str:
    title = f"{found.column} {format_value(found.figure)}"
    return page(title, f"{STYLE}{BAR_STYLE}", element("main", *_explained(found, "h1")))


def run_words(run_id: str, project: str, version: int | None, period: str) -> str:
    kind = "draft" if version is None else f"version {version}"
    return f"{project} ({kind}) for {period}, run {run_id}"


def cells_text(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} {format_value(value)}" for name, value in values.items())


def notes(warnings: Sequence[str], *, is_now: bool) -> Iterator[Markup]:
    said = [f"{NOW[0].upper()}{NOW[1:]}, not as the run read it"] if is_now else []
    if said or warnings:
        yield element("ul", *(element("li", each) for each in (*said, *warnings)), class_="box")


def _explained(found: Explanation, heading: str) -> Iterator[Markup]:
    is_now = found.inputs == "changed"
    yield element(heading, f"{found.column} {format_value(found.figure)}")
    run = run_words(found.run_id, found.project, found.version, found.period)
    yield element("p", f"{number(found.rows, 'row')} of {found.output}; {run}", class_="quiet")
    yield element("p", element("code", f"= {found.formula}"))
    yield from notes(found.warnings, is_now=is_now)
    state = f" ({NOW})" if is_now else ""
    if found.contributions:
        yield element("h2", f"What it is made of{state}")
        yield _contributions(found.contributions)
    words = "The lines add up to the figure" if found.ties else "The lines do not add up"
    kind = "good" if found.ties and found.replayed != "differs" else "bad"
    total = "" if found.total is None else f": {format_value(found.total)}"
    yield element("p", f"{words}{total}; {_REPLAYED[found.replayed]}.", class_=kind)
    for part in found.parts:
        yield element("h3", f"{part.formula} = {format_value(part.value)}")
        yield _contributions(part.contributions)
    yield from _rows(found, state)
    yield from _absences(found, state)
    for earlier in found.earlier:
        yield element("h2", "From the run that wrote it")
        yield from _explained(earlier, "h3")


def _contributions(found: Sequence[Contribution]) -> Markup:
    amounts = [_size(each.amount) for each in found]
    rows = [
        (
            each.dataset or str(each.keys.get("line", "")),
            cells_text(each.keys) if each.dataset else "",
            ", ".join(map(str, each.operations)),
            f"{each.rows:,}" if each.rows else "",
            _amount(each.amount),
            bar(_size(each.amount), min(amounts), max(amounts)),
        )
        for each in found
    ]
    heads = ("origin", "keys", "operations", "rows", "amount", "bar")
    return _table("what it is made of", heads, rows, numbers=(3, 4))


def _rows(found: Explanation, state: str) -> Iterator[Markup]:
    if found.largest:
        yield element("h2", f"The largest rows{state}")
        rows = [
            (each.place, cells_text(each.values), _amount(each.amount)) for each in found.largest
        ]
        yield _table("the largest rows", ("place", "row", "amount"), rows, numbers=(2,))
        if found.more_rows:
            yield element("p", f"and {number(found.more_rows, 'more row')}", class_="quiet")
    if found.joined:
        yield element("h2", f"Joined rows that took part{state}")
        joined = [
            (
                each.alias,
                each.place or "",
                cells_text(each.values),
                f"{each.rows:,}",
                _amount(each.amount),
            )
            for each in found.joined
        ]
        heads = ("join", "place", "row", "rows", "amount")
        yield _table("joined rows", heads, joined, numbers=(3, 4))


def _absences(found: Explanation, state: str) -> Iterator[Markup]:
    """Of all rows that were read, those in it and those that are not, as parts of a whole."""
    if not found.not_in:
        return
    inside = len(found.largest) + found.more_rows
    yield element("h2", f"What is not in it{state}")
    parts = [("in it", inside), *((each.reason, each.rows) for each in found.not_in)]
    yield element("figure", strip(parts))
    rows = [
        (
            each.reason,
            f"{each.rows:,}",
            _amount(each.amount),
            ", ".join(each.places),
        )
        for each in found.not_in
    ]
    heads = ("reason", "rows", "amount", "such as")
    yield _table("what is not in it", heads, rows, numbers=(1, 2))
    all_rows = sum(count for _, count in parts)
    yield element("p", f"{number(all_rows, 'row')} in all, each in one part.", class_="quiet")


def _table(
    called: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int]
) -> Markup:
    kinds = {head: "number" if place in numbers else None for place, head in enumerate(heads)}
    return table(called, kinds, rows)


def _amount(amount: Value) -> str:
    return "" if amount is None else format_value(amount)


def _size(amount: Value) -> float:
    """How long its bar is."""
    size = exact(amount)
    return float(size) if size is not None else 0.0
