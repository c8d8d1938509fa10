"""Who writes the outputs of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rowbook.errors import RowbookError
from rowbook.planning.steps import OutputStep

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowbook.sources.source import BegunOutput


class Writer(Protocol):
    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        """With `local` rows are few, and may be written without Spark."""


class PassingWriter(Protocol):
    """Who writes some rows of outputs as they pass, before others come to them: of `seqs`."""

    @property
    def seqs(self) -> frozenset[int]: ...

    def begin(self, step: OutputStep) -> BegunOutput: ...

    def written(self, step: OutputStep, rows: int) -> None:
        """So many rows are written; others are given to the Writer when it is their turn."""

    def refusal(self, step: OutputStep, error: Exception) -> RowbookError | None:
        """Why rows could not be written; None where that is not what failed."""


class NoWriter:
    """For previews, which write nothing."""

    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        raise AssertionError("a preview does not write")
