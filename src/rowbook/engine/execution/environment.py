"""What all operations of a run share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pyspark.sql import Column, DataFrame

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.execution.joining.joined_keys import KeyedRows, keyed_rows
from rowbook.engine.execution.joining.joins import join, join_keyed
from rowbook.engine.execution.joining.unique_keys import JoinKeyProof
from rowbook.engine.strategy.checks.absent_columns import asked_of_added
from rowbook.errors import OperationRef
from rowbook.expressions.bound import Bound
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.join_condition import join_condition
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import Step
from rowbook.reference.loading.dataset_rows import LoadedRows

if TYPE_CHECKING:
    from rowbook.engine.execution.working import Working

Load: TypeAlias = Callable[[Dataset], DataFrame]
"""The rows of a dataset for this run: mapped, checked, filtered, without deleted ones."""

LoadHere: TypeAlias = Callable[[Dataset], LoadedRows | None]
"""The same, where they are few and were loaded here."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A run's compiler and datasets; with `ledger` rows are counted. `left` gives what is left of
    rows after an operation once those are gone that expectations took out there; `spread_lists` is
    that of the options. Without `unique_keys` every row is looked at for a second match;
    columns that are `never_null` are not on any row of the input."""

    context: RunContext
    compiler: Compiler
    load: Load
    input: Dataset
    ledger: bool = True
    load_here: LoadHere = lambda _: None
    left: Callable[[int, Working], Working] = lambda _, working: working
    spread_lists: bool = True
    unique_keys: JoinKeyProof | None = None
    never_null: frozenset[str] = frozenset()

    def joined(
        self, frame: DataFrame, joins: tuple[Join, ...], where: OperationRef | None, visible: Column
    ) -> DataFrame:
        """`where` is the operation that failures name; None for those of an expectation."""
        label = "" if where is None else str(where)
        if self.unique_keys is not None:
            self.unique_keys.look_at(joins, frame.sparkSession)
        for each in joins:
            keyed = self._keyed(frame, each)
            if keyed is None:
                right = self.load(each.dataset)
                frame = join(frame, right, each, self.compiler, label, visible)
            else:
                frame = join_keyed(frame, keyed, each, self.compiler, label, visible)
        return frame

    def picking(self, selector: Bound | None, *, of_working: bool = True) -> Column:
        """The condition of a filter, TRUE where a selector matches, `of_working` rows or others.
        One that has a value on every row may be NULL elsewhere: Spark then moves its parts to the
        datasets that they ask."""
        if selector is not None and of_working:
            selector = asked_of_added(selector, self.never_null)
        if selector is None or self.unique_keys is None:
            return self.compiler.condition(selector)
        is_certain = self.unique_keys.are_certain([selector])
        return (self.compiler.compile if is_certain else self.compiler.condition)(selector)

    def forget(self) -> None:
        """What is known of datasets, as data was replaced."""
        if self.unique_keys is not None:
            self.unique_keys.forget()

    def _keyed(self, frame: DataFrame, each: Join) -> KeyedRows | None:
        parts = join_condition(each)
        if self.unique_keys is not None:
            return self.unique_keys.rows(each)
        loaded = None if parts.by_row else self.load_here(each.dataset)
        if loaded is None:
            return None
        return keyed_rows(frame.sparkSession, loaded, each, parts, self.context)


def step_label(step: Step) -> OperationRef:
    return OperationRef(step.seq, step.name)
