"""How many rows there were at each operation, as the jobs of a run tell it one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rowbook.engine.counting.counters import (
    Count,
    Flag,
    collect_all,
    count_table,
    read_all,
)
from rowbook.engine.counting.observed import Observed
from rowbook.engine.counting.stored_counts import stored_count
from rowbook.engine.execution.working import Working
from rowbook.engine.strategy.options import Options
from rowbook.spark.causes import is_spark_failure


@dataclass(slots=True)
class RunCounts:
    """`read` gives those of operations among all that were counted; `of_input` are the operations
    that are counted with the input."""

    read: Callable[[Mapping[int, Count]], Mapping[int, Count]]
    options: Options
    of_input: frozenset[int] = frozenset()
    by_seq: dict[int, Count] = field(default_factory=dict)

    def note(self, counts: Mapping[int, Count]) -> None:
        self.by_seq |= self.read(counts)
        if 0 in self.by_seq:
            self.by_seq |= dict.fromkeys(self.of_input, self.by_seq[0])

    def of_stored(self, working: Working, stored: Working | None) -> Working:
        """Where nothing but the rows of the input, as it is stored, is to be counted, and files say
        how many these are."""
        flags = [each for each in working.counters if isinstance(each, Flag)]
        alone = self.options.input_counts and [each.seq for each in flags] == [0]
        rows = stored_count(stored.frame) if alone and stored is not None else None
        if rows is None:
            return working
        self.note({0: Count(rows)})
        return working.uncounted(flags)

    def of_observed(self, working: Working, observed: Sequence[Observed]) -> Working:
        """After the job of observed frames."""
        for each in observed:
            if (counts := each.counts()) is not None:
                self.note(counts)
                working = working.uncounted(each.counters)
        return working

    def of_working(self, working: Working) -> None:
        counters, frame = working.counters, working.frame
        if counters and working.table is not None:
            self.note(count_table(counters, working.table))
        elif counters:
            found = collect_all(counters, frame) if self.options.few_rows else None
            self.note(read_all(counters, frame) if found is None else found)

    def of_failed(self, working: Working) -> None:
        """For the ledger of a run that failed; rows that cannot be computed are not counted."""
        try:
            self.of_working(working)
        except Exception as error:
            if not is_spark_failure(error):
                raise
