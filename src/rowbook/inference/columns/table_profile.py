"""A table gone through: columns with types and evidence, keys, and what says which period a row is
of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import cast

from rowbook.expressions import types as t
from rowbook.inference.columns.column_choice import ColumnChoice
from rowbook.inference.columns.key_search import KeyHashes, KeySearch, key_columns
from rowbook.inference.columns.logical_names import logical_names
from rowbook.inference.columns.type_choice import choose_types
from rowbook.inference.columns.typed_columns import TypedColumn, typed_choice
from rowbook.inference.columns.value_shapes import TextColumn, in_batches
from rowbook.inference.extracts.extract import Extract
from rowbook.planning.columns import PERIOD, SYSTEM_TYPES
from rowbook.sources.files.text.value_forms import ISO, TextForm
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ProfiledColumn:
    """`index` is its place among the columns of the source."""

    name: str
    header: str
    index: int
    choice: ColumnChoice
    nullable: bool


@dataclass(frozen=True, slots=True)
class TableProfile:
    """`left_out` says of columns that are not declared, why. `empty_is_null`: texts without a
    character stand where there is no value."""

    extract: Extract
    rows: int
    columns: tuple[ProfiledColumn, ...]
    keys: KeySearch
    form: TextForm = ISO
    form_notes: Mapping[str, str] = field(default_factory=dict)
    empty_is_null: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def has_period(self) -> bool:
        return PERIOD.name in self.extract.headers


def profile_table(extract: Extract) -> TableProfile:
    headers = [(i, header) for i, header in enumerate(extract.headers) if _is_declared(header)]
    names = logical_names([header for _, header in headers])
    if extract.types is None:
        return _profile_texts(extract, headers, names)
    return _profile_typed(extract, headers, names, extract.types)


def _is_declared(header: str) -> bool:
    return bool(header) and header not in SYSTEM_TYPES


def _profile_texts(
    extract: Extract, headers: Sequence[tuple[int, str]], names: Sequence[str]
) -> TableProfile:
    seen = [TextColumn() for _ in headers]
    rows, hashes = 0, KeyHashes(len(extract.headers))
    for places, columns in in_batches(extract.rows()):
        rows += len(places)
        hashes.add(columns)
        for (index, _), column in zip(headers, seen, strict=True):
            column.add(cast("tuple[str | None, ...]", columns[index]), places)
    types = choose_types(seen, [header for _, header in headers])
    empty_is_null = any(each.empty and each.type != t.STRING for each in types.columns)
    columns_ = tuple(
        ProfiledColumn(name, header, index, choice, choice.nullable(empty_is_null=empty_is_null))
        for name, (index, header), choice in zip(names, headers, types.columns, strict=True)
    )
    return TableProfile(
        extract,
        rows,
        columns_,
        _keys(extract, columns_, hashes),
        types.form,
        types.form_notes,
        empty_is_null,
        _left_out(extract),
    )


def _profile_typed(
    extract: Extract,
    headers: Sequence[tuple[int, str]],
    names: Sequence[str],
    types: Mapping[str, str],
) -> TableProfile:
    seen = [TypedColumn() for _ in headers]
    rows, hashes = 0, KeyHashes(len(extract.headers))
    for places, columns in in_batches(extract.rows()) if extract.is_looked_at else ():
        rows += len(places)
        hashes.add(columns)
        for (index, _), column in zip(headers, seen, strict=True):
            column.add(columns[index])
    found: list[ProfiledColumn] = []
    left_out = list(_left_out(extract))
    for name, (index, header), column in zip(names, headers, seen, strict=True):
        choice = typed_choice(column, types[header], header)
        if choice is None:
            left_out.append(f"column '{header}' is {types[header]}, which is not loaded")
            continue
        nullable = choice.nullable(empty_is_null=False) and header not in extract.never_null
        found.append(ProfiledColumn(name, header, index, choice, nullable))
    return TableProfile(
        extract, rows, tuple(found), _keys(extract, found, hashes), left_out=tuple(left_out)
    )


def _left_out(extract: Extract) -> tuple[str, ...]:
    return tuple(
        f"column {position} has no name, and is not loaded"
        for position, header in enumerate(extract.headers, start=1)
        if not header
    )


def _keys(extract: Extract, columns: Sequence[ProfiledColumn], hashes: KeyHashes) -> KeySearch:
    names = {each.header: each.name for each in columns}
    if extract.keys:
        return KeySearch(tuple(tuple(names[header] for header in key) for key in extract.keys))
    if not extract.is_looked_at:
        return KeySearch((), is_tested=False)
    candidates = key_columns(
        (each.name, each.index, str(each.choice.type)) for each in columns if not each.nullable
    )
    return hashes.find(candidates)
