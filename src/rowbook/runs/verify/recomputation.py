"""A past run computed again with its clock and its id, by the engine that suits its input; nothing
is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TypeAlias

from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.reference.computation import Computation
from rowbook.reference.evidence.row_evidence import RowEvidence, row_evidence
from rowbook.reference.loading.dataset_rows import load
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.runs.preview.engine_choice import EngineName, OnEngine, choose_engine, compute_by
from rowbook.runs.preview.plain_preview import PlainInput
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.runs.tables.table_view import TableView, plain_view
from rowbook.runs.verify.verification import InputEvidence

LEDGER = ("rows_in", "matched", "added", "deleted", "rows_out", "quarantined")
Tables: TypeAlias = Mapping[int, TableView]
"""What is on disk of outputs, by their seq."""
_FLOAT_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Recomputed:
    """`counts` and `outputs` are by seq. `on_disk` is the evidence of what tables hold that were
    read, and `unlike` counts the rows that only one side has, of those that were compared."""

    counts: Mapping[int, Mapping[str, int]]
    outputs: Mapping[int, RowEvidence]
    inputs: tuple[InputEvidence, ...]
    on_disk: Mapping[int, RowEvidence] = field(default_factory=dict)
    unlike: Mapping[int, int] = field(default_factory=dict)


def recompute(
    resolved: ResolvedRun,
    tables: Tables,
    exact: Tables,
    named: EngineName | None,
    use: SparkUse,
    on_engine: OnEngine,
) -> tuple[Recomputed, EngineName]:
    """Of `tables` the evidence is taken, of `exact` ones all rows are compared."""
    found, choice = compute_by(
        choose_engine(resolved, resolved.request.plan, named),
        named,
        on_engine,
        lambda: _plain(resolved, tables, exact),
        lambda: _by_spark(resolved, tables, exact, use),
    )
    return found, choice.engine


def _plain(resolved: ResolvedRun, tables: Tables, exact: Tables) -> Recomputed:
    plan, context = resolved.request.plan, resolved.request.context
    given = PlainInput(resolved)
    computation = Computation(plan, context, given.tables)
    counts: dict[int, dict[str, int]] = {}
    written: dict[int, Sequence[Mapping[str, Value]]] = {}
    for done in computation.follow(computation.start()):
        counts[done.step.seq] = {name: getattr(done.count, name) for name in LEDGER}
        if done.effect.written is not None:
            written[done.step.seq] = done.effect.written
    if plan.quarantine is not None:
        written[plan.quarantine.seq] = computation.quarantine
    columns = {step.seq: step.fields for step in plan.outputs}
    inputs = []
    for each in resolved.inputs:
        loaded = load(each.dataset, given.tables(each.dataset), context, keep_deleted=True)
        fields = [f for f in each.dataset.readable.fields.values() if f.name in loaded.fields]
        taken = row_evidence(loaded.rows, fields)
        inputs.append(InputEvidence(each.dataset.name, taken))
    return Recomputed(
        counts,
        {seq: row_evidence(rows, columns[seq]) for seq, rows in written.items()},
        tuple(inputs),
        {seq: row_evidence(plain_view(view), view.fields) for seq, view in tables.items()},
        {seq: _unlike(plain_view(view), written[seq], view.fields) for seq, view in exact.items()},
    )


def _unlike(
    one: Sequence[Mapping[str, Value]],
    other: Sequence[Mapping[str, Value]],
    fields: Sequence[Field],
) -> int:
    first, second = (Counter(_row(row, fields) for row in rows) for rows in (one, other))
    return (first - second).total() + (second - first).total()


def _row(row: Mapping[str, Value], fields: Sequence[Field]) -> tuple[object, ...]:
    return tuple(_near(row[f.name]) for f in fields)


def _near(value: Value) -> object:
    return f"{value:.{_FLOAT_DIGITS}g}" if isinstance(value, float) else value


def _by_spark(resolved: ResolvedRun, tables: Tables, exact: Tables, use: SparkUse) -> Recomputed:
    from rowbook.runs.verify.spark_recomputation import recompute_on_spark

    with ExitStack() as resources:
        return recompute_on_spark(resolved, tables, exact, use, resources)
