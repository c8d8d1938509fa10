"""The turns of a run to write to its tables: a lock in the store, which is waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError
from rowbook.runs.execute.dead_runs import recover_dead_runs
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.sources.source import Target
from rowbook.sources.waiting import Waiting
from rowbook.store import TableWriter, from_this_machine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(slots=True)
class TableTurns:
    """`on_wait` is told once for whom the run waits."""

    workspace: OpenWorkspace
    beat: Heartbeat
    on_wait: Callable[[str], None]
    spark: Callable[[], SparkSession] | None = None
    """For what a dead run decided, and only Spark can publish."""
    _said: str = ""

    @property
    def writer(self) -> str:
        lease = self.beat.lease
        return str(TableWriter(self.workspace.store.runs.get(lease.run_id), lease))

    def wait(self, text: str) -> None:
        """Said again and again; a run that was cancelled meanwhile waits no longer."""
        self.beat.check()
        if text != self._said:
            self._said = text
            self.on_wait(text)

    @contextmanager
    def turn(self, target: Target) -> Iterator[bool]:
        """A dead run that was at the table is settled first: it may only sleep."""
        locks, lease = self.workspace.store.table_locks, self.beat.lease
        waiting = Waiting(target.label, self.wait)
        sight = from_this_machine
        while writer := locks.take(lease, target.key, at=at_present(), sight=sight()):
            if writer.lease is None:
                recover_dead_runs(self.workspace, spark=self.spark)
            waiting.pause(str(writer), writer.lease and writer.lease.heartbeat_at)
        try:
            yield True
        finally:
            with suppress(RowbookError):  # it ends with the lease in any case
                locks.release(lease, target.key)
