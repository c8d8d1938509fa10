"""What changed between two versions of a definition, in words, and whether it breaks users."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowbook.definitions.models.calendar import CalendarDefinition
from rowbook.definitions.models.dataset import (
    ColumnDefinition,
    DatasetDefinition,
    LookupDefinition,
    UnpivotDefinition,
)
from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.entity import Entity
from rowbook.definitions.models.resolver import ResolverDefinition
from rowbook.expressions.types import INTEGER, Kind, Type, parse_type
from rowbook.runs.versions.expectation_differences import expectation_differences

_INTEGER_DIGITS = 19
"""Digits of the largest 64-bit integer: a decimal that holds any integer has room for them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that changed. `breaking`: what worked with the version before may fail."""

    text: str
    breaking: bool = False


def differences(before: Entity, after: Entity) -> tuple[Difference, ...]:
    found = [*_of_entity(before, after)]
    match before, after:
        case DatasetDefinition(), DatasetDefinition():
            found += _of_dataset(before, after)
        case ResolverDefinition(), ResolverDefinition():
            found += _fields(before, after, {"is_default": "is_default"})
            found += _keyed(_by(before.rules, "name"), _by(after.rules, "name"), "rule")
        case DatasourceDefinition(), DatasourceDefinition():
            found += _of_datasource(before, after)
        case CalendarDefinition(), CalendarDefinition():
            found += _of_calendar(before, after)
    return tuple(found) or (Difference("written in another way, with the same meaning"),)


def is_widened(before: Type, after: Type) -> bool:
    """Whether every value of a type converts to the other implicitly, and none loses anything."""
    match before.kind, after.kind:
        case Kind.INTEGER, Kind.DECIMAL:
            return after.integer_digits >= _INTEGER_DIGITS
        case Kind.DECIMAL, Kind.DECIMAL:
            room = after.integer_digits >= before.integer_digits
            return room and after.scale >= before.scale
        case Kind.DECIMAL, Kind.INTEGER:
            return before.scale == 0 and before.precision < _INTEGER_DIGITS
        case Kind.DATE, Kind.TIMESTAMP:
            return True
    return before == after


def _of_entity(before: Entity, after: Entity) -> Iterator[Difference]:
    if before.name != after.name:
        yield Difference(f"renamed from '{before.name}'", breaking=True)
    yield from _fields(before, after, {"description": "description"})


def _of_dataset(before: DatasetDefinition, after: DatasetDefinition) -> Iterator[Difference]:
    one, other = before.main_table, after.main_table
    if before.status != after.status:
        yield _of_status(after.status)
    for text, is_breaking in expectation_differences(before, after):
        yield Difference(text, is_breaking)
    if before.of is not None or after.of is not None:
        yield from _fields(before, after, {"of": "of"}, breaking=True)
        yield from _fields(before, after, {"periods": "periods", "missing": "missing"})
        yield from _fields(before, after, {"require": "require"})
        return
    if one.name != other.name:
        text = f"table renamed from '{one.name}' to '{other.name}'"
        yield Difference(text, breaking=True)
    if one.temporal_mode != other.temporal_mode:
        modes = (one.temporal_mode or "snapshot", other.temporal_mode or "snapshot")
        yield Difference(f"temporal mode {modes[0]} → {modes[1]}", breaking=True)
    if one.period_from != other.period_from:
        origins = (one.period_from or "_period", other.period_from or "_period")
        yield Difference(f"period from {origins[0]} → {origins[1]}", breaking=True)
    if one.unpivot != other.unpivot:
        ways = (_unpivot_text(one.unpivot), _unpivot_text(other.unpivot))
        yield Difference(f"unpivot {ways[0]} → {ways[1]}", breaking=True)
    yield from _keyed(_by(one.columns, "name"), _by(other.columns, "name"), "column", _of_column)
    if before.natural_key_columns != after.natural_key_columns:
        keys = (_listed(before.natural_key_columns), _listed(after.natural_key_columns))
        yield Difference(f"natural key {keys[0]} → {keys[1]}")
    aliases = _by(before.lookups, "alias"), _by(after.lookups, "alias")
    yield from _keyed(*aliases, "lookup", _of_lookup)
    yield from _fields(before, after, {"resolver_id": "resolver"})


def _unpivot_text(unpivot: UnpivotDefinition | None) -> str:
    if unpivot is None:
        return "none"
    kept = ", empty ones too" if unpivot.nulls == "keep" else ""
    return f"{_listed(unpivot.columns)} as {unpivot.name} and {unpivot.value}{kept}"


def _of_column(before: ColumnDefinition, after: ColumnDefinition) -> Iterator[Difference]:
    column = f"column '{after.name}'"
    one, other = parse_type(before.type) or INTEGER, parse_type(after.type) or INTEGER
    if one != other:
        if is_widened(one, other):
            how = "widened"
        else:
            how = "narrowed" if is_widened(other, one) else "changed"
        text = f"{column}: type {how} from {one} to {other}"
        yield Difference(text, breaking=how != "widened")
    if before.nullable and not after.nullable:
        yield Difference(f"{column}: nullable → not null", breaking=True)
    if after.nullable and not before.nullable:
        yield Difference(f"{column}: not null → nullable")
    names = {"source": f"{column}: source", "description": f"{column}: description"}
    yield from _fields(before, after, names)
    formats = [each.format.options if each.format else {} for each in (before, after)]
    for name in dict.fromkeys((*formats[0], *formats[1])):
        old, new = formats[0].get(name), formats[1].get(name)
        if old != new:
            yield Difference(f"{column}: {name} {_shown(old)} → {_shown(new)}")


def _of_lookup(before: LookupDefinition, after: LookupDefinition) -> Iterator[Difference]:
    lookup = f"lookup '{after.alias}'"
    words = {"dataset_id": f"{lookup}: dataset"}
    yield from _fields(before, after, words, breaking=True)
    words = {"dataset_version": f"{lookup}: version", "on": f"{lookup}: condition"}
    yield from _fields(before, after, words)


def _of_datasource(
    before: DatasourceDefinition, after: DatasourceDefinition
) -> Iterator[Difference]:
    if before.status != after.status:
        yield _of_status(after.status)
    yield from _fields(before, after, {"type": "type", "credential_ref": "credential_ref"})
    texts = [
        {name: value and value.text for name, value in each.options.items()}
        for each in (before, after)
    ]
    for name in dict.fromkeys((*texts[0], *texts[1])):
        old, new = texts[0].get(name), texts[1].get(name)
        if old != new:
            yield Difference(f"option {name} {_shown(old)} → {_shown(new)}")


def _of_calendar(before: CalendarDefinition, after: CalendarDefinition) -> Iterator[Difference]:
    """A period that means other days, or is no longer there, breaks what was booked into it."""
    levels = _by(before.levels, "name"), _by(after.levels, "name")
    yield from _keyed(*levels, "level")
    if before.rule != after.rule:
        yield Difference("rule changed", breaking=True)
    listed = _by(before.periods, "identifier"), _by(after.periods, "identifier")
    yield from _keyed(*listed, "period")


def _of_status(status: str) -> Difference:
    return Difference(
        "disabled" if status == "disabled" else "active again", breaking=status == "disabled"
    )


def _fields(
    before: Any, after: Any, words: Mapping[str, str], *, breaking: bool = False
) -> Iterator[Difference]:
    for name, said in words.items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new and name == "description":
            yield Difference(f"{said} changed")
        elif old != new:
            yield Difference(f"{said} {_shown(old)} → {_shown(new)}", breaking)


def _keyed(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    noun: str,
    changed: Callable[[Any, Any], Iterator[Difference]] | None = None,
) -> Iterator[Difference]:
    """Things in a list that have names: gone, new, changed, in another order. What is gone or
    means something else breaks who names it; nobody names a rule."""
    for name in before:
        if name not in after:
            yield Difference(f"{noun} '{name}' removed", breaking=noun != "rule")
    for name, item in after.items():
        if name not in before:
            yield Difference(f"{noun} '{name}' added")
        elif item != before[name]:
            plain = (Difference(f"{noun} '{name}' changed", breaking=noun != "rule"),)
            yield from changed(before[name], item) if changed else plain
    both = [
        [name for name in one if name in other] for one, other in ((before, after), (after, before))
    ]
    if both[0] != both[1]:
        yield Difference(f"{noun}s in another order")


def _by(items: Sequence[Any], key: str) -> dict[str, Any]:
    return {getattr(item, key): item for item in items}


def _shown(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
    return f"'{value}'"


def _listed(names: Sequence[str]) -> str:
    return f"({', '.join(names)})" if names else "none"
