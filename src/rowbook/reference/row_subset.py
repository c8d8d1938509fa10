"""A part of a run's rows that is followed by itself, with the values that the whole run gives them.

Most operations look at one row at a time. Those that look at groups are given whole groups only:
rows of others are let go before they could get values that are not those of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from rowbook.expressions.bound import Bound, Column
from rowbook.expressions.closures import Moment
from rowbook.expressions.evaluate import Evaluators
from rowbook.expressions.folding import FALSE, TRUE
from rowbook.expressions.values import Value
from rowbook.planning.datasets import Join
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class BirthCondition:
    """On rows as they come into a run: those of the input as it starts, or of a dataset as it is
    loaded to be appended. `joins` are those that the condition mentions, in their order."""

    condition: Bound = TRUE
    joins: tuple[Join, ...] = ()

    @property
    def is_all(self) -> bool:
        return self.condition == TRUE


ALL_ROWS = BirthCondition()


@dataclass(frozen=True, slots=True)
class RowSubset:
    """Which rows are followed. `appended` is by the seq of the append, for rows of a dataset.

    `groups` are those that are whole, by the seq of the operation that makes summary rows of them
    and the name of the level: a condition on their keys. `windows` and `quarantines` are conditions
    on the visible rows before an update with windows, by its seq, and on all rows before an
    expectation takes groups out, by its key: what is left are whole groups.

    `exact`: no row is among them that has no part in what was asked for; `reasons` say why there
    may be others."""

    input: BirthCondition = ALL_ROWS
    appended: Mapping[int, BirthCondition] = field(default_factory=dict)
    groups: Mapping[int, Mapping[str | None, Bound]] = field(default_factory=dict)
    windows: Mapping[int, Bound] = field(default_factory=dict)
    quarantines: Mapping[tuple[str | None, str], Bound] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        return not self.reasons

    def is_whole(
        self, seq: int, level: str | None, moment: Moment
    ) -> Callable[[Mapping[str, Value]], bool]:
        """Whether all rows of a group, by its keys, are followed."""
        levels = self.groups.get(seq)
        if levels is None:
            return lambda _: True
        return Evaluators(_key, moment).condition(levels.get(level, FALSE))


EVERYTHING = RowSubset()


def _key(column: Column) -> Callable[[Mapping[str, Value]], Value]:
    name = column.name
    return lambda keys: keys[name]
