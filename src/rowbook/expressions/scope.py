"""What an expression may name: the dataset it works on, the aliases beside it, named selectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Literal

from rowbook.expressions.bound import Parameter
from rowbook.expressions.selectors import NO_SELECTORS, Selectors
from rowbook.expressions.types import Type
from rowbook.value_class import dataclass

SPELLINGS = {"_source_dataset": "_source_dataset_id"}
PARAMETERS = "param"
"""The alias that a project's parameters go by; no join may take it."""

LEVEL = "LEVEL()"
"""The column that LEVEL() reads: no other can have this name."""


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: Type
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """Columns by name. `complete` is False where a fault before made the columns uncertain: an
    unknown name then is no second error."""

    fields: Mapping[str, Field]
    complete: bool = True

    @classmethod
    def of(cls, fields: Iterable[Field], *, complete: bool = True) -> Table:
        return cls({f.name: f for f in fields}, complete)

    def find(self, name: str) -> Field | None:
        return self.fields.get(SPELLINGS.get(name, name))


@dataclass(frozen=True, slots=True)
class Scope:
    """`main` is what unqualified names mean; it may also be called by its table's name."""

    main: Table
    main_name: str | None = None
    others: Mapping[str, Table] = field(default_factory=dict)
    selectors: Selectors = NO_SELECTORS
    keys: frozenset[str] | None = None
    """For an aggregation: its group keys, which may stand outside aggregate functions. None means
    that aggregate functions are not allowed at all."""
    window: Literal["groups", "order"] | None = None
    """For values of a window: whether its rows have an order, which functions may ask for."""
    absent: frozenset[str] = frozenset()
    """On a summary row: columns of the dataset that have no value there."""
    requires: tuple[str, ...] | None = None
    """Where REQUIRE may stand, since the operation checks it on the rows that it picks: the columns
    that tell which row it is."""
    parameters: Mapping[str, Parameter] | None = None
    """What `param.name` may name; None where there are no parameters, as in a dataset's lookups."""

    @property
    def tables(self) -> tuple[str, ...]:
        return (*((self.main_name,) if self.main_name else ()), *self.others)

    def with_other(self, alias: str, table: Table) -> Scope:
        return replace(self, others={**self.others, alias: table})
