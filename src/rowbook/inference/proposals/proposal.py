"""The definitions that are proposed for a table: dataset, data source and resolver rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from rowbook.expressions.types import Kind
from rowbook.inference.columns.logical_names import entity_name, table_name
from rowbook.inference.columns.table_profile import ProfiledColumn, TableProfile
from rowbook.inference.extracts.data_places import month_in
from rowbook.inference.extracts.extract import Extract, Option
from rowbook.inference.proposals.definition_text import (
    YamlLine,
    definition_text,
    flow,
    scalar,
)
from rowbook.locations.text_options import FORMAT_OPTIONS
from rowbook.planning.columns import VALIDITY_PAIRS
from rowbook.sources.files.text.value_forms import ISO
from rowbook.text.visible import number
from rowbook.value_class import dataclass

_POSTED = re.compile(r"post|buch|book|beleg|period|value|valuta")
_NOT_POSTED = re.compile(
    r"valid|guelt|gueltig|due|faellig|birth|geburt|expir|until|created|erstellt|changed|geaendert"
)
"""Dates that say something else of a row than when it was booked."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """`files` are texts by their names in the workspace; `period` is one that it has rows of, where
    that is known."""

    name: str
    profile: TableProfile
    files: dict[str, str]
    period: str | None


def propose(profile: TableProfile, name: str | None) -> Proposal:
    extract = profile.extract
    chosen = name or entity_name(extract.name)
    files = {f"datasets/{chosen}.yaml": _dataset(profile, chosen)}
    if extract.source.existing is None:
        files[f"datasources/{chosen}.yaml"] = _datasource(profile, chosen)
    files[f"resolvers/{chosen}.yaml"] = _resolver(extract, chosen)
    return Proposal(chosen, profile, files, sample_month(profile))


def _dataset(profile: TableProfile, name: str) -> str:
    extract = profile.extract
    looked_at = number(profile.rows, "row") if extract.is_looked_at else "its schema alone"
    lines = [
        YamlLine(0, "", f"Proposed by rowbook infer, from {extract.label}: {looked_at}."),
        *(YamlLine(0, "", note) for note in (*extract.notes, *profile.left_out)),
        YamlLine(0, "dataset:"),
        YamlLine(1, f"name: {scalar(name)}"),
        YamlLine(1, "main_table:"),
        YamlLine(2, f"name: {table_name(name)}"),
        *_period(profile),
        YamlLine(2, "columns:"),
    ]
    for column in profile.columns:
        lines += [
            YamlLine(3, "", column.choice.evidence),
            YamlLine(3, f"- {flow(_column(column, by_position=extract.by_position))}"),
        ]
    lines += [*_keys(profile), YamlLine(1, f"resolver_id: {scalar(name)}")]
    return definition_text(lines)


def _column(column: ProfiledColumn, *, by_position: bool) -> dict[str, object]:
    found: dict[str, object] = {"name": column.name, "type": str(column.choice.type)}
    if not column.nullable:
        found["nullable"] = False
    if column.header != column.name and not by_position:
        found["source"] = column.header
    if column.choice.options:
        found["format"] = dict(column.choice.options)
    return found


def _period(profile: TableProfile) -> list[YamlLine]:
    """By the column `_period`, by the month in the name, by a pair of dates that say how long a row
    is valid, or by the date that is likely to say when it was booked."""
    pair = VALIDITY_PAIRS[1]
    dated = {c.name for c in profile.columns if _is_dated(c)}
    if dated.issuperset(pair):
        return [YamlLine(2, "temporal_mode: bitemporal", f"rows have {' and '.join(pair)}")]
    if profile.has_period:
        return [YamlLine(2, "temporal_mode: period", "rows have a _period")]
    if "{{MM}}" in profile.extract.place:
        return [YamlLine(2, "temporal_mode: period", "the month is in the name of the file")]
    chosen = _period_column(profile)
    if chosen is None:
        return []
    others = [c.name for c in _dates(profile) if c is not chosen]
    also = f"; it may be {' or '.join(others)}" if others else ""
    return [
        YamlLine(2, "temporal_mode: period"),
        YamlLine(
            2, f"period_from: {chosen.name}", f"a row belongs to the period of this date{also}"
        ),
    ]


def _period_column(profile: TableProfile) -> ProfiledColumn | None:
    dates = _dates(profile)
    return next((c for c in dates if _POSTED.search(c.name)), dates[0] if dates else None)


def _dates(profile: TableProfile) -> list[ProfiledColumn]:
    """Those that every row has, and that may say when it was booked."""
    dated = (c for c in profile.columns if _is_dated(c) and not c.nullable)
    return [column for column in dated if not _NOT_POSTED.search(column.name)]


def _is_dated(column: ProfiledColumn) -> bool:
    return column.choice.type.kind in (Kind.DATE, Kind.TIMESTAMP)


def sample_month(profile: TableProfile) -> str | None:
    """The month of the first row: by the name of its file, or by the date that says its period."""
    place, row = next(profile.extract.rows(), ("", ()))
    column = _period_column(profile)
    if "{{MM}}" in profile.extract.place:
        return month_in(place)
    if column is None or not row or not profile.extract.is_looked_at:
        return None
    value, kind = row[column.index], column.choice.type
    form = profile.form.with_options(column.choice.options)
    iso = value.isoformat() if isinstance(value, date) else form.usual(str(value), kind)
    return iso[:7] if iso else None


def _keys(profile: TableProfile) -> list[YamlLine]:
    found = profile.keys
    if not found.is_tested:
        return [YamlLine(1, "", "natural_key_columns: not looked for, there are too many rows")]
    if not found.keys:
        return [
            YamlLine(1, "", "natural_key_columns: no three columns or fewer tell all rows apart")
        ]
    first, *others = found.keys
    rows = "by an index of the database" if profile.extract.keys else f"in {profile.rows:,} rows"
    also = f"; so {'is' if len(others) == 1 else 'are'} {_listed(others)}" if others else ""
    return [YamlLine(1, f"natural_key_columns: [{', '.join(first)}]", f"unique {rows}{also}")]


def _listed(keys: Sequence[Sequence[str]]) -> str:
    return ", ".join(" + ".join(key) for key in keys)


def _datasource(profile: TableProfile, name: str) -> str:
    source = profile.extract.source
    lines = [
        YamlLine(0, "datasource:"),
        YamlLine(1, f"name: {scalar(name)}"),
        YamlLine(1, f"type: {source.type}"),
        YamlLine(1, "options:"),
    ]
    for option, found in {**source.options, **_form_options(profile)}.items():
        lines.append(YamlLine(2, f"{option}: {scalar(found.value)}", found.note))
    return definition_text(lines)


def _form_options(profile: TableProfile) -> dict[str, Option]:
    options = {
        name: Option(getattr(profile.form, name), profile.form_notes.get(name, ""))
        for name in FORMAT_OPTIONS
        if getattr(profile.form, name) != getattr(ISO, name)
    }
    if profile.empty_is_null:
        options["null_text"] = Option("", "quotes with nothing in them stand for no value")
    return options


def _resolver(extract: Extract, name: str) -> str:
    source = extract.source.existing or name
    strategy: dict[str, object] = {"type": "path", "datasource_id": source, "path": extract.place}
    if extract.is_table:
        strategy = {"type": "table", "datasource_id": source, "table": extract.place}
    lines = [
        YamlLine(0, "resolver:"),
        YamlLine(1, f"name: {scalar(name)}"),
        YamlLine(1, "rules:"),
        YamlLine(2, f"- name: {scalar(f'where {name} is')}"),
    ]
    if "{{MM}}" in extract.place:
        lines.append(YamlLine(3, "data_level: month"))
    lines.append(YamlLine(3, f"strategy: {flow(strategy)}"))
    return definition_text(lines)
