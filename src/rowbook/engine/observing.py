"""Counting rows while they pass by, in the job that computes them anyway.

Spark's observed metrics are exact where no task is ever repeated: in one process. On a cluster a
lost executor's stages run again and count again, so rows are counted in a pass of their own there.
"""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import DataFrame, Observation
from pyspark.sql.utils import is_remote

from rowbook.engine.counting import Count, read_totals, totals
from rowbook.engine.failures import is_failure_of_spark
from rowbook.engine.frames import Working


def can_observe(frame: DataFrame) -> bool:
    """Whether what is observed is exact: driver and executors are one process."""
    if is_remote():
        return False
    master = frame.sparkSession.conf.get("spark.master", None) or ""
    return master == "local" or master.startswith("local[")


class Observed:
    """A working dataset whose counters are read by the first job that computes it."""

    def __init__(self, working: Working) -> None:
        self._counters = working.counters
        self._observation = Observation()
        frame = working.frame.observe(self._observation, *totals(working.counters))
        self.working = replace(working, frame=frame)

    def counts(self) -> dict[int, Count] | None:
        """After that job: every operation's count; None where Spark found that it need not compute
        the rows (nothing of them is written, say), and so did not count them."""
        try:
            found = self._observation.get
        except Exception as error:
            if is_failure_of_spark(error):
                return None
            raise
        return read_totals(self._counters, found)
