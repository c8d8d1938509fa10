"""A run repeated from its snapshot, and whether the same came out of the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rowbook.errors import RowbookError
from rowbook.runs.compare.compare_runs import CompareRequest, RunComparison, bytes_written
from rowbook.runs.compare.output_pairs import OutputPair, Outputs, pair_outputs
from rowbook.runs.compare.past_runs import PastRun, destination_of, past_run, why_changed
from rowbook.runs.execute.execute_run import RunOptions, repeat_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.run_snapshot import input_bytes, input_changes, input_locations

Verdict: TypeAlias = Literal["equal", "different", "not compared"]


@dataclass(frozen=True, slots=True)
class InputVerdict:
    """Of a place that was read; `why` says what is different."""

    dataset: str
    location: str
    verdict: Verdict
    why: str | None = None


@dataclass(frozen=True, slots=True)
class OutputVerdict:
    """Of an output, row by row; `why` says what is different, or why it could not be compared."""

    seq: int
    name: str
    destination: str
    verdict: Verdict
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Repetition(RunResult):
    """The draft that repeats a run. Where it did not complete, only its input is compared."""

    repeats: str = ""
    compared_inputs: tuple[InputVerdict, ...] = ()
    compared_outputs: tuple[OutputVerdict, ...] = ()

    @property
    def differs(self) -> bool:
        inputs = [each.verdict for each in self.compared_inputs]
        return "different" in (*inputs, *(each.verdict for each in self.compared_outputs))


def repeat_compared(workspace: OpenWorkspace, run_id: str, options: RunOptions) -> Repetition:
    """RUN_006 where there is none of the id, RUN_005 where it ended before it began."""
    before = past_run(workspace, run_id)
    comparison = RunComparison(workspace, CompareRequest(), options)
    size = max(input_bytes(before.snapshot), bytes_written(before))
    with comparison.session(before.request, size=size):
        result = repeat_run(workspace, run_id, comparison.options)
        snapshot = workspace.store.runs.snapshot(result.run_id)
        outputs: tuple[OutputVerdict, ...] = ()
        if result.status == "completed" and before.tables:
            after = past_run(workspace, result.run_id)
            pairs = pair_outputs(Outputs.of_run(before), Outputs.of_run(after), None)
            outputs = tuple(_verdict(comparison, pair, before, after) for pair in pairs.both)
    return Repetition(
        result.run_id,
        result.status,
        result.ledger,
        result.outputs,
        result.errors,
        result.warnings,
        result.expectations,
        result.seal,
        run_id,
        _inputs(before, snapshot["datasets"]) if snapshot else (),
        outputs,
    )


def _inputs(before: PastRun, now: list[dict[str, object]]) -> tuple[InputVerdict, ...]:
    recorded = before.snapshot["datasets"]
    changes = {(each.dataset, each.location): each.what for each in input_changes(recorded, now)}
    return tuple(
        InputVerdict(*place, "different" if place in changes else "equal", changes.get(place))
        for place in input_locations(now)
    )


def _verdict(
    comparison: RunComparison, pair: OutputPair, before: PastRun, after: PastRun
) -> OutputVerdict:
    step = pair.after
    what = step.seq, step.name, destination_of(step)
    table = before.table(pair.before)
    if why := why_changed(table, before, comparison.workspace.store):
        return OutputVerdict(*what, "not compared", why)
    try:
        found = comparison.difference(pair, before, after).table
    except RowbookError as error:
        return OutputVerdict(*what, "not compared", error.diagnostics[0].message)
    if found.same:
        return OutputVerdict(*what, "equal")
    counts = {"changed": found.changed, "gone": found.only_before, "new": found.only_after}
    told = ", ".join(f"{count:,} {said}" for said, count in counts.items() if count)
    return OutputVerdict(*what, "different", f"rows: {told}" if told else "other columns")
