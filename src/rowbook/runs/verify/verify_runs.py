"""`verify`: past runs are computed again, and compared with all that is recorded of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace

from rowbook.errors import RowbookError
from rowbook.planning.steps import OutputStep
from rowbook.reference.evidence.row_evidence import RowEvidence
from rowbook.runs.compare.past_runs import (
    OutputTable,
    PastRun,
    intact_table,
    output_view,
    past_run,
)
from rowbook.runs.evidence.past_input import PastInput, past_input
from rowbook.runs.execute.result import LedgerEntry, OutputResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.preview.engine_choice import EngineName, OnEngine
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.tables.table_view import TableView
from rowbook.runs.verify.disk_state import disk_state
from rowbook.runs.verify.recomputation import LEDGER, Recomputed, recompute
from rowbook.runs.verify.verification import OperationCheck, OutputCheck, Verification
from rowbook.sources import registry
from rowbook.store import Run, RunRecord, Store, this_process


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """`exact`: rows of tables that are as written are compared, not their evidence alone.
    `accept_changed_input`: where what was read cannot be had any more, what is there now is."""

    exact: bool = False
    accept_changed_input: bool = False
    engine: EngineName | None = None
    """The one to use; None: as the input suggests."""
    on_engine: OnEngine = lambda _: None


def runs_in_force(store: Store, period: str | None = None) -> tuple[Run, ...]:
    """The last completed run of each project and period, drafts aside, oldest first."""
    latest: dict[tuple[str, str], Run] = {}
    for run in store.runs.newest(period=period, status="completed"):
        if not run.draft:
            latest.setdefault((run.project_id, run.period), run)
    return tuple(reversed(latest.values()))


def verify_run(
    workspace: OpenWorkspace, run_id: str, options: VerifyOptions, use: SparkUse
) -> Verification:
    """RUN_006 where there is none of the id. What came of it is recorded, and sealed."""
    store = workspace.store
    with ExitStack() as resources:
        found = _Verifying(workspace, store.runs.record(run_id), options, use, resources).found()
    try:
        by, at = this_process().user, at_present()
        store.seals.record_verification(run_id, found.as_json(), by=by, at=at)
    except (RowbookError, OSError) as error:
        return replace(found, notes=(*found.notes, f"this is not recorded: {error}"))
    return found


@dataclass(frozen=True, slots=True)
class _Verifying:
    workspace: OpenWorkspace
    record: RunRecord
    options: VerifyOptions
    use: SparkUse
    resources: ExitStack

    def found(self) -> Verification:
        run, store = self.record.run, self.workspace.store
        nothing = Verification(run, store.seals.of_run(run.id))
        if run.status != "completed":
            why = f"run {run.id} is {run.status}: only what a completed run wrote can be verified"
            return replace(nothing, refusal=why)
        past = past_run(self.workspace, run.id)
        given = past_input(self.workspace, self.record, self.resources)
        base = replace(nothing, inputs=given.places, notes=tuple(self._notes(past, given)))
        obstacles = tuple(self._obstacles(given))
        if obstacles:
            return replace(base, obstacles=obstacles, outputs=tuple(self._outputs(past)))
        return self._recomputed(base, past, given)

    def _recomputed(self, base: Verification, past: PastRun, given: PastInput) -> Verification:
        tables = dict(self._tables(past))
        views = {seq: view for seq, view in tables.items() if self._lacks_evidence(seq)}
        exact = tables if self.options.exact else {}
        try:
            found, engine = recompute(
                given.resolved, views, exact, self.options.engine, self.use, self.options.on_engine
            )
        except RowbookError as error:
            why = f"computing it again fails: {error.diagnostics[0].text}"
            return replace(base, obstacles=(why,), outputs=tuple(self._outputs(past)))
        counted = [
            f"of output {seq} only the number of rows is recorded, and its table is not as written"
            for seq in self._results
            if self._lacks_evidence(seq) and seq not in views
        ]
        if given.grown and self._is_unused(found, given):
            given = given.without_growth()
        verification = replace(
            base,
            inputs=given.places,
            engine=engine,
            notes=(*base.notes, *counted),
            operations=tuple(self._operations(found)),
            outputs=tuple(self._outputs(past, found)),
            rows_read=found.inputs,
        )
        differs = verification.first_difference is not None
        if differs and (own := self._own_input(past, given)):
            return replace(verification, obstacles=(own,))
        return verification

    def _is_unused(self, found: Recomputed, given: PastInput) -> bool:
        """Whether rows that came to the data since take part in nothing."""
        options = self.options
        try:
            now, _ = recompute(given.now, {}, {}, options.engine, self.use, options.on_engine)
        except RowbookError:
            return False
        return (now.counts, now.outputs) == (found.counts, found.outputs)

    def _obstacles(self, given: PastInput) -> Iterator[str]:
        if not self.options.accept_changed_input:
            for place in given.missing:
                changes = "; ".join(place.changes)
                yield f"{place.location} of dataset '{place.dataset}' was not kept: {changes}"
        missing = [each for each in given.resolved.tables if each.table is None]
        for table in missing if self.options.accept_changed_input else ():
            yield f"nothing is at {table.location.location} any more"
        accepted = [each for each in self.record.resumptions if each.accepted_input]
        for output in self.record.outputs if accepted else ():
            if output.recorded_at < accepted[-1].resumed_at:
                yield f"output {output.seq} was published before the run was resumed on other input"

    def _notes(self, past: PastRun, given: PastInput) -> Iterator[str]:
        if self.record.seal is None:
            yield "the record of the run was never sealed: that it is unchanged cannot be seen"
        for place in given.missing if self.options.accept_changed_input else ():
            changes = "; ".join(place.changes)
            yield f"computed on the data as it is now, as {place.location} changed: {changes}"
        for table in past.tables:
            if table.step.mode == "append":
                yield (
                    f"output {table.step.seq} appends: its own rows are verified, not those that"
                    " others added"
                )

    def _own_input(self, past: PastRun, given: PastInput) -> str | None:
        """Why a run that publishes as it writes may not be what its input makes: an output of its
        own replaced what it reads later."""
        if past.request.publishes_together or past.request.is_draft:
            return None
        tables = [each.table for each in given.resolved.tables if each.table is not None]
        for output in past.tables:
            if any(registry.overlaps(output.target, table) for table in tables):
                seq = output.step.seq
                return f"the run reads what its own output {seq} replaced while it was at work"
        return None

    @property
    def _results(self) -> Mapping[int, OutputResult]:
        return {each.seq: OutputResult.from_json(each.output) for each in self.record.outputs}

    def _lacks_evidence(self, seq: int) -> bool:
        return self._results[seq].row_evidence is None

    def _tables(self, past: PastRun) -> Iterator[tuple[int, TableView]]:
        """What holds the rows of an output, and nothing else."""
        store = self.workspace.store
        for table in past.tables:
            if len(table.steps) == 1 and not isinstance(intact_table(table, past, store), str):
                yield table.step.seq, output_view(table, past, store)

    def _operations(self, found: Recomputed) -> Iterator[OperationCheck]:
        for each in self.record.steps:
            entry = LedgerEntry.from_json(each.entry)
            recorded = {name: getattr(entry, name) for name in LEDGER}
            yield OperationCheck(entry.seq, entry.name, recorded, found.counts.get(entry.seq))

    def _outputs(self, past: PastRun, found: Recomputed | None = None) -> Iterator[OutputCheck]:
        results = self._results
        for step in past.request.plan.outputs:
            if step.seq in results:
                table = next(each for each in past.tables if step in each.steps)
                yield self._output(step, results[step.seq], table, past, found)

    def _output(
        self,
        step: OutputStep,
        result: OutputResult,
        table: OutputTable,
        past: PastRun,
        found: Recomputed | None,
    ) -> OutputCheck:
        on_disk = disk_state(step, table, result, past, self.workspace.store)
        what = step.seq, step.name, result.destination
        if found is None:
            return OutputCheck(*what, None, on_disk, is_draft=past.run.draft)
        recorded = result.row_evidence or found.on_disk.get(step.seq)
        differences = tuple(_differences(result, recorded, found))
        return OutputCheck(
            *what,
            "differs" if differences else "equal",
            on_disk,
            recorded,
            found.outputs.get(step.seq),
            differences,
            past.run.draft,
        )


def _differences(
    result: OutputResult, recorded: RowEvidence | None, found: Recomputed
) -> Iterator[str]:
    recomputed = found.outputs.get(result.seq)
    if recomputed is None:
        yield "it is not computed any more"
    elif recorded is not None:
        yield from recorded.differences(recomputed)
    elif recomputed.rows != result.rows:
        yield f"{recomputed.rows:,} rows, not {result.rows:,}"
    if unlike := found.unlike.get(result.seq):
        yield f"{unlike:,} rows are in the table or in what was computed, not in both"
