"""A table gone through: columns with types and evidence, keys, and what says which period a row is
of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, TypeVar

from rowbook.expressions import types as t
from rowbook.inference.columns.cell_columns import CellColumn, cell_choice
from rowbook.inference.columns.column_choice import ColumnChoice
from rowbook.inference.columns.key_search import KeyHashes, KeySearch, key_columns
from rowbook.inference.columns.logical_names import logical_names
from rowbook.inference.columns.type_choice import choose_types
from rowbook.inference.columns.typed_columns import TypedColumn, typed_choice
from rowbook.inference.columns.value_shapes import TextProfile, in_batches
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


class SeenColumn(Protocol):
    """What was seen of a column, some values at a time."""

    def add(self, values: Sequence[Any], places: Sequence[str]) -> None: ...


C = TypeVar("C", bound=SeenColumn)


@dataclass(frozen=True, slots=True)
class Decision:
    """Of each column its type, or why it has none; and how texts are written."""

    columns: tuple[ColumnChoice | str, ...]
    form: TextForm = ISO
    form_notes: Mapping[str, str] = field(default_factory=dict)
    empty_is_null: bool = False


def profile_table(extract: Extract) -> TableProfile:
    headers = [header for header in extract.headers if header and header not in SYSTEM_TYPES]
    types = extract.types
    if extract.are_cells:
        return _profile(extract, headers, CellColumn, lambda seen: _decide_cells(seen, headers))
    if types is None:
        return _profile(extract, headers, TextProfile, lambda seen: _decide_texts(seen, headers))
    physical = [types[header] for header in headers]
    return _profile(
        extract, headers, TypedColumn, lambda seen: _decide_typed(seen, headers, physical)
    )


def _profile(
    extract: Extract,
    headers: Sequence[str],
    column: Callable[[], C],
    decide: Callable[[Sequence[C]], Decision],
) -> TableProfile:
    indexes = [extract.headers.index(header) for header in headers]
    seen = [column() for _ in headers]
    rows, hashes = 0, KeyHashes(len(extract.headers))
    for places, values in in_batches(extract.rows()) if extract.is_looked_at else ():
        rows += len(places)
        hashes.add(values)
        for index, each in zip(indexes, seen, strict=True):
            each.add(values[index], places)
    decision = decide(seen)
    left_out = [
        f"column {position} has no name, and is not loaded"
        for position, header in enumerate(extract.headers, start=1)
        if not header
    ]
    columns: list[ProfiledColumn] = []
    for name, header, index, choice in zip(
        logical_names(headers), headers, indexes, decision.columns, strict=True
    ):
        if isinstance(choice, str):
            left_out.append(f"column '{header}' is not loaded: {choice}")
            continue
        may_be_null = choice.nullable(empty_is_null=decision.empty_is_null)
        nullable = may_be_null and header not in extract.never_null
        columns.append(ProfiledColumn(name, header, index, choice, nullable))
    return TableProfile(
        extract,
        rows,
        tuple(columns),
        _keys(extract, columns, hashes),
        decision.form,
        decision.form_notes,
        decision.empty_is_null,
        tuple(left_out),
    )


def _decide_texts(seen: Sequence[TextProfile], headers: Sequence[str]) -> Decision:
    types = choose_types(seen, headers)
    empty_is_null = any(each.empty and each.type != t.STRING for each in types.columns)
    return Decision(types.columns, types.form, types.form_notes, empty_is_null)


def _decide_cells(seen: Sequence[CellColumn], headers: Sequence[str]) -> Decision:
    types = choose_types([each.texts for each in seen], headers)
    choices = tuple(map(cell_choice, seen, types.columns))
    return Decision(choices, types.form, types.form_notes)


def _decide_typed(
    seen: Sequence[TypedColumn], headers: Sequence[str], physical: Sequence[str]
) -> Decision:
    return Decision(tuple(map(typed_choice, seen, physical, headers)))


def _keys(extract: Extract, columns: Sequence[ProfiledColumn], hashes: KeyHashes) -> KeySearch:
    """Those that the source itself keeps unique; else those that are."""
    names = {each.header: each.name for each in columns}
    known = [key for key in extract.keys if names.keys() >= {*key}]
    if known:
        return KeySearch(tuple(tuple(names[header] for header in key) for key in known))
    if not extract.is_looked_at:
        return KeySearch((), is_tested=False)
    candidates = key_columns(
        (each.name, each.index, str(each.choice.type)) for each in columns if not each.nullable
    )
    return hashes.find(candidates)
