"""Versions of datasets, resolvers, calendars and data sources. A version never changes: changed
content is the next version, unchanged content none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.errors import RowbookError
from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.json_documents import JsonObject, content_hash
from rowbook.store.database.tables import definition, definition_version, production, run
from rowbook.store.project_records import Conflict
from rowbook.store.project_rows import record_conflict
from rowbook.store.references import find_id, rename
from rowbook.store.seals.canonical_records import Subject
from rowbook.store.seals.sealer import Sealer

Kind: TypeAlias = Literal["dataset", "resolver", "calendar", "datasource"]


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition to be recorded. `based_on` is the version that its change was compared with (0:
    none); another one in the store by now means that the comparison is void. None: do not ask."""

    kind: Kind
    id: str
    name: str
    content: JsonObject
    disabled: bool = False
    based_on: int | None = None


@dataclass(frozen=True, slots=True)
class DefinitionVersion:
    """A definition as recorded. `produced_by` is the run whose output made this version."""

    kind: Kind
    id: str
    name: str
    version: int
    content: JsonObject
    content_hash: str
    disabled: bool
    recorded_at: datetime
    recorded_by: str
    produced_by: str | None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording a definition came to: a new version, or the one that was there."""

    version: DefinitionVersion
    is_new: bool


@dataclass(frozen=True, slots=True)
class Production:
    """Data that a run wrote for a version of a dataset; `data` identifies it (place, files …)."""

    dataset_id: str
    version: int
    run_id: str
    seq: int
    data: JsonObject
    recorded_at: datetime


class DefinitionVersions:
    def __init__(self, database: StoreDatabase, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def record(
        self,
        definitions: Sequence[Definition],
        *,
        by: str,
        at: datetime,
        conflicts: Sequence[Conflict] = (),
    ) -> tuple[Recorded, ...]:
        """Records definitions, all or none, and with them the conflicts that they put projects
        into: a breaking change and its consequence are one."""
        with self._database.writing("definitions") as connection:
            recorded = record_definitions(connection, self._sealer, definitions, by=by, at=at)
            for conflict in conflicts:
                record_conflict(connection, self._sealer, conflict, by=by, at=at)
            return recorded

    def get(
        self, kind: Kind, reference: str, version: int | None = None
    ) -> DefinitionVersion | None:
        with self._database.reading() as connection:
            found = find_id(connection, definition, reference, definition.c.kind == kind)
            if found is None:
                return None
            return _version(connection, kind, found, version)

    def latest(self, kind: Kind) -> tuple[DefinitionVersion, ...]:
        d, v = definition, definition_version
        statement = (
            sa.select(v)
            .join(d, (v.c.kind == d.c.kind) & (v.c.id == d.c.id) & (v.c.version == d.c.latest))
            .where(v.c.kind == kind)
            .order_by(v.c.name)
        )
        with self._database.reading() as connection:
            return _all(connection, statement)

    def versions(self, kind: Kind, reference: str | None = None) -> tuple[DefinitionVersion, ...]:
        """All versions of a definition, or of every definition of a kind, oldest first."""
        v = definition_version
        statement = sa.select(v).where(v.c.kind == kind).order_by(v.c.id, v.c.version)
        with self._database.reading() as connection:
            if reference is not None:
                found = find_id(connection, definition, reference, definition.c.kind == kind)
                statement = statement.where(v.c.id == found)
            return _all(connection, statement)

    def published_periods(self, dataset_id: str) -> frozenset[str]:
        """Of the runs that wrote a dataset."""
        p = production
        statement = sa.select(run.c.period).join(p, p.c.run_id == run.c.id)
        with self._database.reading() as connection:
            found = connection.scalars(statement.where(p.c.dataset_id == dataset_id).distinct())
            return frozenset(found)

    def productions(self, dataset_id: str, version: int | None = None) -> tuple[Production, ...]:
        """What runs wrote for a dataset, or for one version of it, newest first."""
        p = production
        statement = sa.select(p).where(p.c.dataset_id == dataset_id)
        if version is not None:
            statement = statement.where(p.c.version == version)
        statement = statement.order_by(p.c.recorded_at.desc(), p.c.run_id.desc(), p.c.seq.desc())
        with self._database.reading() as connection:
            return tuple(Production(**row) for row in connection.execute(statement).mappings())


def record_definitions(
    connection: Connection,
    sealer: Sealer,
    definitions: Sequence[Definition],
    *,
    by: str,
    at: datetime,
    produced_by: str | None = None,
) -> tuple[Recorded, ...]:
    """As `Definitions.record`, inside a transaction of the writer."""
    for kind in dict.fromkeys(each.kind for each in definitions):
        names = {each.id: each.name for each in definitions if each.kind == kind}
        rename(connection, definition, names, kind, definition.c.kind == kind)
    recorded = tuple(_record(connection, each, by, at, produced_by) for each in definitions)
    for each in recorded:
        if each.is_new:
            made = each.version
            subject = Subject("definition", (made.kind, made.id, made.version))
            sealer.seal(connection, "definition recorded", subject, at=at, by=by)
    return recorded


def _record(
    connection: Connection, given: Definition, by: str, at: datetime, produced_by: str | None
) -> Recorded:
    latest = _version(connection, given.kind, given.id, None)
    hashed = content_hash(given.content)
    wanted = (given.name, given.disabled, hashed)
    if latest is not None and (latest.name, latest.disabled, latest.content_hash) == wanted:
        return Recorded(latest, is_new=False)
    before = latest.version if latest else 0
    if given.based_on is not None and given.based_on != before:
        raise _changed_meanwhile(given, latest)
    made = DefinitionVersion(
        given.kind,
        given.id,
        given.name,
        before + 1,
        given.content,
        hashed,
        given.disabled,
        at,
        by,
        produced_by,
    )
    key = {"kind": given.kind, "id": given.id}
    if latest is None:
        connection.execute(definition.insert().values(**key, name=given.name, latest=1))
    else:
        this = (definition.c.kind == given.kind) & (definition.c.id == given.id)
        connection.execute(definition.update().where(this).values(latest=made.version))
    values = {name: getattr(made, name) for name in DefinitionVersion.__slots__}
    connection.execute(definition_version.insert().values(**values))
    return Recorded(made, is_new=True)


def _all(connection: Connection, statement: sa.Select[Any]) -> tuple[DefinitionVersion, ...]:
    return tuple(DefinitionVersion(**row) for row in connection.execute(statement).mappings())


def _version(
    connection: Connection, kind: Kind, found: str, version: int | None
) -> DefinitionVersion | None:
    v = definition_version
    statement = sa.select(v).where((v.c.kind == kind) & (v.c.id == found))
    if version is None:
        statement = statement.order_by(v.c.version.desc()).limit(1)
    else:
        statement = statement.where(v.c.version == version)
    row = connection.execute(statement).mappings().first()
    return DefinitionVersion(**row) if row else None


def _changed_meanwhile(given: Definition, latest: DefinitionVersion | None) -> RowbookError:
    now = f"its latest is version {latest.version} by {latest.recorded_by}" if latest else "gone"
    return RowbookError.of(
        "STORE_005",
        f"{given.kind} '{given.name}' was compared with version {given.based_on}, but {now}",
    )
