"""A condition on rows with the joins that it mentions, carried back over the steps of a plan.

Joins of different steps may have the same alias; here each is named by its step as well. Datasets
that are joined are stored: a join of a later step is the same join before it, if its condition is
said with the columns of then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rowbook.expressions.bound import Bound, Column, columns, size, with_columns
from rowbook.expressions.folding import FALSE, TRUE, both, either, folded
from rowbook.expressions.implication import implied
from rowbook.planning.datasets import Join
from rowbook.proof.backward.birth_values import UNKNOWN, is_known
from rowbook.reference.row_subset import BirthCondition
from rowbook.value_class import dataclass

_LARGEST = 20_000
"""Nodes of a condition, written out; a column whose value would take more to say is unknown."""

ASKED = "?asked"
"""The alias of marks: that a row met a question at its point."""


@dataclass(frozen=True, slots=True)
class CarriedCondition:
    """`exact`: no part of it had to be left out because it was unknown."""

    condition: Bound = FALSE
    joins: tuple[Join, ...] = ()
    exact: bool = True

    def or_where(self, other: CarriedCondition) -> CarriedCondition:
        made = either(self.condition, other.condition)
        return CarriedCondition(
            made, (*other.joins, *self.joins), self.exact and other.exact
        ).tidied()

    def and_where(self, other: CarriedCondition) -> CarriedCondition:
        made = both(self.condition, other.condition)
        return CarriedCondition(
            made, (*other.joins, *self.joins), self.exact and other.exact
        ).tidied()

    def with_values(
        self, values: Mapping[str, Bound], joins: Sequence[Join] = ()
    ) -> CarriedCondition:
        """Said with other columns: these values, which mention these joins, are in place of own
        columns."""
        found = self._with(values, joins)
        if size(found.condition) > _LARGEST:
            nothing = {n: Column(UNKNOWN, n, each.type, True) for n, each in values.items()}
            return self._with(nothing, ())
        return found

    def _with(self, values: Mapping[str, Bound], joins: Sequence[Join]) -> CarriedCondition:
        lost: set[str] = set()

        def instead(column: Column) -> Bound:
            if column.source in lost:
                return replace(column, source=UNKNOWN)
            return values.get(column.name, column) if column.source is None else column

        kept = list(joins)
        for join in self.joins:
            condition = folded(with_columns(join.condition, instead))
            if all(source != UNKNOWN for source, _ in columns(condition)):
                kept.append(replace(join, condition=condition))
            else:
                lost.add(join.alias)
        found = implied(with_columns(self.condition, instead), is_known)
        return CarriedCondition(found.condition, tuple(kept), self.exact and found.exact).tidied()

    def with_marks(self, marks: Mapping[str, CarriedCondition]) -> CarriedCondition:
        """With what marks stand for in their place."""

        def instead(column: Column) -> Bound:
            mark = marks.get(column.name) if column.source == ASKED else None
            return column if mark is None else mark.condition

        condition = folded(with_columns(self.condition, instead))
        joins = (join for mark in marks.values() for join in mark.joins)
        return CarriedCondition(condition, (*joins, *self.joins), self.exact).tidied()

    def about(self, names: Collection[str], aliases: Collection[str] = ()) -> CarriedCondition:
        """What it says of these columns alone, and of joins with these aliases."""

        def is_named(column: Column) -> bool:
            own = column.source is None and column.name in names
            return own or column.source in aliases

        found = implied(self.condition, is_named)
        return CarriedCondition(found.condition, self.joins, self.exact and found.exact).tidied()

    def tidied(self) -> CarriedCondition:
        """Each join once, and none that nothing reads."""
        if not self.joins:
            return self
        joins: dict[str, Join] = {}
        for join in self.joins:
            joins.setdefault(join.alias, join)
        read = {source for source, _ in columns(self.condition)}
        kept: list[Join] = []
        for join in reversed(joins.values()):
            if join.alias in read:
                read |= {source for source, _ in columns(join.condition)}
                kept.insert(0, join)
        return replace(self, joins=tuple(kept))

    @property
    def birth(self) -> BirthCondition:
        """With each join once that several steps have."""
        same: dict[str, str] = {}
        kept: dict[tuple[str, int, Bound], Join] = {}

        def instead(column: Column) -> Bound:
            return replace(column, source=same.get(column.source or "", column.source))

        for join in self.joins:
            condition = with_columns(join.condition, instead)
            same[join.alias] = ""
            anonymous = with_columns(condition, instead)
            del same[join.alias]
            first = kept.setdefault(
                (join.dataset.id, join.dataset.version, anonymous),
                replace(join, condition=condition),
            )
            if first.alias != join.alias:
                same[join.alias] = first.alias
        return BirthCondition(with_columns(self.condition, instead), tuple(kept.values()))


def of_step(
    condition: Bound | None, joins: Sequence[Join], name: str, shown: Bound = TRUE
) -> CarriedCondition:
    """A condition of a step with its joins, which look at the rows that are shown to it."""
    tree = TRUE if condition is None else named(condition, name)
    return CarriedCondition(tree, renamed(joins, name, shown)).tidied()


def named(tree: Bound, name: str) -> Bound:
    """A tree of a step in which aliases are the step's."""

    def instead(column: Column) -> Bound:
        if column.source is None or column.source in (UNKNOWN, ASKED):
            return column
        return replace(column, source=f"{name} {column.source}")

    return with_columns(tree, instead)


def renamed(joins: Sequence[Join], name: str, shown: Bound = TRUE) -> tuple[Join, ...]:
    """Joins of a step in which aliases are the step's; rows that are not shown to it have none."""
    return tuple(
        replace(
            join,
            alias=f"{name} {join.alias}",
            condition=both(shown, named(join.condition, name)),
            many=False,
            unmatched="keep",
        )
        for join in joins
    )
