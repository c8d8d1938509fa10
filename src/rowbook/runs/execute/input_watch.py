"""What a run reads, digested and kept as evidence while the run goes on, and compared before
anything is decided."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from rowbook.errors import RowbookError
from rowbook.runs.evidence.kept_input import KeptInput, keep_input
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.sources import registry
from rowbook.store import LeaseLostError

_SOON = 5.0
"""Seconds."""


class InputWatch:
    """Digests are made by a thread of its own, from now on. `results` are the outputs that are
    published: what they wrote is the run's own doing."""

    def __init__(
        self,
        resolved: ResolvedRun,
        results: Sequence[OutputResult],
        record: Callable[[KeptInput], None],
    ) -> None:
        self._resolved = resolved
        self._results = results
        self._record = record
        self._is_recorded = False
        self._found: KeptInput | None = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._look, name="input digests", daemon=True)
        self._thread.start()

    def __enter__(self) -> InputWatch:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """What is read is recorded in any case: of a run that fails, as far as it is known soon and
        can be recorded. Why it failed is what it is told for."""
        if kind is None:
            self._settle()
        elif issubclass(kind, RowbookError) and not issubclass(kind, LeaseLostError):
            self._thread.join(_SOON)
            with suppress(RowbookError):
                if self._found is not None:
                    self._settle()

    def _settle(self) -> None:
        if self._is_recorded:
            return
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        assert self._found is not None
        self._record(self._found)
        self._is_recorded = True

    def decide(self) -> None:
        """Call before something is published: RUN_011 where the input changed during the run."""
        self._settle()
        for table in self._resolved.untouched_tables(each.seq for each in self._results):
            registry.check(table)

    def _look(self) -> None:
        try:
            self._found = keep_input(self._resolved.with_fingerprints())
        except BaseException as failure:
            self._failure = failure
