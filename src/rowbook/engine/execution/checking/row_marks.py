"""Conditions of rows as marks on them: two bits for each, that a row is looked at and that it
violates. They are counted with those of the ledger, in a job that computes the rows anyway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.functions import balanced
from rowbook.engine.counting.counters import BITS, CheckFlag, Count, CountRequest
from rowbook.engine.execution.checking.row_views import RowView
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.working import Working
from rowbook.expressions.bound import Bound
from rowbook.spark.column_names import column

_MARKS = "__checks_"


@dataclass(frozen=True, slots=True)
class MarkRequest:
    """A condition of rows, the `number` of its expectation in the plan; None: that there are rows,
    which none violates. `early`: it is that of a later request too, which looks at rows that are
    added until then."""

    number: int
    view: RowView
    that: Bound | None
    early: bool = False

    @property
    def seqs(self) -> tuple[int, int]:
        return mark_seqs(self.number, early=self.early)

    def of_groups(self, at: int | None, environment: Environment) -> tuple[CountRequest, ...]:
        """The same, asked of the groups of operation `at`: one condition for all rows of each."""
        assert self.that is not None
        condition = environment.compiler.condition
        chosen = condition(self.view.selector)
        checked, violated = self.seqs
        faulty = chosen & ~condition(self.that)
        return CountRequest(checked, chosen, at), CountRequest(violated, faulty, at)

    def counts(self, found: Mapping[int, Count]) -> tuple[int, int] | None:
        """How many rows were looked at, and how many violate it; None where nobody counted yet."""
        checked, violated = [self.seqs[0]], [self.seqs[1]] if self.that is not None else []
        if self.view.since is not None:
            before = mark_seqs(self.number, early=True)
            checked.append(before[0])
            violated.append(before[1])
        if not found.keys() >= {*checked, *violated}:
            return None
        return sum(found[seq].matched for seq in checked), sum(
            found[seq].matched for seq in violated
        )


def mark_seqs(number: int, *, early: bool = False) -> tuple[int, int]:
    """What an expectation's counters are called among those of operations, which are above 0."""
    first = -4 * number - (3 if early else 1)
    return first, first - 1


def is_violated(counts: Mapping[int, Count]) -> bool:
    """Whether counters of expectations found a row at fault."""
    return any(count.matched for seq, count in counts.items() if seq < 0 and not seq % 2)


def mark_rows(
    working: Working, requests: Sequence[MarkRequest], environment: Environment
) -> Working:
    """The rows with marks; those that read the same joins are marked together."""
    by_frame: dict[tuple[object, ...], list[MarkRequest]] = {}
    for each in requests:
        by_frame.setdefault(each.view.frame_key, []).append(each)
    for together in by_frame.values():
        working = _marked(working, together, environment)
    return working


def _marked(working: Working, requests: Sequence[MarkRequest], environment: Environment) -> Working:
    bits: dict[tuple[object, ...], int] = {}
    marks: list[Column] = []
    flags: list[tuple[int, int, bool]] = []
    for each in requests:
        seen = each.view.seen(environment)
        checked, violated = each.seqs
        if each.view.key not in bits:
            bits[each.view.key] = len(marks)
            marks.append(seen)
        flags.append((checked, bits[each.view.key], False))
        if each.that is not None:
            flags.append((violated, len(marks), True))
            marks.append(seen & ~environment.compiler.condition(each.that))
    first = requests[0]
    called = f"{_MARKS}{'early_' if first.early else ''}{first.number}"
    names = [f"{called}_{i}" for i in range(0, len(marks), BITS)]
    packed = [_packed(marks[i * BITS : (i + 1) * BITS]).alias(name) for i, name in enumerate(names)]
    kept = [column(name) for name in dict.fromkeys((*working.kept, *working.hidden))]

    def marked(frame: DataFrame) -> DataFrame:
        return first.view.frame(frame, environment).select(*kept, *packed)

    together = replace(working, united=None)
    after = (working if first.early else together).by_pieces(marked)
    since = first.view.since
    counters = [
        CheckFlag(seq, names[place // BITS], place % BITS, fault=fault, since=since)
        for seq, place, fault in flags
    ]
    return after.counted(*counters)


def _packed(marks: Sequence[Column]) -> Column:
    bits = [F.shiftleft(mark.cast("bigint"), bit) for bit, mark in enumerate(marks)]
    return balanced(bits, Column.bitwiseOR)
