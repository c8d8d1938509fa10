"""A run of the past replayed on what it read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from rowbook.errors import RowbookError
from rowbook.planning.expectations.quarantine_plan import only_quarantines
from rowbook.proof.replay import Replay
from rowbook.proof.row_life import InputState
from rowbook.runs.compare.past_runs import PastRun, past_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_snapshot import input_changes, input_records
from rowbook.runs.preview.plain_preview import PlainInput
from rowbook.sources.source import Keeping, NotPlainError
from rowbook.store import JsonObject, RunRecord


@dataclass(frozen=True, slots=True)
class RunReplay:
    """`changes` says what of the input is not what it was, where that was accepted."""

    past: PastRun
    replay: Replay
    changes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def inputs(self) -> InputState:
        return "changed" if self.changes else "as read"


@contextmanager
def replayed_run(
    workspace: OpenWorkspace, run_id: str, seq: int | None, *, accept_changed_input: bool
) -> Iterator[RunReplay]:
    """On what the run read to write the output `seq`, or its last. RUN_008 where that is not there
    as it was, unless that is accepted."""
    past = past_run(workspace, run_id)
    record = workspace.store.runs.record(run_id)
    before, warnings = _inputs_of(record, past.snapshot["datasets"], seq)
    with ExitStack() as resources:
        resolved = resolve_run(past.request, None, Keeping(resources)).with_fingerprints()
        changes = tuple(map(str, input_changes(before, input_records(resolved))))
        if changes and not accept_changed_input:
            raise RowbookError.of("RUN_008", "; ".join(changes), hint=_HINT)
        yield RunReplay(past, _replay(resolved), changes, warnings)


_HINT = "--accept-changed-input answers for the data as it is now, and says so"


def _replay(resolved: ResolvedRun) -> Replay:
    request = resolved.request
    try:
        return Replay(only_quarantines(request.plan), request.context, PlainInput(resolved).tables)
    except NotPlainError as cause:
        raise RowbookError.of("PROOF_001", f"run {request.context.run_id}: {cause}") from cause


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
