"""What an engine saw of an expectation, before anybody judges it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from rowbook.expressions.values import Value
from rowbook.value_class import dataclass

Unit: TypeAlias = Literal["rows", "groups", "operations"]

MOST_SAMPLES = 20

DOES_NOT_FIT = "a value in it does not fit its type"
"""The failure of a condition that overflows."""


@dataclass(frozen=True, slots=True)
class ViolationSample:
    """A row that violates (with its id), or a group: key values first, then measures, `alias.name`
    for those of the other side; of a key that is not unique, its values and `rows`. `missing_side`
    is said of a group that one side lacks: `here`, or the alias."""

    values: Mapping[str, Value]
    row_id: str | None = None
    missing_side: str | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """`checked` and `violated` count what the condition is about: rows (of a row condition or
    unique), groups (with keys). Of a condition about all rows nothing is counted: `measures` and
    `other_measures` are what it is judged by. `failure` says why it could not be computed."""

    unit: Unit = "rows"
    checked: int = 0
    violated: int = 0
    measures: Mapping[str, Value] = field(default_factory=dict)
    other_measures: Mapping[str, Value] = field(default_factory=dict)
    samples: tuple[ViolationSample, ...] = ()
    quarantined: int = 0
    failure: str | None = None


def match_observation(matched: int) -> Observation:
    """Of an operation that must match, by the ledger's count."""
    return Observation("operations", 1, int(matched == 0), {"matched": matched})
