"""What is computed once and kept: summaries, rows that many stages read, plans that grow long.

Costs are in scans of a parquet file (docs/internals/spark-plans.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from rowbook.engine.strategy.checks.absent_columns import never_holds
from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    CheckpointStage,
    CheckStage,
    LayerStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    readers,
    steps_of,
)
from rowbook.engine.strategy.step_analysis import (
    RowWise,
    columns_before,
    conditions,
    own_columns,
    writes,
)
from rowbook.planning.steps import AnyStep, UpdateStep
from rowbook.text.visible import number

_KEEPING = 8.0
"""What keeping all rows costs, in the scans that it must save: of more columns than usual the more.
"""

_USUAL = 16

_NARROW = 0.5
"""Of computing rows again, what an aggregate takes of it, which reads few of their columns."""

_LAYER, _JOIN, _FLAG = 0.2, 0.5, 0.02
"""What a layer adds to computing rows again, and each of its joins and conditions."""

_ADDED, _SUMMARY, _KEPT = 0.5, 0.05, 0.3
"""Of rows that are added and computed each time (another source, another grouping), of reading a
summary that is kept, and of reading all rows where they are kept."""

_SORT = 2.0
"""Of a window that sorts rows, about; one that is joined reads them twice."""

_PICKED = 0.5
"""Of all rows, those that a selector picks: sources leave the others out where they can."""

_DELETED = "_deleted"

_CHANGED = "rows are computed once for all that reads and counts them"


def keep_summaries(stages: Stages, situation: Situation) -> Stages:
    """Computes a summary at once where rows are read again: else aggregates double the plan.

    aggregate 10, output 20, output 30  →  aggregate 10 (kept), output 20, output 30
    """
    if situation.has_local_rows:
        return tuple(
            replace(each, keep=True) if isinstance(each, AggregateStage) else each
            for each in stages
        )
    if not situation.options.segments:
        return stages
    return tuple(
        _with_summary_kept(stage, readers(stages[i + 1 :]) + situation.reads_at_end)
        if isinstance(stage, AggregateStage)
        else stage
        for i, stage in enumerate(stages)
    )


def _with_summary_kept(stage: AggregateStage, later: int) -> AggregateStage:
    if later > 1:
        reason = f"the summary is computed once: rows are read {later:,} times after it"
    elif stage.levels:
        reason = "the summary is computed once: totals of other levels are made from it"
    else:
        return stage
    return replace(stage, keep=True, reasons=(*stage.reasons, reason))


def keep_rows(stages: Stages, situation: Situation) -> Stages:
    """Puts a checkpoint before a stage where all rows are better computed once.

    layer 1, output 2 (replaces what is read)  →  layer 1, checkpoint, output 2
    """
    return tuple(_checkpointed(stages, situation))


def _checkpointed(stages: Stages, situation: Situation) -> Iterator[Stage]:
    rows = _Rows(effort=_KEPT) if situation.has_local_rows else _Rows()
    reads = _reads_of_rows(stages)
    left = sum(reads) + situation.reads_at_end
    for i, (stage, own) in enumerate(zip(stages, reads, strict=True)):
        left -= own
        later = left + own - 1 if isinstance(stage, CheckStage) else left
        reason = _reason(stage, rows, later, stages[i:], situation)
        if reason is not None:
            yield CheckpointStage(_at_work(stage)[0], reasons=(reason,))
            rows = _Rows(effort=_KEPT)
        yield stage
        rows = rows.after(stage)


def _reads_of_rows(stages: Stages) -> list[int]:
    """How often each stage reads what is computed of rows. Expectations that ask for columns as
    they were read do not: Spark computes no others for them. Nor do outputs of summaries alone."""
    computed: set[str] = set()
    known: frozenset[str] | None = None
    counts = []
    for stage in stages:
        if isinstance(stage, AggregateStage) and known is None:
            known = columns_before(stage.step)
        if isinstance(stage, LayerStage):
            for step in stage.steps:
                computed |= _computed_by(step, computed)
        asks = isinstance(stage, CheckStage) and computed.isdisjoint((*stage.reads, _DELETED))
        reads_none = asks or (known is not None and _writes_summaries(stage, known))
        counts.append(0 if reads_none else readers((stage,)))
    return counts


def _writes_summaries(stage: Stage, known: Collection[str]) -> bool:
    """Whether it is an output of no row that has nothing but the known columns."""
    selector = stage.step.selector if isinstance(stage, OutputStage) else None
    return selector is not None and never_holds(selector, known)


def _computed_by(step: RowWise, computed: Collection[str]) -> frozenset[str]:
    if isinstance(step, UpdateStep):
        return writes(step)
    reads = own_columns(conditions(step))
    return frozenset() if not step.joins and reads.isdisjoint(computed) else frozenset({_DELETED})


@dataclass(frozen=True, slots=True)
class _Rows:
    """`depth` counts the layers since rows were last computed: plans that grow without end overflow
    Spark's analyser. `effort` is what computing the rows once more costs."""

    depth: int = 0
    effort: float = 1.0

    def after(self, stage: Stage) -> _Rows:
        match stage:
            case LayerStage():
                joins, passes = len(stage.aliases), stage.passes
                effort = _LAYER + _JOIN * (joins + len(stage.tables)) + _FLAG * len(stage.singles)
                effort += sum(self.effort if each.joined else _SORT for each in passes)
                return _Rows(self.depth + 1 + joins + len(passes), self.effort + effort)
            case AggregateStage(keep=True):
                return _Rows(self.depth + 1, self.effort + _SUMMARY)
            case AppendStage(reads_rows=True):
                joins = len(stage.step.joins)
                effort = (1 + _read_again(stage)) * self.effort + _JOIN * joins
                return _Rows(2 * self.depth + 1 + joins, effort)
            case AppendStage(copies=True):
                return _Rows(self.depth + 1, self.effort + _LAYER)
            case AppendStage():
                joins = len(stage.step.matches)
                return _Rows(self.depth + 1 + joins, self.effort + _ADDED + _JOIN * joins)
            case AggregateStage():
                return _Rows(self.depth + 1, self.effort + _ADDED)
            case CheckStage():
                depth = self.depth + bool(stage.marked) + stage.takes
                return _Rows(depth, self.effort + _FLAG * len(stage.marked))
            case _:
                return self


def _saved(later: int, rows: _Rows, left: Stages) -> float:
    """What rows that are kept need not be computed for again."""
    totals = sum(isinstance(each, AggregateStage) and each.reads_rows for each in left)
    return (later - _NARROW * min(totals, later)) * rows.effort - later * _KEPT


def _cost_of_keeping(left: Stages) -> float:
    written = (len(each.step.written) for each in left if isinstance(each, OutputStage))
    return _KEEPING * max(1.0, max(written, default=0) / _USUAL)


def _reads_rows(stage: Stage) -> bool:
    """Whether it is not through with them already, in an earlier attempt or in a pass."""
    match stage:
        case OutputStage():
            return stage.reads_rows
        case AggregateStage():
            return stage.of_pass is None
        case _:
            return True


def _at_work(stage: Stage) -> tuple[AnyStep, ...]:
    """The steps of a stage; expectations are looked at when the one before them is through."""
    if isinstance(stage, CheckStage):
        return (stage.step,) if stage.step is not None and stage.passes else ()
    return steps_of(stage)


def _read_again(stage: AppendStage) -> float:
    """What computing the rows costs once more, for those that are made from them."""
    return 1.0 if stage.step.selector is None else _PICKED


def _reason(
    stage: Stage, rows: _Rows, later: int, left: Stages, situation: Situation
) -> str | None:
    """Why rows are kept before a stage, the first of those left, if they are; they are read so
    often after it."""
    options = situation.options
    if not _at_work(stage) or not _reads_rows(stage):
        return None
    if isinstance(stage, OutputStage) and stage.rewrites:
        return (
            f"rows are computed before operation {stage.step.seq} replaces data that they come from"
        )
    if rows.depth >= options.longest_plan:
        return f"the plan has {number(rows.depth, 'layer')}: Spark would be slow to analyse more"
    reads_rows = not isinstance(stage, AppendStage) or stage.reads_rows
    if situation.has_local_rows and reads_rows and not isinstance(stage, LayerStage):
        return _CHANGED if rows.effort >= _KEPT + _LAYER else None
    if isinstance(stage, LayerStage):
        if rows.effort <= _KEEPING or not any(each.joined for each in stage.passes):
            return None
        later = 2
    elif isinstance(stage, AggregateStage):
        if not stage.reads_rows:
            return None
        later -= max(len(stage.levels) - 1, 0)
    elif isinstance(stage, AppendStage) and stage.reads_rows:
        later = round((1 + _read_again(stage)) * later) - 1
    elif not isinstance(stage, CheckStage | OutputStage):
        return None
    if not options.segments:
        return "all rows are kept before each operation that reads them" if rows.depth else None
    if _saved(later, rows, left) <= _cost_of_keeping(left):
        return None
    return (
        f"rows are read {later:,} times after operation {_at_work(stage)[0].seq}, and computing"
        f" them again costs {rows.effort:.1f} scans each time"
    )
