"""Where expectations are looked at: a stage for those of one place.

Outputs change no rows: what is looked at after one is looked at before it, where marks that it
leaves on rows are counted while these are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rowbook.engine.strategy.checks.certain_values import is_certain
from rowbook.engine.strategy.checks.check_columns import columns_checked, other_point, own_point
from rowbook.engine.strategy.stages import (
    CheckStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    StartStage,
    steps_of,
)
from rowbook.planning.columns import Columns
from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    UniqueKeys,
)
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AnyStep, OutputStep

_MARKED = "leave a mark on rows, to be counted with them"
_TAKING = "rows that violate it are found and taken out here and now"
_GROUPED = "one grouping for each selector and keys"
_SUMMED = "conditions about all rows, and those that may fail on a value, are one pass"
_HERE = "few rows: they are brought here and looked at without Spark"
_LOADED = "expectations of other datasets are looked at when these are loaded"


def place_checks(stages: Stages, plan: ProjectPlan, situation: Situation) -> Stages:
    """Adds the stages at which expectations are looked at; a preview only takes rows out. `stages`
    has one for each step.

    start, layer 1, output 2, end  →  start, layer 1, check (end), output 2, end
    """
    wanted = [each for each in plan.expectations if _is_looked_at(each, plan, situation)]
    if not wanted:
        return _only_checked(stages, plan) if situation.ending == "checks" else stages
    steps = [step for stage in stages for step in steps_of(stage)]
    local = situation.has_local_rows
    told = (
        local or bool(situation.rewrites) or any(each.otherwise == "quarantine" for each in wanted)
    )
    places = _Places(steps, plan.columns, local, situation.after, told)
    for each in wanted:
        places.add(each)
    for each in wanted:
        places.add_other_side(each)
    made: list[Stage] = []
    gap = 0
    for stage in stages:
        made.append(stage)
        if isinstance(stage, StartStage):
            made += places.stages(0)
        elif steps_of(stage):
            gap += 1
            made += places.stages(gap)
    if any(each.point.kind == "dataset" for each in wanted):
        made[0] = replace(made[0], reasons=(*made[0].reasons, _LOADED))
    return _only_checked(tuple(made), plan) if situation.ending == "checks" else tuple(made)


def must_match(plan: ProjectPlan) -> frozenset[int]:
    """The operations that must match, by their ledger's counts; outputs are not counted there."""
    outputs = {step.seq for step in plan.steps if isinstance(step, OutputStep)}
    asked = (each.condition for each in plan.expectations)
    return frozenset(each.seq for each in asked if isinstance(each, MatchCondition)) - outputs


def _only_checked(stages: Stages, plan: ProjectPlan) -> Stages:
    """Without outputs, and without what no expectation sees any more."""
    counted = must_match(plan)
    *before, end = (each for each in stages if not isinstance(each, OutputStage))
    while len(before) > 1 and not isinstance(before[-1], CheckStage):
        if counted & {step.seq for step in steps_of(before[-1])}:
            break
        before.pop()
    return (*before, end)


def _is_looked_at(each: Expectation, plan: ProjectPlan, situation: Situation) -> bool:
    if situation.ending == "preview":
        return each.otherwise == "quarantine"
    condition = each.condition
    return not isinstance(condition, MatchCondition) or condition.seq not in must_match(plan)


@dataclass(slots=True)
class _Places:
    """Expectations by the number of steps before them."""

    steps: Sequence[AnyStep]
    columns: Columns
    are_here: bool
    """Rows are few, and here: they are looked at as they are, where they are."""
    last: int | None
    """The operation after which a preview ends."""
    with_samples: bool
    """Rows that violate are told from those that are computed; else, as ids cost a part of reading
    them, from rows that are computed once more."""
    _own: dict[int, list[Expectation]] = field(default_factory=dict)
    _others: dict[int, list[Expectation]] = field(default_factory=dict)

    def add(self, expectation: Expectation) -> None:
        gap = self._gap(own_point(expectation))
        if gap is None:
            return
        if expectation.otherwise != "quarantine":
            gap = self._before_outputs(gap)
        self._own.setdefault(gap, []).append(expectation)

    def add_other_side(self, expectation: Expectation) -> None:
        point = other_point(expectation)
        gap = None if point is None else self._gap(point)
        if gap is not None:
            self._others.setdefault(self._before_outputs(gap), []).append(expectation)

    def stages(self, gap: int) -> list[Stage]:
        own, others = self._own.get(gap, []), self._others.get(gap, [])
        if not own and not others:
            return []
        columns = self.steps[gap - 1].columns if gap else self.columns
        told = self.with_samples
        reads = columns_checked(own, others, columns, self.steps, with_samples=told)
        step = self.steps[gap - 1] if gap else None
        if self.are_here:
            here = f"{names_of(own)}: {_HERE}" if own else _HERE
            made = CheckStage(step, tuple(own), tuple(others), passes=1, reasons=(here,))
        else:
            made = _stage(step, own, others)
        return [replace(made, reads=reads)]

    def _gap(self, point: CheckPoint) -> int | None:
        """None where it is not reached, or is no place of the working dataset."""
        seq = point.seq or 0
        match point.kind:
            case "input":
                return 0
            case "end":
                return len(self.steps)
            case "after":
                reached = self.last is None or seq <= self.last
                return sum(step.seq <= seq for step in self.steps) if reached else None
            case "output":
                known = any(step.seq == seq for step in self.steps)
                return sum(step.seq < seq for step in self.steps) if known else None
            case "dataset":
                return None

    def _before_outputs(self, gap: int) -> int:
        """Not before rows that are taken out there."""
        last = self.steps[:gap]
        while last and isinstance(last[-1], OutputStep) and not self._takes(len(last)):
            last = last[:-1]
        return gap if self.are_here else len(last)

    def _takes(self, gap: int) -> bool:
        return any(each.otherwise == "quarantine" for each in self._own.get(gap, ()))


def _stage(
    step: AnyStep | None, own: Sequence[Expectation], others: Sequence[Expectation]
) -> CheckStage:
    marked = frozenset(i for i, each in enumerate(own) if leaves_mark(each))
    taking = [each for each in own if each.otherwise == "quarantine"]
    unmarked = [each for i, each in enumerate(own) if i not in marked]
    rest = [each for each in unmarked if each.otherwise != "quarantine"]
    groupings = {grouping_of(each) for each in rest if keys_of(each)}
    groupings |= {(each.name, "other side") for each in others if keys_of(each)}
    summed = any(not keys_of(each) for each in (*rest, *others))
    reasons = {
        f"{names_of(each for i, each in enumerate(own) if i in marked)}: {_MARKED}": bool(marked),
        f"{names_of(taking)}: {_TAKING}": bool(taking),
        f"{names_of(each for each in (*rest, *others) if keys_of(each))}: {_GROUPED}": groupings,
        f"{names_of(each for each in (*rest, *others) if not keys_of(each))}: {_SUMMED}": summed,
    }
    return CheckStage(
        step,
        tuple(own),
        tuple(others),
        marked,
        len(taking) + len(groupings) + summed,
        reasons=tuple(reason for reason, holds in reasons.items() if holds),
    )


def leaves_mark(expectation: Expectation) -> bool:
    """Whether rows are told by a mark on them: of each row, and with a value on every one."""
    if expectation.otherwise == "quarantine":
        return False
    if isinstance(expectation.condition, MatchCondition):
        return True
    if not isinstance(expectation.condition, RowCondition):
        return False
    trees = [expectation.condition.that, *(join.condition for join in expectation.joins)]
    trees += [] if expectation.selector is None else [expectation.selector]
    return all(map(is_certain, trees))


def keys_of(expectation: Expectation) -> tuple[str, ...]:
    match expectation.condition:
        case GroupCondition(keys) | UniqueKeys(keys):
            return keys
        case _:
            return ()


def grouping_of(expectation: Expectation) -> tuple[object, ...]:
    """The same for those that one grouping is enough for."""
    point = expectation.point
    aliases = tuple(join.alias for join in expectation.joins)
    where = point.seq if point.kind == "output" else None
    looked_at = (where, expectation.selector, aliases, expectation.include_deleted)
    condition = expectation.condition
    compared = isinstance(condition, GroupCondition) and condition.against is not None
    return (*looked_at, keys_of(expectation), expectation.key if compared else None)


def names_of(expectations: Iterable[Expectation]) -> str:
    return ", ".join(f"'{each.name}'" for each in expectations)
