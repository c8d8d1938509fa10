"""Planning `spread`: an amount of an append's rows, split over their matches."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.definitions.models.entries import SpreadDefinition
from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.expressions import types as t
from rowbook.expressions.convert import convert
from rowbook.expressions.scope import Field, Scope
from rowbook.expressions.types import Kind
from rowbook.planning.columns import is_system
from rowbook.planning.datasets import Join
from rowbook.planning.operations.context import Context, column_of
from rowbook.planning.operations.entry_columns import CODES
from rowbook.planning.steps import Spread

MOST_SCALE = 12
_WEIGHT_SCALE = 10
_ROOM = 36
"""Digits of a weight and again those after its point, so that it is a whole number of 38 digits."""

_NUMBERS = (Kind.INTEGER, Kind.DECIMAL)


def plan_spread(
    definition: SpreadDefinition,
    place: Place,
    joins: Sequence[Join],
    scope: Scope,
    context: Context,
    *,
    joins_are_sound: bool,
) -> Spread | None:
    """None where something is wrong with it, which has been said."""
    findings = context.findings
    alias, name = column_of(definition.column, scope.main_name)
    field = None if alias is not None else scope.main.find(name)
    if field is None and (alias is not None or scope.main.complete):
        known = tuple(n for n in scope.main.fields if not is_system(n))
        hint = suggestion(definition.column, known, "columns")
        message = f"unknown column '{definition.column}'"
        findings.add(place.at("column"), "APPEND_006", message, hint)
    elif field is not None:
        _check_amount(field, definition.scale, place, context)
    at = place.at("weight")
    weight = findings.expression(at, definition.weight, scope, CODES)
    if weight.type.kind not in (*_NUMBERS, Kind.UNKNOWN):
        message = f"a weight is an integer or a decimal, this is {weight.type}"
        findings.add(at, "APPEND_012", message, span=(0, len(definition.weight)))
    many = [join.alias for join in joins if join.many]
    if len(many) != 1:
        if joins_are_sound:
            count = f"{len(many)} of its joins have it" if many else "none of its joins has it"
            message = f"a spread goes over the matches of one join with many: true; {count}"
            findings.add(place, "APPEND_011", message)
        return None
    if field is None:
        return None
    weight = convert(weight, _weight_type(weight.type))
    return Spread(name, field.type, many[0], weight, definition.scale)


def _check_amount(field: Field, scale: int, place: Place, context: Context) -> None:
    kind = field.type
    if kind.kind is Kind.UNKNOWN:
        return
    if is_system(field.name) or kind.kind not in _NUMBERS:
        message = f"'{field.name}' is {kind}: only an integer or a decimal can be spread"
        context.findings.add(place.at("column"), "APPEND_012", message)
    elif not 0 <= scale <= min(kind.scale, MOST_SCALE):
        most = min(kind.scale, MOST_SCALE)
        allowed = f"0 to {most}" if most else "0"
        message = f"'{field.name}' is {kind}: the scale of its parts is {allowed}, not {scale}"
        context.findings.add(place.at("scale"), "APPEND_012", message)


def _weight_type(kind: t.Type) -> t.Type:
    """As it is, where it is not too wide to reckon with: else of at most ten decimals."""
    if kind.kind is Kind.DECIMAL and kind.precision + kind.scale > _ROOM:
        scale = min(kind.scale, _WEIGHT_SCALE)
        return t.decimal(_ROOM - scale, scale)
    return kind
