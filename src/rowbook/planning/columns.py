"""The columns of the working dataset: declared ones, and those that belong to the system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from itertools import takewhile

from rowbook.expressions import types as t
from rowbook.expressions.scope import Field, Table
from rowbook.value_class import dataclass

COLUMN_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")

ROW_ID = "_row_id"
OPERATION_SEQ = "_operation_seq"
SOURCE = ("_source_dataset_id", "_source_table")
"""Where a row came from."""
ALWAYS = (
    Field(ROW_ID, t.STRING, nullable=False),
    Field("_source_dataset_id", t.STRING, nullable=False),
    Field("_source_table", t.STRING, nullable=False),
    Field(OPERATION_SEQ, t.INTEGER),
    Field("_created_by_project_id", t.STRING, nullable=False),
    Field("_created_by_run_id", t.STRING, nullable=False),
    Field("_created_at", t.TIMESTAMP, nullable=False),
    Field("_updated_at", t.TIMESTAMP, nullable=False),
    Field("_deleted", t.BOOLEAN, nullable=False),
    Field("_labels", t.STRING, nullable=False),
)

PERIOD = Field("_period", t.STRING)
VALIDITY_PAIRS = (
    ("_valid_from", "_valid_to"),
    ("valid_from", "valid_to"),
    ("_period_from", "_period_to"),
)
"""The columns a bitemporal table may say its validity with; the first pair present counts."""

SYSTEM_TYPES: Mapping[str, frozenset[t.Kind]] = {
    **{f.name: frozenset({f.type.kind}) for f in (*ALWAYS, PERIOD)},
    **{
        name: frozenset({t.Kind.DATE, t.Kind.TIMESTAMP})
        for pair in VALIDITY_PAIRS
        for name in pair
        if name.startswith("_")
    },
}
"""System columns that a dataset may declare because its source holds them, and their types."""

ASSIGNABLE = frozenset({"_labels"})
ASSIGNABLE_TO_ENTRIES = ASSIGNABLE | {PERIOD.name}
"""An append says in which period its rows are booked; rows that are there stay in theirs."""


def is_system(name: str) -> bool:
    return name.startswith("_")


def is_listed(name: str) -> bool:
    """Whether rows for people have a column: of the system's only the period."""
    return not is_system(name) or name == PERIOD.name


@dataclass(frozen=True, slots=True)
class Columns:
    """The working dataset's columns at one point of a project: business columns in order, then
    system columns. `made` are those the project itself added."""

    fields: Mapping[str, Field]
    made: frozenset[str] = frozenset()
    complete: bool = True
    _lower: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls, fields: Iterable[Field], made: frozenset[str] = frozenset(), *, complete: bool = True
    ) -> Columns:
        """From fields in any order: business columns come first."""
        ordered = sorted(fields, key=lambda f: is_system(f.name))
        by_name = {f.name: f for f in ordered}
        return cls(by_name, made, complete, {name.lower(): name for name in by_name})

    @property
    def table(self) -> Table:
        return Table(self.fields, self.complete)

    @property
    def business(self) -> tuple[Field, ...]:
        return tuple(f for f in self.fields.values() if not is_system(f.name))

    def clash(self, name: str) -> str | None:
        """The existing column that differs from `name` only by case."""
        found = self._lower.get(name.lower())
        return found if found is not None and found != name else None

    def with_fields(self, changed: Iterable[Field]) -> Columns:
        """With columns added or replaced; new ones count as made by the project."""
        new = {f.name: f for f in changed}
        if all(self.fields.get(name) == f for name, f in new.items()):
            return self
        added = frozenset(name for name in new if name not in self.fields)
        fields = {**self.fields, **new}
        at_the_end = tuple(takewhile(is_system, reversed(tuple(self.fields)))) if added else ()
        for name in reversed(at_the_end):
            fields[name] = fields.pop(name)
        lower = {**self._lower, **{name.lower(): name for name in added}}
        return Columns(fields, self.made | added, self.complete, lower)

    def uncertain(self) -> Columns:
        """After an operation that could not be read: unknown columns are no errors any more."""
        return Columns(self.fields, self.made, False, self._lower)
