"""How the windows of a layer are computed.

Rows are sorted by the groups, and in them by the order; windows with the same keys and order share
that. Values of whole groups need no order: where reading the rows twice costs less than sorting
them, they are summed up in a pass of their own and joined to their rows. All rows as one group are
never brought to one place for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    LayerStage,
    Situation,
    Stage,
    Stages,
    WindowPass,
)
from rowbook.planning.steps import Window

_TOGETHER = "all rows are brought together"


def join_totals(stages: Stages, situation: Situation) -> Stages:
    """Joins values of whole groups to their rows, where these are read as they are.

    layer 1 with windows by entity  →  layer 1: totals of each entity are joined to its rows
    """
    return tuple(_decided(stages, situation))


def _decided(stages: Stages, situation: Situation) -> Iterator[Stage]:
    joins = situation.options.window_joins and not situation.has_local_rows
    plain = True
    for stage in stages:
        if isinstance(stage, LayerStage):
            passes = tuple(
                replace(each, joined=joins and _may_join(each, stage.passes, plain=plain))
                for each in stage.passes
            )
            reasons = (*stage.reasons, *map(_reason, passes))
            yield replace(stage, passes=passes, reasons=reasons)
            plain = plain and not passes and not stage.aliases
        else:
            yield stage
            plain = plain and not isinstance(stage, AggregateStage | AppendStage)


def _may_join(each: WindowPass, passes: Sequence[WindowPass], *, plain: bool) -> bool:
    """Whether its groups are summed up apart: `plain` rows are cheap to read twice, without what
    this layer joins to them. Rows that are sorted by the same keys anyway need nothing else."""
    sorted_anyway = any(other.keys == each.keys and other.order for other in passes)
    is_cheap = plain and not each.reads_joins and not sorted_anyway
    return not each.order and (not each.keys or is_cheap)


def _reason(each: WindowPass) -> str:
    names = ", ".join(window.alias for window in each.windows)
    label = f"window{'s' if len(each.windows) > 1 else ''} {names}"
    groups = ", ".join(each.keys)
    if each.joined:
        of = f"each {groups}" if groups else "all rows"
        return f"{label}: the values of {of} are computed in a pass of their own and joined to rows"
    if not each.order:
        return f"{label}: {f'rows are brought together by {groups}' if groups else _TOGETHER}"
    order = ", then ".join(map(str, each.order))
    return f"{label}: rows are sorted once by {groups and f'{groups}, then '}{order}"


@dataclass(slots=True)
class LayerWindows:
    """The windows of the steps of a layer, by alias in small letters, as Spark tells names apart;
    an alias means the same in all of them."""

    by_alias: dict[str, Window]

    def fits(self, window: Window) -> bool:
        known = self.by_alias.get(window.alias.lower(), window)
        return replace(known, values=()) == replace(window, values=()) and all(
            a == b
            for a in known.values
            for b in window.values
            if a.column.lower() == b.column.lower()
        )

    def add(self, window: Window) -> None:
        known = self.by_alias.get(window.alias.lower(), window)
        values = {each.column: each for each in (*known.values, *window.values)}
        self.by_alias[window.alias.lower()] = replace(window, values=tuple(values.values()))

    def passes(self) -> tuple[WindowPass, ...]:
        """One for each keys and order; sorted ones first: others may use what they sorted."""
        shared: dict[tuple[object, ...], WindowPass] = {}
        for window in self.by_alias.values():
            key = window.keys, window.order
            known = shared.get(key, WindowPass(window.keys, window.order, ()))
            shared[key] = replace(known, windows=(*known.windows, window))
        return tuple(sorted(shared.values(), key=lambda each: not each.order))
