"""A run of the past replayed on what it read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from rowbook.errors import RowbookError
from rowbook.proof.replay import Replay
from rowbook.proof.row_life import InputState
from rowbook.runs.compare.past_runs import PastRun, past_run
from rowbook.runs.evidence.past_input import PastInput, PastPlace, past_input
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.proof.replay_choice import Questions, choose_replay
from rowbook.store import RunRecord

_HINT = "--accept-changed-input answers for the data as it is now, and says so"


@dataclass(frozen=True, slots=True)
class RunReplay:
    """`inputs` says whether it is of what the run read, or was accepted on what is there now;
    `part` how rows were found, where not all were replayed."""

    past: PastRun
    replay: Replay
    inputs: InputState
    warnings: tuple[str, ...] = ()
    part: str | None = None


@dataclass(frozen=True, slots=True)
class RunAgain:
    """A run of the past with what it read, to be followed once more."""

    past: PastRun
    record: RunRecord
    resolved: ResolvedRun
    inputs: InputState
    warnings: tuple[str, ...]
    resources: ExitStack


@contextmanager
def replayed_run(
    workspace: OpenWorkspace,
    run_id: str,
    seq: int | None,
    questions: Questions,
    use: SparkUse | None,
    *,
    accept_changed_input: bool,
) -> Iterator[RunReplay]:
    """On what the run read to write the output `seq`, or its last; where that is much, on the rows
    that questions are about, which Spark finds: not where `use` is None (PROOF_001). Raises as
    `run_again`, and ManyRowsError."""
    with run_again(workspace, run_id, seq, accept_changed_input=accept_changed_input) as run:
        yield replay_again(run, questions, use)


def replay_again(run: RunAgain, questions: Questions, use: SparkUse | None) -> RunReplay:
    """Raises as `choose_replay`."""
    chosen = choose_replay(run.resolved, run.record, questions, use, run.resources)
    return RunReplay(run.past, chosen.replay, run.inputs, run.warnings, chosen.part)


@contextmanager
def run_again(
    workspace: OpenWorkspace, run_id: str, seq: int | None, *, accept_changed_input: bool
) -> Iterator[RunAgain]:
    """RUN_008 where what it read cannot be had as it was, unless that is accepted."""
    past = past_run(workspace, run_id)
    record = workspace.store.runs.record(run_id)
    made_of = _until_output(record, seq)
    with ExitStack() as resources:
        found = past_input(workspace, made_of, resources)
        changes = tuple(map(_change, found.missing))
        if changes and not accept_changed_input:
            raise RowbookError.of("RUN_008", "; ".join(changes), hint=_HINT)
        warnings = (*_resumptions(record, made_of), *changes, *_kept(found))
        state: InputState = "changed" if changes else "as read"
        yield RunAgain(past, record, found.resolved, state, warnings, resources)


def _until_output(record: RunRecord, seq: int | None) -> RunRecord:
    """The record as it was when an output was written: a run that was resumed on changed input read
    other data after that than before."""
    recorded = next((each.recorded_at for each in record.outputs if each.seq == seq), None)
    if recorded is None:
        return record
    before = tuple(each for each in record.resumptions if each.resumed_at <= recorded)
    return replace(record, resumptions=before)


def _resumptions(record: RunRecord, made_of: RunRecord) -> Iterator[str]:
    for each in record.resumptions:
        if each.accepted_input is not None:
            when = "before" if each in made_of.resumptions else "after"
            changed = "; ".join(each.accepted_input["changed"])
            yield f"the run was resumed on changed input {when} this was written: {changed}"


def _kept(found: PastInput) -> Iterator[str]:
    for place in found.places:
        if place.from_evidence and place.presence != "same":
            yield f"{place.location} is not what it was: its content is taken from what was kept"


def _change(place: PastPlace) -> str:
    what = "; ".join(place.changes) or "it cannot be read as it was"
    return f"{place.location} of dataset '{place.dataset}': {what}"
