"""The ledger: what each operation did, from the counts that came with the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.pipeline import Done
from rowbook.planning.steps import DeleteStep, OutputStep
from rowbook.runs.execute.result import LedgerEntry, OutputResult


def ledger(
    done: Sequence[Done],
    counts: Mapping[int, Count],
    outputs: Sequence[OutputResult],
    quarantined: Mapping[int, int] | None = None,
) -> tuple[LedgerEntry, ...]:
    """One entry for each operation that is through and counted, in order: rows in and out follow
    from the input's rows and what each operation added and deleted, and how many were taken out
    after it."""
    if 0 not in counts:
        return ()
    visible = counts[0].matched
    entries: list[LedgerEntry] = []
    for each in done:
        step = each.step
        results = tuple(output for output in outputs if output.seq == step.seq)
        count = counts.get(step.seq)
        if isinstance(step, OutputStep):
            count = Count(sum(r.rows for r in results))
        elif count is None:
            break
        deleted = count.matched if isinstance(step, DeleteStep) else 0
        taken = (quarantined or {}).get(step.seq, 0)
        after = visible + count.added - deleted - taken
        entries.append(
            LedgerEntry(
                step.seq,
                step.name,
                step.type,
                visible,
                count.matched,
                count.added,
                deleted,
                after,
                each.duration_ms,
                results,
                taken,
            )
        )
        visible = after
    return tuple(entries)
