"""Datasets with their types: declared columns, temporal mode, lookups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.entries import Unmatched
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.faults import Fault
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.expressions.syntax.unbound import NOWHERE
from rowbook.planning.columns import (
    ALWAYS,
    COLUMN_NAME,
    PERIOD,
    VALIDITY_PAIRS,
    Columns,
    is_system,
)
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing, Version, ViewOrigin
from rowbook.planning.unpivot import Unpivot, unpivot_of
from rowbook.value_class import dataclass

_SYSTEM_OF_ALL = frozenset(f.name for f in ALWAYS)


@dataclass(frozen=True)
class Dataset:
    definition: DatasetDefinition
    version: int
    fields: tuple[Field, ...]
    """The declared columns with their types, system columns among them where declared."""
    origin: ViewOrigin | None = None
    """The dataset that this one reads in other periods."""

    @property
    def id(self) -> str:
        return self.definition.identity

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def source_name(self) -> str:
        """The name that its data is found by."""
        return self.origin.name if self.origin else self.name

    @property
    def reads_all(self) -> bool:
        """Rows of every period, whichever there are."""
        return self.origin is not None and self.definition.periods == "all"

    @property
    def table_name(self) -> str:
        return self.definition.main_table.name

    @cached_property
    def business(self) -> tuple[Field, ...]:
        return tuple(f for f in self.fields if not is_system(f.name))

    @cached_property
    def validity(self) -> tuple[str, str] | None:
        names = {f.name for f in self.fields}
        return next((pair for pair in VALIDITY_PAIRS if names.issuperset(pair)), None)

    @cached_property
    def formats(self) -> Mapping[str, Mapping[str, str]]:
        """How the values of columns are written in text, where they say so, by their names; columns
        that become rows as the column that holds their values."""
        columns = self.definition.main_table.columns
        own = {c.name: c.format.options for c in columns if c.format is not None}
        if self.unpivot is None or self.unpivot.value.name not in own:
            return own
        return {**own, **dict.fromkeys(self.unpivot.columns, own[self.unpivot.value.name])}

    @property
    def period_from(self) -> str | None:
        """The column whose date says which period a row belongs to."""
        return self.definition.main_table.period_from

    @cached_property
    def unpivot(self) -> Unpivot | None:
        """Which columns of the source become rows."""
        return unpivot_of(self.definition.main_table, self.fields)

    @cached_property
    def readable(self) -> Table:
        return Table.of((*self.business, *self._temporal()))

    @cached_property
    def joined(self) -> Table:
        """What expressions may read of it as a join: the same, and NULL where no row matches."""
        return Table.of(replace(f, nullable=True) for f in self.readable.fields.values())

    def _temporal(self) -> tuple[Field, ...]:
        temporal = [f for f in self.fields if is_system(f.name) and f.name not in _SYSTEM_OF_ALL]
        if self.definition.main_table.temporal_mode == "period":
            temporal = [PERIOD, *(f for f in temporal if f.name != PERIOD.name)]
        return tuple(temporal)

    def working_columns(self) -> Columns:
        return Columns.of((*self.business, *ALWAYS, *self._temporal()))


@dataclass(frozen=True, slots=True)
class Join:
    """With `many` each match makes a row of its own; `unmatched` is what becomes of a row without
    any. Both are for the rows of an append alone: elsewhere a row has one match, or NULLs."""

    alias: str
    dataset: Dataset
    condition: Bound
    many: bool = False
    unmatched: Unmatched = "keep"


@dataclass(frozen=True, slots=True)
class Lookups:
    joins: tuple[Join, ...] = ()
    tables: tuple[tuple[str, Table], ...] = ()

    def extend(self, scope: Scope) -> Scope:
        for alias, table in self.tables:
            scope = scope.with_other(alias, table)
        return scope


def ambiguous(scope: Scope, alias: str) -> Scope:
    """The scope after an alias was given a second time: a column that its first table does not have
    may be one of the second, and is no second error."""
    if alias == scope.main_name:
        return replace(scope, main=replace(scope.main, complete=False))
    return scope.with_other(alias, replace(scope.others[alias], complete=False))


def typed(found: Version[DatasetDefinition]) -> Dataset:
    """A dataset's types; columns whose declaration is faulty have the type UNKNOWN. A date that
    says the period of rows is never NULL."""
    model, table = found.model, found.model.main_table
    fields = tuple(
        Field(
            c.name,
            t.parse_type(c.type) or t.UNKNOWN,
            c.nullable and c.name != table.period_from,
        )
        for c in table.columns
    )
    return Dataset(model, found.version, fields, found.origin)


@dataclass(frozen=True, slots=True)
class LookupFault:
    """A finding in one lookup: at one of its keys, and where in the text of an expression."""

    index: int
    key: str
    fault: Fault
    in_text: bool = True


def lookups_of(
    dataset: Dataset, known: DefinitionLookup
) -> tuple[Lookups, tuple[LookupFault, ...]]:
    """The lookups of a dataset, each bound against those before it. Their faults belong to the
    dataset's definition; who uses the dataset need not report them again."""
    joins: list[Join] = []
    tables: list[tuple[str, Table]] = []
    faults: list[LookupFault] = []
    scope = Scope(dataset.readable, dataset.table_name)

    def fault(key: str, code: str, message: str, hint: str | None = None) -> None:
        faults.append(LookupFault(i, key, Fault(code, message, NOWHERE, hint), in_text=False))

    for i, lookup in enumerate(dataset.definition.lookups):
        other = known.dataset(lookup.dataset_id, lookup.dataset_version)
        table = Table({}, complete=False)
        if not isinstance(other, Missing):
            table = typed(other).joined
        elif not other.uncertain:
            key = "dataset_version" if other.reason == "version" else "dataset_id"
            fault(key, JOIN_CODES[other.reason], other.message, other.hint)
        if lookup.alias in scope.tables:
            fault("alias", "JOIN_006", f"alias '{lookup.alias}' is taken already")
            scope = ambiguous(scope, lookup.alias)
            tables += [(a, scope.others[a]) for a in scope.others if a == lookup.alias]
            continue
        if not COLUMN_NAME.fullmatch(lookup.alias):
            message = f"'{lookup.alias}' cannot be an alias: use letters, digits and '_'"
            fault("alias", "JOIN_006", message)
            continue
        scope = scope.with_other(lookup.alias, table)
        tables.append((lookup.alias, table))
        binding = bind(lookup.on, scope)
        faults += [LookupFault(i, "on", found) for found in binding.faults]
        if binding.usable and binding.tree.type.kind not in (t.Kind.BOOLEAN, t.Kind.UNKNOWN):
            fault("on", "JOIN_004", f"the condition gives {binding.tree.type}, not true or false")
        elif binding.usable and not isinstance(other, Missing):
            joins.append(Join(lookup.alias, typed(other), binding.tree))
    return Lookups(tuple(joins), tuple(tables)), tuple(faults)


JOIN_CODES = {"unknown": "JOIN_001", "version": "JOIN_002", "disabled": "JOIN_003"}
