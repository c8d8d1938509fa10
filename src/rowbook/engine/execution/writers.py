"""Who writes the outputs of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rowbook.planning.steps import OutputStep

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Writer(Protocol):
    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        """With `local` rows are few, and may be written without Spark."""


class NoWriter:
    """For previews, which write nothing."""

    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        raise AssertionError("a preview does not write")
