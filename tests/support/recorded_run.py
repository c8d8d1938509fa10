"""A run computed by the reference engine, and recorded and published as any other: no JVM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import OutputStep
from rowbook.reference.computation import Computation, FinishedStep
from rowbook.reference.evidence.row_evidence import row_evidence
from rowbook.runs.evidence.kept_input import keep_input
from rowbook.runs.execute.publication import Publications
from rowbook.runs.execute.result import LedgerEntry, OutputResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.runs.prepare.new_run import new_run
from rowbook.runs.prepare.project_version import choose_version
from rowbook.runs.prepare.resolve import ResolvedOutput, resolve_run
from rowbook.runs.prepare.run_snapshot import input_records, take_snapshot
from rowbook.runs.preview.plain_preview import PlainInput
from rowbook.sources import registry
from rowbook.sources.contents import Keeping
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import partition_folder
from rowbook.sources.publishing.exchange import beside, output_key
from rowbook.sources.publishing.table_publication import file_digests, file_sizes
from rowbook.sources.source import Publishing, StagedOutput, WriteResult
from rowbook.store import from_this_machine, this_process

_ARROW = {
    Kind.STRING: pa.string(),
    Kind.INTEGER: pa.int64(),
    Kind.FLOAT: pa.float64(),
    Kind.BOOLEAN: pa.bool_(),
    Kind.DATE: pa.date32(),
    Kind.TIMESTAMP: pa.timestamp("us", tz="UTC"),
}


def record_run(
    folder: Path, project: str, period: str, *, draft: bool = False, trust: bool = False
) -> str:
    """Of a project whose outputs are tables of parquet; gives its id."""
    with OpenWorkspace(folder, trust=trust) as workspace, ExitStack() as resources:
        request = choose_version(workspace, project, period, draft=draft)
        store, context, at = workspace.store, request.context, at_present
        lease = store.leases.begin(
            new_run(request, "reference", "test"),
            this_process(),
            at=at(),
            ttl=lease_time(),
            sight=from_this_machine(),
        )
        resolved = resolve_run(request, store, Keeping(resources, request.kept_input))
        kept = keep_input(resolved.with_fingerprints())
        snapshot = {**take_snapshot(resolved), "datasets": input_records(kept.resolved)}
        publications = Publications(workspace, lease, request, [])
        with store.writing_as(lease, at=at()) as writes:
            writes.start(snapshot)
            for warning in kept.warnings:
                writes.warn({"message": warning})
        computation = Computation(request.plan, context, PlainInput(resolved).tables)
        for done in computation.follow(computation.start()):
            outputs = []
            if isinstance(done.step, OutputStep):
                output = resolved.output(done.step)
                result = _publish(output, done.effect.written or (), context)
                with store.writing_as(lease, at=at()) as writes:
                    writes.record_output(done.step.seq, result.as_json())
                outputs = [publications.register(output, result)]
            with store.writing_as(lease, at=at()) as writes:
                writes.record_step(done.step.seq, _entry(done, outputs).as_json())
        with store.writing_as(lease, at=at()) as writes:
            writes.complete({"total_ms": 0})
        return context.run_id


def _publish(
    output: ResolvedOutput, rows: Sequence[Mapping[str, Value]], context: RunContext
) -> OutputResult:
    step, target = output.step, output.target
    assert isinstance(target, FileTarget)
    staged = beside(target.path, "staging", output_key(context.run_id, step.seq))
    periodic = PERIOD.name in step.written
    folders: dict[str, list[Mapping[str, Value]]] = {}
    for row in rows:
        below = partition_folder("period", str(row[PERIOD.name])) if periodic else "."
        folders.setdefault(below, []).append(row)
    for below, inside in (folders or {".": []}).items():
        (staged / below).mkdir(parents=True, exist_ok=True)
        arrays = [pa.array([row[f.name] for row in inside], _arrow(f.type)) for f in step.fields]
        table = pa.table(arrays, names=[f.name for f in step.fields])
        pq.write_table(table, staged / below / f"part-00000-{context.run_id}-{step.seq}.parquet")
    files = file_sizes(staged)
    written = WriteResult(len(rows), len(files), sum(size for _, size in files), 0)
    details = {
        "by": ["period"] if periodic else [],
        "ordered": False,
        "sheets": [],
        "files": [list(each) for each in files],
    }
    digests = file_digests(staged)
    periods = context.periods if periodic else None
    made = StagedOutput(target, step.mode, periods, context.run_id, step.seq, written, details)
    registry.publish([made], Publishing())
    return OutputResult(
        step.seq,
        target.label,
        len(rows),
        step.written,
        written.files,
        written.bytes,
        0,
        digests=digests,
        evidence=row_evidence(rows, step.fields).as_json(),
    )


def _entry(done: FinishedStep, outputs: Sequence[OutputResult]) -> LedgerEntry:
    step, count = done.step, done.count
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
        tuple(outputs),
        count.quarantined,
    )


def _arrow(kind: Type) -> pa.DataType:
    decimal = kind.kind is Kind.DECIMAL
    return pa.decimal128(kind.precision, kind.scale) if decimal else _ARROW[kind.kind]
