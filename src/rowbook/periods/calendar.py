"""A calendar: from identifiers to periods, and from periods to the ones they consist of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from datetime import date, timedelta

from rowbook.periods import errors
from rowbook.periods.explicit import ListedPeriods
from rowbook.periods.period import Level, Period, in_time
from rowbook.periods.rule_periods import RulePeriods
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Calendar:
    """`levels` go from coarse to fine. Periods come from a rule (`made`), a list, or both; they are
    values of this calendar, and only such may be handed back to it."""

    name: str
    levels: tuple[Level, ...]
    made: RulePeriods = field(repr=False)
    listed: ListedPeriods = field(repr=False)

    def level(self, name: str) -> Level:
        """The level of that name; PERIOD_004 where there is none."""
        for level in self.levels:
            if level.name == name:
                return level
        raise errors.unknown_level(self, name)

    def parse(self, identifier: str) -> Period:
        """The period of that identifier; PERIOD_001, saying why, where there is none."""
        period = self.listed.find(identifier) or self.made.find(identifier)
        if period is None:
            raise errors.unknown_identifier(self, identifier)
        return period

    def parent(self, period: Period) -> Period | None:
        return self.parse(period.parent) if period.parent else None

    def children(self, period: Period) -> tuple[Period, ...]:
        """The periods whose parent is this one: level by level, in time order."""
        return tuple(
            each
            for level in self._finer_levels(period.level)
            for each in (
                self._within(period, level)
                if level.parent == period.level
                else self.listed.at(level.name)
            )
            if each.parent == period.identifier
        )

    def expand(self, period: Period, level: str) -> tuple[Period, ...]:
        """The periods of a level that this one consists of, in time order; itself at its own level.

        PERIOD_004 for an unknown level, PERIOD_005 for one that is not part of this period."""
        target = self.level(level)
        if level == period.level:
            return (period,)
        found = self._within(period, target) if target in self._finer_levels(period.level) else ()
        if not found:
            raise errors.not_expandable(self, period, target)
        return found

    def descendants(self, period: Period) -> tuple[Period, ...]:
        """Every period that this one expands to, from coarse to fine, in time order."""
        return tuple(
            each
            for level in self._finer_levels(period.level)
            for each in self._within(period, level)
        )

    def peers(self, period: Period) -> tuple[Period, ...]:
        """The periods of its level: those of its year, and of a year the ones beside it."""
        top = period
        while (above := self.parent(top)) is not None:
            top = above
        if top != period:
            return self.expand(top, period.level)
        days = (period.start - timedelta(days=1), period.end + timedelta(days=1))
        beside = (self.covering(period.level, day) for day in days)
        return tuple(each for each in (period, *beside) if each is not None)

    def covers(self, level: str, day: date) -> Period:
        """The period of a level in which a day lies; PERIOD_001 where there is none.

        Where a listed period overlaps another, as an adjustment does, it is the regular one."""
        self.level(level)
        period = self.covering(level, day)
        if period is None:
            raise errors.day_not_covered(self, level, day)
        return period

    def covering(self, level: str, day: date) -> Period | None:
        """As `covers`; None where there is none."""
        made = self.made.level(level)
        return self.made.covering(made, day) if made else self.listed.covering(level, day)

    def finer(self, level: str) -> tuple[str, ...]:
        """The levels that a period of this level can be expanded to, from coarse to fine.

        Those below it by their parents; and days, which every period of a rule consists of, so
        that a week has its days although their parent is the month."""
        return tuple(each.name for each in self._finer_levels(self.level(level).name))

    def _finer_levels(self, name: str) -> tuple[Level, ...]:
        by_days = self.made.level(name) and self.made.level("day")
        return tuple(
            level
            for level in self.levels
            if level.name != name and (level == by_days or name in self._ancestors(level))
        )

    def _ancestors(self, level: Level) -> Iterator[str]:
        while level.parent is not None:
            yield level.parent
            level = self.level(level.parent)

    def _within(self, period: Period, level: Level) -> tuple[Period, ...]:
        """A listed period consists of what is listed below it, never of the rule's periods: the
        days of a period 13 are those of the last month, their data are not."""
        listed = tuple(p for p in self.listed.at(level.name) if self._is_below(p, period))
        if self.made.level(level.name) is None or self.listed.find(period.identifier):
            return listed
        made = self.made.within(period, level)
        return tuple(sorted((*made, *listed), key=in_time)) if listed else made

    def _is_below(self, period: Period, ancestor: Period) -> bool:
        above = self.parent(period)
        while above is not None and above.identifier != ancestor.identifier:
            above = self.parent(above)
        return above is not None
