"""What all operations of a run share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from pyspark.sql import Column, DataFrame

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.execution.joins import join
from rowbook.errors import OperationRef
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import Step

Load: TypeAlias = Callable[[Dataset], DataFrame]
"""The rows of a dataset for this run: mapped, checked, filtered, without deleted ones."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A run's compiler and datasets; with `ledger` rows are counted."""

    context: RunContext
    compiler: Compiler
    load: Load
    input: Dataset
    ledger: bool = True

    def joined(
        self, frame: DataFrame, joins: tuple[Join, ...], where: OperationRef, visible: Column
    ) -> DataFrame:
        for each in joins:
            right = self.load(each.dataset)
            frame = join(frame, right, each, self.compiler, str(where), visible)
        return frame


def step_label(step: Step) -> OperationRef:
    return OperationRef(step.seq, step.name)
