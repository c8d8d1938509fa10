"""What a figure is made of, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rowbook.cli.render.proof.life_lines import cells, dated_lines
from rowbook.text.number_format import format_value
from rowbook.text.proof_words import outcome_words, project_label
from rowbook.text.visible import number, pad

if TYPE_CHECKING:
    from rowbook.api import Contribution, Explanation, JoinedShare
    from rowbook.expressions.values import Value

_MOST_LINES = 20


def explanation_lines(found: Explanation) -> Iterator[str]:
    return dated_lines(_lines(found), found.inputs)


def _lines(found: Explanation) -> Iterator[str]:
    project = project_label(found.project, found.version)
    run = f"run {found.run_id[:8]}  {project}  {found.period}"
    figure = format_value(found.figure)
    yield f"{found.column} {figure}   {found.output}, {number(found.rows, 'row')}    {run}"
    yield f"  = {found.formula}"
    for warning in found.warnings:
        yield f"warning: {warning}"
    yield from _made_of(found)
    for part in found.parts:
        yield ""
        yield f"part {part.formula} = {format_value(part.value)}"
        yield from _contributions(part.contributions)
    if found.largest:
        yield ""
        yield "largest rows"
        yield from _aligned(
            [(each.amount, f"{each.place}   {cells(each.values)}") for each in found.largest]
        )
        if found.more_rows:
            yield f"  and {number(found.more_rows, 'more row')}"
    if found.joined:
        yield ""
        yield "joined rows that took part"
        shown = found.joined[:_MOST_LINES]
        yield from _aligned([(each.amount, _joined(each)) for each in shown])
        if len(found.joined) > len(shown):
            yield f"  and {len(found.joined) - len(shown):,} more"
    if found.not_in:
        yield ""
        rows = sum(each.rows for each in found.not_in)
        yield f"not in it: {number(rows, 'row')}"
        yield from _absences(found)
    for earlier in found.earlier:
        yield ""
        yield from (f"    {line}".rstrip() for line in explanation_lines(earlier))


def _made_of(found: Explanation) -> Iterator[str]:
    if found.contributions:
        yield ""
        yield "made of"
        yield from _contributions(found.contributions)
    total = "" if found.total is None else f"  {format_value(found.total)}"
    yield f"{total}  {outcome_words(found)}".replace("   ", "  ")


def _contributions(found: Sequence[Contribution]) -> Iterator[str]:
    shown = found[:_MOST_LINES]
    yield from _aligned([(each.amount, _contribution(each)) for each in shown])
    if len(found) > len(shown):
        yield f"  and {len(found) - len(shown):,} more lines"


def _contribution(each: Contribution) -> str:
    if each.dataset is None:
        return str(each.keys.get("line", ""))
    keys = f"   {cells(each.keys)}" if each.keys else ""
    by = f"   by {', '.join(map(str, each.operations))}" if each.operations else ""
    return f"{each.dataset}{keys}   {number(each.rows, 'row')}{by}"


def _joined(each: JoinedShare) -> str:
    return f"{each.alias}: {each.place}   {cells(each.values)}   {number(each.rows, 'row')}"


def _absences(found: Explanation) -> Iterator[str]:
    counts = [f"{each.rows:,}" for each in found.not_in]
    wide = max(map(len, counts))
    for count, each in zip(counts, found.not_in, strict=True):
        amount = "" if each.amount is None else f"   {format_value(each.amount)}"
        places = ", ".join(each.places[:1])
        more = ", …" if each.rows > 1 else ""
        yield f"  {count.rjust(wide)}  {each.reason}{amount}   ({places}{more})"


def _aligned(lines: Sequence[tuple[Value, str]]) -> Iterator[str]:
    amounts = ["" if amount is None else format_value(amount) for amount, _ in lines]
    wide = max(map(len, amounts), default=0)
    for amount, (_, text) in zip(amounts, lines, strict=True):
        yield f"  {pad(amount, wide, right=True)}  {text}".rstrip()
