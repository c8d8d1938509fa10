"""Conditions of rows that are looked at where rows are counted by groups.

Where nothing but summaries changes after an aggregate, what must hold of rows at the end holds of
those it groups or does not: their marks are put together with its groups. Later, only rows that
were added since are looked at, which are few.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rowbook.engine.strategy.checks.absent_columns import RowsBefore, never_holds
from rowbook.engine.strategy.checks.check_places import names_of
from rowbook.engine.strategy.counting.group_counts import (
    MOST_BESIDE,
    asked_keys,
    beside,
    check_figures,
    figures_of,
)
from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    CheckStage,
    LayerStage,
    Situation,
    Stage,
    Stages,
    StartStage,
    steps_of,
)
from rowbook.engine.strategy.step_analysis import columns_before, own_columns
from rowbook.expressions.bound import Bound
from rowbook.planning.columns import ROW_ID
from rowbook.planning.expectations.expectation_plan import Expectation, RowCondition
from rowbook.planning.steps import AggregateStep, AppendStep, UpdateStep


def check_with_groups(stages: Stages, situation: Situation) -> Stages:
    """Looks at rows before an aggregate whose groups count them, and later at rows added since.

    aggregate 2 (counts), check  →  check (until 2), aggregate 2 (counts), check (since 2)
    """
    at = next((i for i, each in enumerate(stages) if _counts(each)), None)
    if at is None or not situation.options.group_checks:
        return stages
    aggregate = stages[at]
    assert isinstance(aggregate, AggregateStage)
    before = rows_before(stages[:at], aggregate.step)
    free = MOST_BESIDE - _figures(stages[:at])
    early: list[Expectation] = []
    after: list[Stage] = []
    rest = list(stages[at + 1 :])
    while rest and leaves_rows(rest[0], before.known):
        stage = rest.pop(0)
        some = _told(stage) if isinstance(stage, CheckStage) else frozenset()
        if isinstance(stage, CheckStage) and some:
            told = [_of_those(stage.expectations[i], before) for i in sorted(some)]
            of_rows = (e for e in (*early, *told) if not _asks_keys(e, aggregate.step))
            if figures_of(of_rows) < free:
                early += told
                after += _split(stage, some, aggregate.step)
                continue
        after.append(stage)
    if not early:
        return stages
    first = _early(early, stages[:at], aggregate.step)
    return (*stages[:at], first, aggregate, *after, *rest)


def _counts(stage: Stage) -> bool:
    return isinstance(stage, AggregateStage) and stage.count == "groups"


def _figures(before: Stages) -> int:
    steps = [step for each in before for step in steps_of(each)]
    unmarked = [each.unmarked for each in before if isinstance(each, LayerStage)]
    return beside(steps, frozenset().union(*unmarked)) + check_figures(before)


def rows_before(stages: Stages, step: AggregateStep) -> RowsBefore:
    """What is known of the rows that an aggregate groups; `stages` are those before it."""
    known = columns_before(step)
    given: dict[str, int] = {}
    added = 0
    for each in (each for stage in stages for each in steps_of(stage)):
        if isinstance(each, UpdateStep):
            for made in each.assignments:
                if each.selector is None and not made.expression.nullable:
                    given[made.column] = each.seq
                elif made.expression.nullable or added > given.get(made.column, 0):
                    given.pop(made.column, None)
        elif isinstance(each, AggregateStep | AppendStep):
            added = each.seq
            for name in (*(each.keys or ()), *(value.column for value in each.values)):
                given.pop(name, None)
    start = stages[0]
    read = start.never_null if isinstance(start, StartStage) and not added else frozenset()
    sure = {name for name, seq in given.items() if seq > added}
    return RowsBefore(known, given, read | sure)


def leaves_rows(stage: Stage, known: Collection[str]) -> bool:
    """Whether it changes no row that has nothing but the known columns, and what it adds is there
    to be read."""
    match stage:
        case LayerStage():
            picked = [step.selector for step in stage.steps]
            return not stage.passes and all(
                each is not None and never_holds(each, known) for each in picked
            )
        case AggregateStage():
            return stage.keep
        case AppendStage():
            return False
        case CheckStage():
            return not stage.takes
        case _:
            return True


def _told(stage: CheckStage) -> frozenset[int]:
    """The places of those among its expectations that rows before tell."""
    return frozenset(i for i in stage.marked if _is_told(stage.expectations[i]))


def _is_told(expectation: Expectation) -> bool:
    if expectation.joins or expectation.point.kind == "output":
        return False
    reads = own_columns(_trees(expectation))
    return isinstance(expectation.condition, RowCondition) and ROW_ID not in reads


def _trees(expectation: Expectation) -> list[Bound]:
    condition, selector = expectation.condition, expectation.selector
    that = [condition.that] if isinstance(condition, RowCondition) else []
    return that if selector is None else [*that, selector]


def _of_those(expectation: Expectation, rows: RowsBefore) -> Expectation:
    condition, selector = expectation.condition, expectation.selector
    assert isinstance(condition, RowCondition)
    if expectation.include_deleted:
        rows = replace(rows, given={})
    return replace(
        expectation,
        condition=RowCondition(rows.told(condition.that)),
        selector=None if selector is None else rows.told(selector),
    )


def _early(early: Sequence[Expectation], before: Stages, step: AggregateStep) -> CheckStage:
    steps = [each for stage in before for each in steps_of(stage)]
    places = frozenset(i for i, each in enumerate(early) if _asks_keys(each, step))
    by_group = [early[i] for i in sorted(places)]
    of_rows = [each for i, each in enumerate(early) if i not in places]
    why = {
        f"{names_of(of_rows)}: rows are looked at here, and what is wrong with them is put together"
        f" by the groups of operation {step.seq}; after it nothing but summaries changes": of_rows,
        f"{names_of(by_group)}: asked of the groups of operation {step.seq}, since they ask for"
        " nothing but its keys": by_group,
    }
    return CheckStage(
        steps[-1] if steps else None,
        tuple(early),
        marked=frozenset(range(len(early))),
        by_group=places,
        reads=own_columns(tree for each in early for tree in _trees(each)),
        until=step.seq,
        reasons=tuple(reason for reason, some in why.items() if some),
    )


def _asks_keys(expectation: Expectation, step: AggregateStep) -> bool:
    """For nothing but what rows are grouped by."""
    asked = own_columns(_trees(expectation))
    return not expectation.include_deleted and asked <= asked_keys(step)


def _split(stage: CheckStage, some: frozenset[int], step: AggregateStep) -> list[Stage]:
    """Those that look at few rows here, after those that look at all."""
    names = names_of(stage.expectations[i] for i in sorted(some))
    reason = f"{names}: of rows that were added since operation {step.seq}, to be counted with them"
    since = replace(
        stage,
        expectations=tuple(stage.expectations[i] for i in sorted(some)),
        others=(),
        marked=frozenset(range(len(some))),
        passes=0,
        chosen={},
        passed={},
        since=step.seq,
        reasons=(reason,),
    )
    left = [i for i in range(len(stage.expectations)) if i not in some]
    if not left and not stage.others:
        return [since]
    marked = frozenset(new for new, old in enumerate(left) if old in stage.marked)
    others = tuple(stage.expectations[i] for i in left)
    return [replace(stage, expectations=others, marked=marked), since]
