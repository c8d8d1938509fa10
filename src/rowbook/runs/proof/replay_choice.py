"""How a past run is replayed: all of its rows where these are few, else those that somebody asks
for, which Spark finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import TypeAlias

from rowbook.errors import RowbookError
from rowbook.planning.expectations.quarantine_plan import only_quarantines
from rowbook.planning.project_plan import ProjectPlan
from rowbook.proof.backward.backward_condition import Question
from rowbook.proof.backward.plan_stretches import as_it_acted
from rowbook.proof.replay import Replay
from rowbook.runs.checking.run_verdicts import recorded_verdicts
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.runs.preview.engine_choice import EngineChoice, choose_engine
from rowbook.runs.preview.plain_preview import PlainInput
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.sources.source_errors import NotPlainError
from rowbook.store import RunRecord
from rowbook.text.visible import number
from rowbook.value_class import dataclass

Questions: TypeAlias = Callable[[ProjectPlan], Iterable[Sequence[Question]]]
"""What is asked of a run's rows, by its plan: one try after the other, until rows are found."""


@dataclass(frozen=True, slots=True)
class ChosenReplay:
    """`part` says how rows were found, where not all were replayed."""

    replay: Replay
    part: str | None = None


def choose_replay(
    resolved: ResolvedRun,
    record: RunRecord,
    questions: Questions,
    use: SparkUse | None,
    resources: ExitStack,
) -> ChosenReplay:
    """ManyRowsError where too many rows would have to be replayed, PROOF_001 where Spark would be
    needed and is not to be used."""
    context, plan = resolved.request.context, only_quarantines(resolved.request.plan)
    choice = choose_engine(resolved, plan, None)
    if choice.engine == "reference":
        try:
            return ChosenReplay(Replay(plan, context, PlainInput(resolved).tables))
        except NotPlainError as cause:
            choice = EngineChoice("spark", str(cause))
    if use is None:
        message = f"run {context.run_id} is not replayed without Spark: {choice.reason}"
        raise RowbookError.of("PROOF_001", message)
    from rowbook.runs.proof.spark_subset import replay_part

    replay = replay_part(resolved, acted_plan(resolved, record), questions, use, resources)
    rows = number(len(replay.sources), "row")
    return ChosenReplay(replay, f"{choice.reason}: replayed on {rows} that Spark found in it")


def acted_plan(resolved: ResolvedRun, record: RunRecord) -> ProjectPlan:
    """The run's plan with the expectations that took rows out of it."""
    taking = [(each.owner, each.name) for each in recorded_verdicts(record) if each.quarantined]
    return as_it_acted(only_quarantines(resolved.request.plan), taking)
