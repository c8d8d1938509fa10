"""Which outputs and aggregates share a pass over the rows.

Rows that a task of Spark's hands over to be written can be grouped there too, in as many ways as is
asked for, each for a fraction of what a pass of its own would take.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rowbook.engine.strategy.checks.absent_columns import RowsBefore, never_holds
from rowbook.engine.strategy.checks.certain_values import is_certain
from rowbook.engine.strategy.checks.check_places import grouping_of, keys_of, names_of
from rowbook.engine.strategy.checks.group_checks import leaves_rows, rows_before
from rowbook.engine.strategy.checks.group_totals import is_of_groups, parts_of, passes_saved
from rowbook.engine.strategy.counting.group_counts import (
    can_count,
    changes_summaries_only,
    is_uncounted,
    with_group_counts,
)
from rowbook.engine.strategy.rollups import can_merge
from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckStage,
    EndStage,
    GroupRequest,
    LayerStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    operations_label,
    steps_of,
)
from rowbook.engine.strategy.step_analysis import columns_before, own_columns
from rowbook.expressions.bound import Aggregate, is_literal
from rowbook.expressions.types import Kind, as_decimal
from rowbook.planning.columns import ROW_ID
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.steps import AggregateStep, OutputStep

_DIGITS = 38
"""Of a sum."""
_LEAST_ROWS = 100_000
"""That must be sure to be added up without an overflow."""

_LEAST_GROUPINGS = 3
"""For which rows pass that no output writes there: of fewer, Spark is as fast."""

_KEYS = frozenset(
    {Kind.STRING, Kind.INTEGER, Kind.DECIMAL, Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP}
)
_COMPARED = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.DATE, Kind.TIMESTAMP})


def write_with_groups(stages: Stages, situation: Situation) -> Stages:
    """Writes the rows there are before an aggregate as they are grouped, for all outputs after it
    that can be, and groups them in the same pass for other aggregates: what is between these leaves
    the rows as they are. They are counted by the groups.

    aggregate 2, aggregate 3, output 4  →  aggregate 2 (groups for 3, writes for 4), aggregate 3 and
    output 4 (of rows that were added since)
    """
    if not situation.options.passed_rows or situation.ending != "outputs":
        return stages
    if situation.has_local_rows or situation.executors.apart:
        return stages
    for i, stage in enumerate(stages):
        first = _of_all(stage, stages[:i]) if isinstance(stage, AggregateStage) else None
        if first is not None and (taken := _taken(first, stages[i + 1 :], situation)):
            counted = _counted((*stages[:i], first, *stages[i + 1 :]), i, situation)
            if counted is not None:
                return _with_pass(counted, i, {i + 1 + place for place in taken})
    return stages


def let_rows_go(stages: Stages, situation: Situation) -> Stages:
    """Goes on with nothing but summaries where no stage reads the rows that have passed: plans are
    short then.

    aggregate 2 (writes for 3), output 3 (of rows since 2)  →  aggregate 2 (lets rows go), output 3
    """
    for i, stage in enumerate(stages):
        if isinstance(stage, AggregateStage) and stage.passes:
            known = columns_before(stage.step)
            if all(_reads_summaries(each, known) for each in stages[i + 1 :]):
                reason = "rows are let go then: no operation reads them after it"
                through = replace(stage, lets_go=True, reasons=(*stage.reasons, reason))
                return (*stages[:i], through, *stages[i + 1 :])
    return stages


def _reads_summaries(stage: Stage, known: Collection[str]) -> bool:
    """Whether it reads no row that was there before a pass."""
    match stage:
        case OutputStage():
            return not stage.reads_rows or _asks_others(stage.step, known)
        case AggregateStage():
            told = not stage.reads_rows or stage.of_pass is not None
            return told or _asks_others(stage.step, known)
        case LayerStage():
            return leaves_rows(stage, known)
        case CheckStage():
            return not stage.passes and (stage.since is not None or not stage.marked)
        case EndStage():
            return not stage.compute
        case _:
            return False


def _asks_others(step: OutputStep | AggregateStep, known: Collection[str]) -> bool:
    """Whether it picks no row that has nothing but the known columns."""
    return step.selector is not None and never_holds(step.selector, known)


def most_rows(part: Aggregate) -> int:
    """That can be added up without an overflow."""
    if part.function != "SUM" or part.argument is None:
        return 10**9
    return int(10 ** (_DIGITS - as_decimal(part.argument.type).precision))


def _of_all(stage: AggregateStage, before: Stages) -> AggregateStage | None:
    """The stage, where its groups tell all that is asked of rows, and can be put together: it takes
    all of them, though it may pick them by what surely holds."""
    if stage.step.selector is not None and not stage.levels:
        chosen = rows_before(before, stage.step).chosen(stage.step.selector)
        stage = replace(stage, step=replace(stage.step, selector=chosen))
    return stage if stage.reads_rows and can_count(stage.step) and _can_group(stage) else None


def _can_group(stage: AggregateStage) -> bool:
    step = stage.step
    kinds = {step.columns.fields[key].type.kind for key in step.keys}
    return kinds <= _KEYS and all(map(_can_pass, stage.asked))


def _counted(stages: Stages, at: int, situation: Situation) -> Stages | None:
    """With rows counted by the groups; None where they are counted otherwise."""
    if not situation.options.ledger:
        return stages
    stage = stages[at]
    assert isinstance(stage, AggregateStage)
    later = [step for each in stages[at + 1 :] for step in steps_of(each)]
    if not changes_summaries_only(stage.step, later) or not is_uncounted(stages[:at]):
        return None
    return with_group_counts(stages, at)


def _can_pass(part: Aggregate) -> bool:
    if not can_merge(part):
        return False
    if part.function == "SUM":
        return most_rows(part) >= _LEAST_ROWS
    if part.function == "COUNT" or part.argument is None:
        return True
    return part.type.kind in _COMPARED or _is_constant(part)


def _taken(stage: AggregateStage, after: Sequence[Stage], situation: Situation) -> list[int]:
    """The places of those after it that the pass serves; none where that would not save one."""
    known = columns_before(stage.step)
    found: list[int] = []
    for i, each in enumerate(after):
        if isinstance(each, OutputStage):
            found += [i] if _can_begin(each, known, situation) else []
        elif isinstance(each, AggregateStage):
            found += [i] if _can_share(each, known) else []
        elif isinstance(each, CheckStage):
            found += [i] if _told(each, stage.step) else []
        if not leaves_rows(_kept(each), known):
            break
    if any(isinstance(after[i], OutputStage) for i in found):
        return found
    return found if situation.workers and len(found) >= _LEAST_GROUPINGS - 1 else []


def _can_begin(stage: OutputStage, known: Collection[str], situation: Situation) -> bool:
    """What may fail of its selector is said of this operation, not of the pass."""
    step = stage.step
    if _asks_others(step, known) or not (step.selector is None or is_certain(step.selector)):
        return False
    plain = not (stage.done or stage.rewrites or step.joins or step.order_by)
    return plain and step.seq in situation.passing


def _told(stage: CheckStage, first: AggregateStep) -> list[Expectation]:
    """Those that the pass can tell, where no other groups do."""
    if stage.takes:
        return []
    here = (each for i, each in enumerate(stage.expectations) if i not in stage.marked)
    return [each for each in here if each.key not in stage.chosen and _can_tell(each, first)]


def _can_tell(expectation: Expectation, first: AggregateStep) -> bool:
    known = columns_before(first) - {ROW_ID}
    keys, parts = keys_of(expectation), parts_of(expectation)
    selector = [] if expectation.selector is None else [expectation.selector]
    return (
        known.issuperset(keys)
        and {first.columns.fields[key].type.kind for key in keys} <= _KEYS
        and is_of_groups(expectation, known, ())
        and all(_can_pass(each) and not _is_constant(each) for each in parts)
        and ROW_ID not in own_columns(selector)
        and all(map(is_certain, selector))
    )


def _is_constant(part: Aggregate) -> bool:
    return part.argument is not None and is_literal(part.argument)


def _can_share(stage: AggregateStage, known: Collection[str]) -> bool:
    """Whether nothing but columns that rows have before the pass tells its groups of them, and what
    is asked for cannot fail on any."""
    step = stage.step
    if not stage.reads_rows or step.joins or step.levels or step.key_values or not step.keys:
        return False
    selector = [] if step.selector is None else [step.selector]
    read = own_columns(stage.asked)
    return (
        read.union(step.keys) <= set(known) - {ROW_ID}
        and ROW_ID not in own_columns(selector)
        and all(map(is_certain, selector))
        and _can_group(stage)
    )


def _kept(stage: Stage) -> Stage:
    """What summaries add is there when others are read."""
    return replace(stage, keep=True) if isinstance(stage, AggregateStage) else stage


def _with_pass(stages: Stages, at: int, taken: Collection[int]) -> Stages:
    first = stages[at]
    assert isinstance(first, AggregateStage)
    rows = rows_before(stages[:at], first.step)
    seq = first.step.seq
    writes: list[OutputStep] = []
    beside: list[GroupRequest] = []
    after: list[Stage] = []
    for i, stage in enumerate(stages[at + 1 :], start=at + 1):
        each = _kept(stage) if i <= max(taken) else stage
        if i in taken and isinstance(each, OutputStage):
            writes.append(replace(each.step, selector=rows.chosen(each.step.selector)))
            each = replace(each, since=seq, reasons=(*each.reasons, _written_already(seq)))
        elif i in taken and isinstance(each, AggregateStage):
            beside.append(each.request(rows.chosen(each.step.selector)))
            each = replace(each, of_pass=seq, reasons=(*each.reasons, _grouped_already(seq)))
        elif i in taken and isinstance(each, CheckStage):
            requests, each = _looking(each, first.step, rows)
            beside += requests
        after.append(each)
    reasons = [*first.reasons]
    others = [each.of for each in beside if isinstance(each.of, int)]
    if others:
        reasons.append(f"rows are grouped for {operations_label(others)} in the same pass")
    if writes:
        outputs = operations_label(each.seq for each in writes)
        verb = "writes" if len(writes) == 1 else "write"
        reasons.append(f"{outputs} {verb} these rows: they are grouped as they are written")
    passing = replace(
        first, keep=True, writes=tuple(writes), beside=tuple(beside), reasons=tuple(reasons)
    )
    return (*stages[:at], passing, *after)


def _looking(
    stage: CheckStage, first: AggregateStep, rows: RowsBefore
) -> tuple[list[GroupRequest], CheckStage]:
    """The groups that its expectations ask for, those about the same rows and keys once."""
    together: dict[tuple[object, ...], list[Expectation]] = {}
    told = _told(stage, first)
    for each in told:
        together.setdefault(grouping_of(each), []).append(each)
    requests = [
        GroupRequest(
            some[0].key,
            rows.chosen(some[0].selector),
            tuple(first.columns.fields[key] for key in keys_of(some[0])),
            tuple(dict.fromkeys(part for each in some for part in parts_of(each))),
        )
        for some in together.values()
    ]
    passed = {each.key: some[0].key for some in together.values() for each in some}
    after = replace(
        stage,
        of_pass=first.seq,
        passed=passed,
        passes=stage.passes - passes_saved(stage, passed),
        reasons=(*stage.reasons, f"{names_of(told)}: {_grouped_already(first.seq)}"),
    )
    return requests, after


def _written_already(seq: int) -> str:
    return f"rows that were there before operation {seq} are written already, with its groups"


def _grouped_already(seq: int) -> str:
    return f"rows that were there before operation {seq} are grouped already, in its pass"
