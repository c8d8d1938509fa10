"""A past run computed again on Spark: outputs are looked at where they would be written."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rowbook.engine.compare.unlike_rows import count_unlike
from rowbook.planning.steps import OutputStep
from rowbook.reference.evidence.row_evidence import RowEvidence
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.execute.run_ledger import ledger
from rowbook.runs.execute.run_reader import RunReader
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.preview.spark_preview import opened_pipeline
from rowbook.runs.tables.spark_rows import view_frame
from rowbook.runs.verify.recomputation import LEDGER, Recomputed, Tables
from rowbook.runs.verify.verification import InputEvidence
from rowbook.sources.source import Extra
from rowbook.spark.evidence_metrics import frame_evidence

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(slots=True)
class EvidenceWriter:
    """Takes the evidence of each output instead of writing it; of `exact` ones, rows are compared
    with what is on disk."""

    exact: Tables
    resources: ExitStack
    found: dict[int, RowEvidence] = field(default_factory=dict)
    unlike: dict[int, int] = field(default_factory=dict)

    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        self.found[step.seq] = frame_evidence(frame, step.fields)
        if (view := self.exact.get(step.seq)) is not None:
            there, _ = view_frame(view, frame.sparkSession, self.resources)
            self.unlike[step.seq] = count_unlike(there, frame)


def recompute_on_spark(
    resolved: ResolvedRun, tables: Tables, exact: Tables, use: SparkUse, resources: ExitStack
) -> Recomputed:
    writer = EvidenceWriter(exact, resources)
    views = (*tables.values(), *exact.values())
    more = frozenset[Extra]().union(*(view.extras for view in views))
    pipeline = opened_pipeline(resolved, use, resources, writer, more)
    pipeline.run()
    results = [OutputResult(seq, "", each.rows, (), 0, 0, 0) for seq, each in writer.found.items()]
    entries = ledger(pipeline.done, pipeline.counts, results, pipeline.quarantined)
    spark = pipeline.reader.spark
    reader = RunReader(lambda: spark, resolved, resources)
    inputs = []
    for each in resolved.inputs:
        frame = reader.read(each.dataset, keep_deleted=True, with_ids=False)
        fields = [f for f in each.dataset.readable.fields.values() if f.name in frame.columns]
        inputs.append(InputEvidence(each.dataset.name, frame_evidence(frame, fields)))
    on_disk = {}
    for seq, view in tables.items():
        frame, _ = view_frame(view, spark, resources)
        on_disk[seq] = frame_evidence(frame, view.fields)
    return Recomputed(
        {each.seq: {name: getattr(each, name) for name in LEDGER} for each in entries},
        writer.found,
        tuple(inputs),
        on_disk,
        writer.unlike,
    )
