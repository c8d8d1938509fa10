"""A run of the past replayed on what it read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from rowbook.errors import RowbookError
from rowbook.planning.expectations.quarantine_plan import only_quarantines
from rowbook.planning.project_plan import ProjectPlan
from rowbook.proof.backward.backward_condition import Question
from rowbook.proof.backward.plan_stretches import as_it_acted
from rowbook.proof.replay import Replay
from rowbook.proof.row_life import InputState
from rowbook.runs.checking.run_verdicts import recorded_verdicts
from rowbook.runs.compare.past_runs import PastRun, past_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_snapshot import input_changes, input_records
from rowbook.runs.preview.engine_choice import EngineChoice, choose_engine
from rowbook.runs.preview.plain_preview import PlainInput
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.sources.source import Keeping, NotPlainError
from rowbook.store import JsonObject, RunRecord
from rowbook.text.visible import number

Questions: TypeAlias = Callable[[ProjectPlan], Iterable[Sequence[Question]]]
"""What is asked of a run's rows, by its plan: one try after the other, until rows are found."""


@dataclass(frozen=True, slots=True)
class RunReplay:
    """`changes` says what of the input is not what it was, where that was accepted; `part` how the
    rows were found, where not all were replayed."""

    past: PastRun
    replay: Replay
    changes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    part: str | None = None

    @property
    def inputs(self) -> InputState:
        return "changed" if self.changes else "as read"


@contextmanager
def replayed_run(
    workspace: OpenWorkspace,
    run_id: str,
    seq: int | None,
    questions: Questions,
    use: SparkUse,
    *,
    accept_changed_input: bool,
) -> Iterator[RunReplay]:
    """On what the run read to write the output `seq`, or its last: all of it where that is little,
    else the rows that questions are about, which Spark finds. RUN_008 where it is not there as it
    was, unless that is accepted; PROOF_001 where too many rows would be needed."""
    past = past_run(workspace, run_id)
    record = workspace.store.runs.record(run_id)
    before, warnings = _inputs_of(record, past.snapshot["datasets"], seq)
    with ExitStack() as resources:
        resolved = resolve_run(past.request, None, Keeping(resources)).with_fingerprints()
        changes = tuple(map(str, input_changes(before, input_records(resolved))))
        if changes and not accept_changed_input:
            raise RowbookError.of("RUN_008", "; ".join(changes), hint=_HINT)
        plan = only_quarantines(past.request.plan)
        replay, part = _replay(resolved, plan, record, questions, use, resources)
        yield RunReplay(past, replay, changes, warnings, part)


_HINT = "--accept-changed-input answers for the data as it is now, and says so"


def _replay(
    resolved: ResolvedRun,
    plan: ProjectPlan,
    record: RunRecord,
    questions: Questions,
    use: SparkUse,
    resources: ExitStack,
) -> tuple[Replay, str | None]:
    choice = choose_engine(resolved, plan, None)
    if choice.engine == "reference":
        try:
            context = resolved.request.context
            return Replay(plan, context, PlainInput(resolved).tables), None
        except NotPlainError as cause:
            choice = EngineChoice("spark", str(cause))
    from rowbook.runs.proof.spark_subset import ManyRowsError, replay_part

    taking = [(each.owner, each.name) for each in recorded_verdicts(record) if each.quarantined]
    try:
        replay = replay_part(resolved, as_it_acted(plan, taking), questions, use, resources)
    except ManyRowsError as cause:
        message = f"run {resolved.request.context.run_id}: {cause} would have to be replayed"
        raise RowbookError.of("PROOF_001", message, hint=_NARROWER) from cause
    rows = number(len(replay.sources), "row")
    return replay, f"{choice.reason}: {rows} that Spark found were replayed"


_NARROWER = "say more of what is meant, so that fewer rows are"


def _inputs_of(
    record: RunRecord, snapshot: Sequence[JsonObject], seq: int | None
) -> tuple[Sequence[JsonObject], tuple[str, ...]]:
    """What an output was made of: a run that was resumed on changed input read other data before
    that than after."""
    recorded = next((each.recorded_at for each in record.outputs if each.seq == seq), None)
    found, warnings = snapshot, list[str]()
    for each in record.resumptions:
        if each.accepted_input is None:
            continue
        changed = "; ".join(each.accepted_input["changed"])
        if recorded is None or recorded >= each.resumed_at:
            found = each.accepted_input["datasets"]
            warnings.append(
                f"the run was resumed on changed input, which this is made of: {changed}"
            )
        else:
            warnings.append(
                f"the run was resumed on changed input after this was written: {changed}"
            )
    return found, tuple(warnings)
