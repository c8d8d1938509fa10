"""Values that several operations of a layer ask for, computed once.

What an operation gives all rows stands in the place of its column wherever later ones of the layer
read it. Written out so often, it would be computed as often, for every row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rowbook.engine.strategy.stages import LayerStage, SharedValue, Situation, Stages
from rowbook.engine.strategy.step_analysis import RowWise
from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.planning.steps import UpdateStep

MOST_LEVELS = 3
"""Of values that are computed from each other: each is a projection."""

_SMALLEST = 3
"""Nodes of what takes longer to compute than to be passed on."""


def compute_once(stages: Stages, situation: Situation) -> Stages:
    """Computes first what several operations of a layer read.

    layer 1, 2, 3 (2 and 3 read what 1 gives)  →  layer 1, 2, 3 (what 1 gives is computed first)
    """
    if not situation.options.shared_values:
        return stages
    return tuple(_shared(each) if isinstance(each, LayerStage) else each for each in stages)


def _shared(stage: LayerStage) -> LayerStage:
    values = _values(stage)
    if not values:
        return stage
    nodes = {key: each.column for key, each in values.items()}
    names = ", ".join(dict.fromkeys(each.gives for each in values.values()))
    reason = f"{names}: computed first, since several operations ask for it"
    return replace(
        stage,
        composed=tuple(_reading(step, nodes) for step in stage.composed),
        shared=tuple(
            replace(each, expression=_inside(each.expression, nodes)) for each in values.values()
        ),
        reasons=(*stage.reasons, reason),
    )


def _values(stage: LayerStage) -> dict[int, SharedValue]:
    """By the identity of expressions, in an order in which they can be computed."""
    given = {
        id(made.expression): SharedValue(step.seq, made.column, made.expression)
        for step in stage.composed
        if isinstance(step, UpdateStep) and step.selector is None
        for made in step.assignments
        if _is_worth_it(made.expression)
    }
    asked = Counter(_asked([tree for step in stage.composed for tree in _trees(step)], given))
    for each in given.values():
        asked.update(_asked(bound.parts(each.expression), given))
    found: dict[int, SharedValue] = {}
    for key, each in given.items():
        within = (found[id(n)].level for n in bound.walk(each.expression) if id(n) in found)
        level = 1 + max(within, default=0)
        if asked[key] > 1 and level <= MOST_LEVELS:
            found[key] = replace(each, level=level)
    return found


def _is_worth_it(expression: Bound) -> bool:
    """Windows and REQUIRE stay where they are written."""
    nodes = [node for _, node in zip(range(_SMALLEST), bound.walk(expression), strict=False)]
    return len(nodes) == _SMALLEST and not any(
        isinstance(node, bound.Call) and node.function == "REQUIRE"
        for node in bound.walk(expression)
    )


def _asked(trees: Iterable[Bound], given: Mapping[int, SharedValue]) -> Iterator[int]:
    """Which of these stand in the trees, once for each place; not what stands inside them."""
    waiting = list(trees)
    while waiting:
        node = waiting.pop()
        if id(node) in given:
            yield id(node)
        else:
            waiting += bound.parts(node)


def _trees(step: RowWise) -> Sequence[Bound]:
    made = [each.expression for each in step.assignments] if isinstance(step, UpdateStep) else []
    return made if step.selector is None else [step.selector, *made]


def _reading(step: RowWise, nodes: Mapping[int, Bound]) -> RowWise:
    selector = None if step.selector is None else _named(step.selector, nodes)
    step = replace(step, selector=selector)
    if not isinstance(step, UpdateStep):
        return step
    made = (replace(m, expression=_named(m.expression, nodes)) for m in step.assignments)
    return replace(step, assignments=tuple(made))


def _named(tree: Bound, nodes: Mapping[int, Bound]) -> Bound:
    def of(part: Bound, below: Sequence[Bound]) -> Bound:
        return nodes.get(id(part)) or bound.with_parts(part, below)

    return bound.rebuilt(tree, of)


def _inside(expression: Bound, nodes: Mapping[int, Bound]) -> Bound:
    below = [_named(part, nodes) for part in bound.parts(expression)]
    return bound.with_parts(expression, below)
