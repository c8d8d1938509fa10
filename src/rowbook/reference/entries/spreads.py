"""`spread`: an amount of a row split over its matches, by weight. The parts add up to it exactly.

A part is the amount times its weight over the sum of weights, rounded half up. What is then missing
or too much goes to the largest weights, one unit each; what the amount has beyond the scale of the
parts goes to the largest. Of equal weights the one comes first whose row does by its natural key,
then by its other columns, then by its id.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.types import MAX_PRECISION, Kind
from rowbook.expressions.values import EXACT, Value, in_order
from rowbook.planning.datasets import Join
from rowbook.planning.steps import AppendStep, Spread
from rowbook.reference.entries.entry_rows import EntryRow
from rowbook.reference.matches import row_name
from rowbook.reference.run_environment import RunEnvironment, step_label
from rowbook.reference.working_rows import Cell, JoinedRow, seen
from rowbook.text.visible import number

ALL_ZERO = "all weights are zero"
BOTH_SIGNS = "weights are positive and negative"

_LARGEST = 10**MAX_PRECISION
_LARGEST_QUOTIENT = 10**32
_ROOM = 36
"""As Spark reckons: products of 38 digits, quotients of 32 before the point, amounts of so many
digits that there is room for those of the parts."""


def spread_rows(
    rows: list[EntryRow], step: AppendStep, environment: RunEnvironment
) -> list[EntryRow]:
    """Rows in which the amount of the origin is the part of the match; one that was kept without a
    match has all of it. RUN_012 where weights cannot be shared by."""
    spread = step.spread
    if spread is None:
        return rows
    made: list[EntryRow] = []
    faults: list[str] = []
    weight = environment.evaluators.scalar(spread.weight)
    join = next(each for each in step.matches if each.alias == spread.alias)
    for _, group in groupby(rows, key=lambda each: each.origin):
        entries = list(group)
        amount = seen(entries[0].row[None][spread.column])
        if amount is None or None in entries[0].told_by:
            made += entries
            continue
        with environment.picking(step):
            weights = [_whole(weight(each.row), spread.weight.type.scale) for each in entries]
        if fault := weight_fault(weights):
            faults.append(f"{row_name(entries[0].row, step)}: {fault}")
            continue
        order = _order(entries, weights, join)
        parts = _parts(amount, [abs(each) for each in weights], order, step, environment)
        made += [_with_part(e, spread.column, part) for e, part in zip(entries, parts, strict=True)]
    if faults:
        message = spread_message(spread, min(faults), len(faults))
        raise RowbookError(Diagnostic("RUN_012", message, operation=step_label(step)))
    return made


def spread_message(spread: Spread, first: str, rows: int) -> str:
    """Of so many rows at fault, with the first in the order of their texts."""
    more = f" (and {number(rows - 1, 'more row')})" if rows > 1 else ""
    return f"'{spread.column}' cannot be spread over '{spread.alias}': {first}{more}"


def weight_fault(weights: Sequence[int]) -> str | None:
    if min(weights) < 0 < max(weights):
        return BOTH_SIGNS
    return None if any(weights) else ALL_ZERO


def tie_columns(join: Join) -> tuple[str, ...]:
    """The columns of a joined row by which equal weights are told apart: its natural key first."""
    columns = join.dataset.readable.fields
    keys = [name for name in join.dataset.definition.natural_key_columns if name in columns]
    return tuple(dict.fromkeys((*keys, *columns)))


def _order(entries: Sequence[EntryRow], weights: Sequence[int], join: Join) -> list[int]:
    names = tie_columns(join)

    def place(i: int) -> tuple[Any, ...]:
        row = entries[i].row[join.alias]
        ties = [(row[name] is None, in_order(seen(row[name]))) for name in names]
        return -abs(weights[i]), ties, entries[i].told_by

    return sorted(range(len(entries)), key=place)


def _with_part(entry: EntryRow, column: str, part: Cell) -> EntryRow:
    row: JoinedRow = {**entry.row, None: {**entry.row[None], column: part}}
    return EntryRow(entry.origin, row, entry.told_by)


def _whole(value: Value, scale: int) -> int:
    """A weight as a whole number of its smallest units; NULL counts as 0."""
    if value is None:
        return 0
    assert isinstance(value, int | Decimal)
    return int(EXACT.scaleb(Decimal(value), scale))


def _parts(
    amount: Value,
    weights: Sequence[int],
    order: Sequence[int],
    step: AppendStep,
    environment: RunEnvironment,
) -> list[Cell]:
    spread = step.spread
    assert spread is not None
    digits = _whole(amount, spread.type.scale)
    unit = 10 ** (spread.type.scale - spread.scale)
    units, rest = divmod(abs(digits), unit)
    if _is_too_large(units, weights, digits, spread):
        message = f"a value of column '{spread.column}' does not fit {spread.type}"
        overflow = Diagnostic("RUN_001", message, operation=step_label(step))
        return [environment.overflows.note(overflow)] * len(weights)
    parts = [part * unit for part in spread_units(units, weights, order)]
    parts[order[0]] += rest
    sign = -1 if digits < 0 else 1
    if spread.type.kind is Kind.INTEGER:
        return [sign * part for part in parts]
    return [EXACT.scaleb(Decimal(sign * part), -spread.type.scale) for part in parts]


def _is_too_large(units: int, weights: Sequence[int], digits: int, spread: Spread) -> bool:
    total, product = sum(weights), units * max(weights)
    is_full = spread.type.precision == MAX_PRECISION and spread.scale < spread.type.scale
    return (
        max(total, product) >= _LARGEST
        or product // total >= _LARGEST_QUOTIENT
        or units >= 10 ** (_ROOM - spread.scale)
        or (is_full and abs(digits) >= _LARGEST // 10)
    )


def spread_units(units: int, weights: Sequence[int], order: Sequence[int]) -> list[int]:
    """So many units by weights of which none is negative and one is above 0, the remainder in the
    order of places. They add up to the units."""
    total = sum(weights)
    parts: list[int] = []
    for weight in weights:
        whole, rest = divmod(units * weight, total)
        parts.append(whole + (2 * rest >= total))
    left = units - sum(parts)
    for place in order[: abs(left)]:
        parts[place] += 1 if left > 0 else -1
    return parts
