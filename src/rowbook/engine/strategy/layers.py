"""Which row-wise steps share a projection.

Updates and deletes that do not read what an earlier one of them wrote form a layer: all their
conditions are evaluated on the same rows, once each, and every column gets one flat CASE, in which
the last writer comes first. What was written on all rows may be read: its expression then takes
the column's place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from rowbook.engine.strategy.rules.rule_tables import RuleTable, find_tables
from rowbook.engine.strategy.stages import LayerStage, Situation, Stage, Stages
from rowbook.engine.strategy.step_analysis import (
    RowWise,
    own_columns,
    reads,
    window_columns,
    windows_of,
)
from rowbook.engine.strategy.window_passes import LayerWindows
from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.planning.datasets import Join
from rowbook.planning.steps import DeleteStep, UpdateStep
from rowbook.text.visible import number

MOST_STEPS = 1_000
"""Steps of a layer: a projection of ten thousand columns is no help to anybody."""

MOST_NODES = 200
"""Of an expression with others in it: about the depth that the language allows."""


def share_layers(stages: Stages, situation: Situation) -> Stages:
    """Puts row-wise steps that do not read each other's results into one projection.

    layer 1, layer 2, layer 3 (reads what 2 wrote)  →  layer 1 2, layer 3
    """
    return tuple(_layered(stages)) if situation.options.layers else stages


def _layered(stages: Stages) -> Iterator[Stage]:
    layer = LayerBuilder()
    for stage in stages:
        if isinstance(stage, LayerStage) and layer.take(stage.steps[0]):
            continue
        reasons: tuple[str, ...] = ()
        if layer.steps:
            reasons = layer.window_reasons(stage.steps[0]) if isinstance(stage, LayerStage) else ()
            yield _finished(layer)
        layer = LayerBuilder(reasons=reasons)
        if isinstance(stage, LayerStage):
            layer.take(stage.steps[0])
        else:
            yield stage


def _finished(layer: LayerBuilder) -> LayerStage:
    stage = LayerStage(
        tuple(layer.steps),
        tuple(layer.composed),
        passes=layer.windows.passes(),
        reasons=layer.reasons,
    )
    if len(stage.steps) == 1:
        return stage
    pairs = zip(stage.steps, stage.composed, strict=True)
    composed = sum(a is not b for a, b in pairs)
    reason = (
        f"one projection for {len(stage.steps):,} operations: none reads what another of them gave"
        " to some rows only"
    )
    if composed:
        reason += f"; {composed:,} read what all rows were given, and compute it themselves"
    return replace(stage, reasons=(*stage.reasons, reason))


def look_up_rules(stages: Stages, situation: Situation) -> Stages:
    """Makes tables of the rules of a layer that compare the same columns with literals.

    layer 1 … 30: account = '4000' sets class, …  →  layer 1 … 30 with one table of 30 rules
    """
    options = situation.options
    return tuple(
        _with_tables(stage, find_tables(stage.composed, options.smallest_table))
        if options.rule_tables and isinstance(stage, LayerStage)
        else stage
        for stage in stages
    )


def _with_tables(stage: LayerStage, tables: tuple[RuleTable, ...]) -> LayerStage:
    reasons = tuple(
        f"rule table: {number(len(table.rules), 'rule')} for {', '.join(table.columns)} that ask"
        f" {', '.join(table.key_columns)} for {_sought(table)}"
        for table in tables
    )
    return replace(stage, tables=tables, reasons=(*stage.reasons, *reasons))


def _sought(table: RuleTable) -> str:
    has_ranges = any(table.cuts(key) is not None for key in table.keys)
    return "ranges of values" if has_ranges else "equality"


def single_layer(step: RowWise) -> LayerStage:
    layer = LayerBuilder()
    layer.take(step)
    return _finished(layer)


@dataclass(slots=True)
class LayerBuilder:
    steps: list[RowWise] = field(default_factory=list)
    composed: list[RowWise] = field(default_factory=list)
    _given: dict[str, Bound | None] = field(default_factory=dict)
    """The columns that are set, to which value on all visible rows, None where rows differ."""
    _joins: dict[str, Join] = field(default_factory=dict)
    windows: LayerWindows = field(default_factory=lambda: LayerWindows({}))
    reasons: tuple[str, ...] = ()

    def take(self, step: RowWise) -> bool:
        """Adds a step, if it may join the layer: it reads nothing that the layer sets on some rows
        only (a delete sets which rows are visible, and every step reads that), and its aliases mean
        the same."""
        composed = self._composed(step)
        if composed is None:
            return False
        self.steps.append(step)
        self.composed.append(composed)
        self._joins |= {join.alias: join for join in step.joins}
        for window in windows_of(step):
            self.windows.add(window)
        if isinstance(composed, UpdateStep):
            for made in composed.assignments:
                self._given[made.column] = made.expression if step.selector is None else None
        return True

    def window_reasons(self, step: RowWise) -> tuple[str, ...]:
        """Why a step may not join the layer, if that is for its windows."""
        touched = sorted(window_columns(step) & self._given.keys())
        if not touched:
            return ()
        return (
            f"a projection of its own: windows of operation {step.seq} read {', '.join(touched)} of"
            " all rows, as operations before it leave them",
        )

    def _composed(self, step: RowWise) -> RowWise | None:
        if not self.steps:
            return step
        if isinstance(self.steps[-1], DeleteStep) or len(self.steps) >= MOST_STEPS:
            return None
        if not all(_same(join, self._joins.get(join.alias, join)) for join in step.joins):
            return None
        if not self._aliases_fit(step):
            return None
        values: dict[str, Bound] = {}
        for name in reads(step) & (self._given.keys() | {"_updated_at"}):
            value = self._given.get(name)
            if value is None:
                return None
            values[name] = value
        if not values:
            return step
        of_joins = own_columns(join.condition for join in step.joins)
        if not values.keys().isdisjoint(of_joins | window_columns(step)):
            return None
        return _with_values(step, values)

    def _aliases_fit(self, step: RowWise) -> bool:
        """Whether aliases of windows mean the same in the layer, and none is also a join's."""
        windows = windows_of(step)
        joined = {alias.lower() for alias in (*self._joins, *(join.alias for join in step.joins))}
        called = {window.alias.lower() for window in windows} | self.windows.by_alias.keys()
        return joined.isdisjoint(called) and all(map(self.windows.fits, windows))


def _with_values(step: RowWise, values: Mapping[str, Bound]) -> RowWise | None:
    """A step with values in place of columns; None where that makes too much of it."""
    selector = None if step.selector is None else bound.replaced(step.selector, values)
    composed = replace(step, selector=selector)
    trees = [] if selector is None else [selector]
    if isinstance(composed, UpdateStep):
        made = tuple(
            replace(each, expression=bound.replaced(each.expression, values))
            for each in composed.assignments
        )
        composed = replace(composed, assignments=made)
        trees += [each.expression for each in made]
    return composed if all(bound.size(tree) <= MOST_NODES for tree in trees) else None


def _same(a: Join, b: Join) -> bool:
    return a is b or (
        (a.dataset.id, a.dataset.version, a.condition)
        == (b.dataset.id, b.dataset.version, b.condition)
    )
