"""What is sealed, in its canonical form, computed from the rows of the store as they are.

A record is a JSON object that has, under the names below, the rows of one subject in the order of
their keys, each with all columns of its table:

    run <id>                               run, resumptions, waivers, approval, steps, outputs,
                                           staged, warnings, expectations, productions
    verification <run id> <number>         verification
    definition <kind> <id> <version>       version
    project version <id> <version>         version, pins
    project change <id> <number>           change
    period <calendar> <period> <status>    change

Only that of a run changes, until it has completed; all others are recorded once and for good. Rows
that point to the one that counts are not sealed: `pointer_check` knows what they must say.

Times are ISO texts in UTC with microseconds, documents the JSON that they are. Those that may be
large stand for themselves by the SHA-256 of their text as it is stored: the snapshot of a run, the
content of a definition or a project. Left out is what changes after a run has ended: whether files
that it left were removed. Of a run that is at work, what it is writing is left out too, until it
ends.

Values are taken as the database gives them: also of rows that somebody edited into nonsense there
is a record, and it is another one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal, TypeAlias, get_args

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.store.database import tables as t
from rowbook.store.database.json_documents import JsonObject
from rowbook.store.database.value_types import ISO, Instant, JsonDocument
from rowbook.store.seals.seal import sha256

SubjectKind: TypeAlias = Literal[
    "run", "verification", "definition", "project version", "project change", "period"
]
Key: TypeAlias = tuple[str | int, ...]

_TABLES: dict[SubjectKind, dict[str, tuple[sa.Table, tuple[str, ...]]]] = {
    "run": {
        "run": (t.run, ("id",)),
        "resumptions": (t.run_resumption, ("run_id",)),
        "waivers": (t.run_waiver, ("run_id",)),
        "approval": (t.run_approval, ("run_id",)),
        "steps": (t.run_step, ("run_id",)),
        "outputs": (t.run_output, ("run_id",)),
        "staged": (t.run_staged, ("run_id",)),
        "warnings": (t.run_warning, ("run_id",)),
        "expectations": (t.run_expectation, ("run_id",)),
        "productions": (t.production, ("run_id",)),
    },
    "verification": {"verification": (t.run_verification, ("run_id", "number"))},
    "definition": {"version": (t.definition_version, ("kind", "id", "version"))},
    "project version": {
        "version": (t.project_version, ("project_id", "version")),
        "pins": (t.project_pin, ("project_id", "version")),
    },
    "project change": {"change": (t.project_change, ("project_id", "number"))},
    "period": {"change": (t.period_change, ("calendar_id", "period", "status"))},
}
"""The tables of each kind of subject, with the columns that name it; the first has them all."""

_LARGE = frozenset((t.run.c.snapshot, t.definition_version.c.content, t.project_version.c.content))
_LEFT_OUT = frozenset((t.run.c.staging, t.run.c.sandbox_removed_at))
_AT_WORK = ("queued", "running")
_WRITTEN = ("steps", "outputs", "staged", "warnings", "expectations", "productions")
_OF_THE_END = (
    *("finished_at", "failure", "timings"),
    *("cancel_requested_at", "cancel_requested_by"),
)
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Subject:
    kind: SubjectKind
    key: Key

    def __str__(self) -> str:
        return " ".join((self.kind, *map(str, self.key)))


def run_subject(run_id: str) -> Subject:
    return Subject("run", (run_id,))


def record_of(connection: Connection, subject: Subject) -> JsonObject | None:
    """None where there is nothing of it."""
    return next((r for _, r in _records(connection, subject.kind, [subject.key])), None)


def all_records(connection: Connection) -> Iterator[tuple[Subject, JsonObject]]:
    for kind in get_args(SubjectKind):
        table, names = next(iter(_TABLES[kind].values()))
        rows = connection.execute(sa.select(*(_raw(table.c[name]) for name in names)).distinct())
        keys = sorted({tuple(row) for row in rows}, key=lambda key: [str(each) for each in key])
        for start in range(0, len(keys), _BATCH):
            yield from _records(connection, kind, keys[start : start + _BATCH])


def is_unsealed(subject: Subject, record: JsonObject) -> bool:
    """A run that is only queued has done nothing that anybody believes."""
    return subject.kind == "run" and record["run"][0]["status"] == "queued"


def _records(
    connection: Connection, kind: SubjectKind, keys: Sequence[Key]
) -> Iterator[tuple[Subject, JsonObject]]:
    (main, first), *others = _TABLES[kind].items()
    records = {key: {main: rows} for key, rows in _rows(connection, *first, keys).items()}
    ended = [key for key in records if not (kind == "run" and _begin(records[key]))]
    for name, (table, columns) in others:
        of = ended if name in _WRITTEN else list(records)
        rows = _rows(connection, table, columns, of) if of else {}
        for key in of:
            records[key][name] = rows.get(key, [])
    for key in keys:
        if key in records:
            yield Subject(kind, key), records[key]


def _begin(record: JsonObject) -> bool:
    """Whether a run is at work; then its record is left without what its end brings."""
    (run,) = record["run"]
    if run["status"] not in _AT_WORK:
        return False
    for name in _OF_THE_END:
        del run[name]
    return True


def _rows(
    connection: Connection, table: sa.Table, names: tuple[str, ...], keys: Sequence[Key]
) -> dict[Key, list[JsonObject]]:
    """The rows of each subject."""
    columns = _columns(table)
    given = [key[0] for key in keys] if len(names) == 1 else list(keys)
    found: dict[Key, list[JsonObject]] = {}
    for values in connection.execute(_statement(table, names), {"keys": given}):
        row = {c.name: _plain(c, value) for c, value in zip(columns, values, strict=True)}
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    order = [column.name for column in table.primary_key]
    for rows in found.values():
        rows.sort(key=lambda row: [(isinstance(row[name], str), row[name]) for name in order])
    return found


@cache
def _columns(table: sa.Table) -> tuple[sa.Column[Any], ...]:
    return tuple(column for column in table.c if column not in _LEFT_OUT)


@cache
def _statement(table: sa.Table, names: tuple[str, ...]) -> sa.Select[Any]:
    """Kept, as making one takes longer than what it selects."""
    named = [table.c[name] for name in names]
    key: sa.ColumnElement[Any] = named[0] if len(named) == 1 else sa.tuple_(*named)
    return sa.select(*map(_raw, _columns(table))).where(
        key.in_(sa.bindparam("keys", expanding=True))
    )


def _raw(column: sa.Column[Any]) -> sa.Label[Any]:
    return sa.type_coerce(column, sa.types.NullType()).label(column.name)


def _plain(column: sa.Column[Any], value: Any) -> Any:
    if value is None:
        return None
    if column in _LARGE:
        return sha256(str(value))
    if isinstance(column.type, JsonDocument):
        return _document(str(value))
    if isinstance(column.type, Instant) and isinstance(value, datetime):
        return value.astimezone(UTC).strftime(ISO)
    if isinstance(column.type, sa.Boolean) and value in (0, 1):
        return bool(value)
    return value if isinstance(value, int) else str(value)


def _document(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        return text


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value
