"""Scenarios computed by the reference engine: no JVM, a few milliseconds each."""

from __future__ import annotations

from rowbook.errors import RowbookError
from rowbook.planning.scenarios import output_names
from rowbook.planning.steps import OutputStep
from rowbook.reference.computation import Computation, FinishedStep
from rowbook.reference.outputs import WrittenTable, written_table
from rowbook.runs.execute.result import LedgerEntry, OutputResult
from rowbook.scenarios.expectations.scenario_verdicts import with_verdicts
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.scenario_run import ScenarioRun


def compute(run: ScenarioRun) -> Outcome:
    computation = Computation(run.plan, run.context, run.tables)
    tables: dict[str, WrittenTable] = {}
    entries: list[LedgerEntry] = []
    try:
        working = computation.start()
        for done in computation.follow(working):
            working = done.effect.working
            if isinstance(done.step, OutputStep):
                rows = done.effect.written or ()
                for name in output_names(done.step):
                    tables[name] = written_table(
                        name, tables.get(name), done.step, rows, run.context
                    )
            entries.append(_entry(done))
        final = WrittenTable(tuple(working.columns.fields.values()), tuple(working.values()))
    except RowbookError as error:
        return Outcome(errors=error.diagnostics, outputs=tables)
    outcome = Outcome(final, tables, tuple(entries), unread_overflow=computation.unread_overflow)
    return with_verdicts(outcome, run, computation.observations, computation.quarantine)


def _entry(done: FinishedStep) -> LedgerEntry:
    step, count = done.step, done.count
    outputs: tuple[OutputResult, ...] = ()
    if isinstance(step, OutputStep):
        names = " ".join(output_names(step))
        outputs = (OutputResult(step.seq, names, count.matched, step.written, 0, 0, 0),)
    return LedgerEntry(
        step.seq,
        step.name,
        step.type,
        count.rows_in,
        count.matched,
        count.added,
        count.deleted,
        count.rows_out,
        0,
        outputs,
        count.quarantined,
    )
