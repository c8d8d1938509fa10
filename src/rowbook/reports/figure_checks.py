"""Figures of a run that must agree with each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from rowbook.engine.measure.figures import Number
from rowbook.expressions.values import EXACT
from rowbook.reports.model import Check, Counts, Followed, ReportStep
from rowbook.text.number_format import format_number, format_signed

_ALMOST = 1e-9
"""How far sums of floats may be apart: their order is nobody's choice."""


def checks_of(
    steps: Sequence[ReportStep], followed: Followed | None, *, completed: bool
) -> tuple[Check, ...]:
    counted = [(step, step.counts) for step in steps if step.counts is not None]
    checks = [_rows_add_up([counts for _, counts in counted])] if counted else []
    if completed:
        checks += [_all_written(step, counts) for step, counts in counted if step.writes_all]
    if followed is not None:
        checks += filter(
            None, (_counted_again(steps, followed), _totals_reconcile(steps, followed))
        )
    return tuple(checks)


def _rows_add_up(counts: Sequence[Counts]) -> Check:
    """Each operation begins with the rows that the one before left."""
    first, last = counts[0].rows_in, counts[-1].rows_out
    added, deleted = sum(each.added for each in counts), sum(each.deleted for each in counts)
    taken = sum(each.quarantined for each in counts)
    chained = all(a.rows_out == b.rows_in for a, b in pairwise(counts))
    quarantined = f" − {taken:,} quarantined" if taken else ""
    said = f"{first:,} read + {added:,} added − {deleted:,} deleted{quarantined} = {last:,}"
    return Check("Rows add up", chained and first + added - deleted - taken == last, said)


def _all_written(step: ReportStep, counts: Counts) -> Check:
    said = f"{counts.matched:,} of {counts.rows_in:,} rows written"
    return Check(f"Output {step.seq} is complete", counts.matched == counts.rows_in, said)


def _counted_again(steps: Sequence[ReportStep], followed: Followed) -> Check | None:
    """Measuring is a pass of its own: where it saw other rows than the run, the data changed."""
    pairs = [
        (f"after operation {step.seq}", step.counted, step.counts.rows_out)
        for step in steps
        if step.counted is not None and step.counts is not None
    ]
    first = next((step.counts for step in steps if step.counts is not None), None)
    if first is not None and followed.counted is not None:
        pairs.insert(0, ("in the input", followed.counted, first.rows_in))
    if not pairs:
        return None
    apart = [
        f"{where} {there:,} rows, measured were {counted:,}"
        for where, counted, there in pairs
        if counted != there
    ]
    times = "once" if len(pairs) == 1 else f"{len(pairs)} times"
    said = "; ".join(apart) or f"rows were counted again {times}, and are the same"
    return Check("Counted twice", not apart, said)


def _totals_reconcile(steps: Sequence[ReportStep], followed: Followed) -> Check | None:
    """The total is summed over all rows, what an operation moved over the rows it touched."""
    moves = [
        (step.seq, step.moved, step.total)
        for step in steps
        if step.moved is not None and step.total is not None
    ]
    if followed.opening is None and not moves:
        return None
    opening: Number = Decimal(0) if followed.opening is None else followed.opening
    total, apart = opening, []
    for seq, moved, after in moves:
        expected = minus(plus(total, moved.gained), moved.lost)
        if not same(expected, after):
            apart.append(
                f"after operation {seq} {format_number(after)}, not {format_number(expected)}"
            )
        total = after
    gained, lost = plus(*(m.gained for _, m, _ in moves)), plus(*(m.lost for _, m, _ in moves))
    began = "nothing" if followed.opening is None else format_number(opening)
    said = (
        f"{began} at the start, {format_signed(gained)} in rows that were added or changed,"
        f" {format_signed(minus(Decimal(0), lost))} that rows held before they were changed"
        " or deleted:"
        f" {format_number(total)}"
    )
    return Check(f"Totals of {followed.column} reconcile", not apart, "; ".join(apart) or said)


def plus(*numbers: Number) -> Number:
    """The exact sum; of floats, as near as floats are."""
    total: Number = Decimal(0)
    for each in numbers:
        if isinstance(total, float) or isinstance(each, float):
            total = float(total) + float(each)
        else:
            total = EXACT.add(Decimal(total), Decimal(each))
    return total


def minus(a: Number, b: Number) -> Number:
    return plus(a, -b if isinstance(b, float) else EXACT.minus(Decimal(b)))


def same(a: Number, b: Number) -> bool:
    if isinstance(a, float) or isinstance(b, float):
        return math.isclose(float(a), float(b), rel_tol=_ALMOST, abs_tol=_ALMOST)
    return a == b
