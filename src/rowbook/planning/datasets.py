"""Datasets with their types: declared columns, temporal mode, lookups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from rowbook.definitions.models.dataset import ColumnDefinition, DatasetDefinition
from rowbook.definitions.models.entries import Unmatched
from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.faults import Fault
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.expressions.syntax.unbound import NOWHERE
from rowbook.locations.text_options import FORMAT_OPTIONS, format_fault
from rowbook.planning.columns import (
    ALWAYS,
    COLUMN_NAME,
    PERIOD,
    SYSTEM_TYPES,
    VALIDITY_PAIRS,
    Columns,
    is_system,
)
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing, Version, ViewOrigin
from rowbook.planning.definitions.views import check_no_view, check_view
from rowbook.planning.findings import Findings
from rowbook.planning.unpivot import Unpivot, check_unpivot, unpivot_of
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


def check_dataset(
    model: DatasetDefinition,
    place: Place,
    known: DefinitionLookup,
    findings: Findings,
    registered_by: Mapping[str, str] | None = None,
) -> None:
    if model.of is not None:
        check_view(model, place, known, registered_by or {}, findings)
        return
    check_no_view(model, place, findings)
    table, columns = model.main_table, place.at("main_table", "columns")
    if not COLUMN_NAME.fullmatch(table.name):
        findings.add(
            place.at("main_table", "name"), "DATASET_001", f"'{table.name}' is not a table's name"
        )
    if not table.columns:
        findings.add(columns, "DATASET_006", f"dataset '{model.name}' declares no columns")
    seen: dict[str, str] = {}
    for i, column in enumerate(table.columns):
        _check_column(column, columns.at(i), seen, findings)
    for i, key in enumerate(model.natural_key_columns):
        if key not in seen.values():
            hint = suggestion(key, tuple(seen.values()), "columns")
            findings.add(
                place.at("natural_key_columns", i),
                "DATASET_004",
                f"natural key column '{key}' is not declared",
                hint,
            )
    dataset = typed(Version(model, 1))
    if table.temporal_mode == "bitemporal":
        _check_validity(dataset, place.at("main_table"), findings)
    if table.period_from is not None:
        _check_period_from(dataset, place.at("main_table", "period_from"), findings)
    check_unpivot(table, dataset.fields, place.at("main_table"), findings)
    if model.version is not None and model.version < 1:
        findings.add(place.at("version"), "YAML_004", "a version is 1 or greater")
    for found in lookups_of(dataset, known)[1]:
        here = place.at("lookups", found.index, found.key)
        if found.in_text:
            findings.fault(here, found.fault)
        else:
            findings.add(here, found.fault.code, found.fault.message, found.fault.hint)


def _check_column(
    column: ColumnDefinition, place: Place, seen: dict[str, str], findings: Findings
) -> None:
    kind = t.parse_type(column.type)
    if not COLUMN_NAME.fullmatch(column.name):
        message = f"'{column.name}' is not a column's name"
        hint = "say `source:` where the physical name differs"
        findings.add(place.at("name"), "DATASET_001", message, hint)
    elif is_system(column.name) and column.name not in SYSTEM_TYPES:
        message = f"'{column.name}' is not a column that a dataset may declare"
        findings.add(place.at("name"), "SYSTEM_COLUMN", message)
    elif kind and is_system(column.name) and kind.kind not in SYSTEM_TYPES[column.name]:
        allowed = " or ".join(sorted(k.value for k in SYSTEM_TYPES[column.name]))
        message = f"system column '{column.name}' is {allowed}, not {kind}"
        findings.add(place.at("type"), "DATASET_002", message)
    if kind is None:
        is_decimal = column.type.startswith("decimal(")
        bounds = "precision is 1 to 38, scale 0 to precision"
        types = suggestion(column.type, t.TYPE_NAMES, "types")
        message = f"'{column.type}' is not a type"
        findings.add(place.at("type"), "DATASET_002", message, bounds if is_decimal else types)
    if column.format is not None:
        _check_format(column.format.options, kind, place.at("format"), findings)
    before = seen.get(column.name.lower())
    if before is None:
        seen[column.name.lower()] = column.name
        return
    how = "stands twice" if before == column.name else f"differs from '{before}' only by case"
    findings.add(place.at("name"), "DATASET_003", f"column '{column.name}' {how}")


def _check_format(
    options: Mapping[str, str], kind: t.Type | None, place: Place, findings: Findings
) -> None:
    """DATASET_017. How decimals are separated its data source may say."""
    for name in options:
        if kind is not None and kind.kind not in FORMAT_OPTIONS[name]:
            message = f"{name} says nothing about a column that is {kind}"
            findings.add(place.at(name), "DATASET_017", message)
        elif fault := format_fault(name, options):
            findings.add(place.at(name), "DATASET_017", f"'{name}' {fault}")


def _check_period_from(dataset: Dataset, place: Place, findings: Findings) -> None:
    table, types = dataset.definition.main_table, {f.name: f.type for f in dataset.fields}
    name = table.period_from or ""
    if table.temporal_mode != "period":
        message = "period_from is for a table with temporal_mode: period"
        findings.add(place, "DATASET_016", message)
    elif name not in types:
        hint = suggestion(name, tuple(types), "columns")
        findings.add(place, "DATASET_016", f"column '{name}' is not declared", hint)
    elif types[name] not in (t.DATE, t.TIMESTAMP, t.UNKNOWN):
        message = f"column '{name}' is {types[name]}, not date or timestamp"
        findings.add(place, "DATASET_016", message)
    elif PERIOD.name in types:
        message = f"rows have a column '{PERIOD.name}' and period_from: one of them says the period"
        findings.add(place, "DATASET_016", message)


def _check_validity(dataset: Dataset, place: Place, findings: Findings) -> None:
    pair = dataset.validity
    message = f"bitemporal table '{dataset.table_name}' declares no validity pair"
    if pair is None:
        findings.add(place.at("temporal_mode"), "DATASET_005", message)
        return
    kinds = {f.type for f in dataset.fields if f.name in pair}
    if kinds not in ({t.DATE}, {t.TIMESTAMP}) and t.UNKNOWN not in kinds:
        findings.add(
            place.at("temporal_mode"),
            "DATASET_005",
            f"{pair[0]} and {pair[1]} must both be date, or both timestamp",
        )
