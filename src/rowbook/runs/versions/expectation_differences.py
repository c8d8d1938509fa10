"""What changed in the expectations of a dataset, and whether runs may stop of it that did not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.expectation import ExpectationDefinition, ToleranceDefinition
from rowbook.planning.expectations.consequence import share_of

_CLAIM = ("selector", "that", "unique", "by", "measures", "against", "include_deleted")
_WORDS = {"whole": "whole", "show": "show", "description": "description"}


def expectation_differences(
    before: DatasetDefinition, after: DatasetDefinition
) -> Iterator[tuple[str, bool]]:
    """Each in words, and whether it breaks users: a run that was published may now be stopped, or
    needs a table for what is quarantined."""
    old, new = _by_name(before), _by_name(after)
    yield from ((f"expectation '{name}' removed", False) for name in old if name not in new)
    for name, each in new.items():
        if name not in old:
            how = "" if each.otherwise == "warn" else f", otherwise: {each.otherwise}"
            yield f"expectation '{name}' added{how}", each.otherwise != "warn"
        else:
            yield from _of_one(old[name], each)


def _of_one(
    before: ExpectationDefinition, after: ExpectationDefinition
) -> Iterator[tuple[str, bool]]:
    what, may_stop = f"expectation '{after.name}'", after.otherwise != "warn"
    if before.otherwise != after.otherwise:
        yield f"{what}: otherwise {before.otherwise} → {after.otherwise}", may_stop
    for key in _CLAIM:
        if getattr(before, key) != getattr(after, key):
            yield f"{what}: {key} changed", may_stop
    bounds = _bounds(before.tolerate), _bounds(after.tolerate)
    if bounds[0] != bounds[1]:
        is_stricter = any(now < then for then, now in zip(*bounds, strict=True))
        how = "lower" if is_stricter else "higher"
        yield f"{what}: {how} tolerance", may_stop and is_stricter
    for key, word in _WORDS.items():
        if getattr(before, key) != getattr(after, key):
            yield f"{what}: {word} changed", False


def _by_name(dataset: DatasetDefinition) -> Mapping[str, ExpectationDefinition]:
    return {each.name: each for each in dataset.expectations}


def _bounds(tolerance: ToleranceDefinition | None) -> tuple[Decimal, Decimal]:
    """Of share and rows; what is not said does not bound, and without a tolerance nothing may be
    wrong."""
    if tolerance is None:
        return Decimal(0), Decimal(0)
    share, rows = share_of(tolerance.share), tolerance.rows
    return Decimal(1) if share is None else share, Decimal("Infinity" if rows is None else rows)
