"""Rows of seals and of the keys that signed them, inside a transaction."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.store.database.tables import seal, seal_key
from rowbook.store.database.value_types import ISO
from rowbook.store.seals.canonical_records import Subject
from rowbook.store.seals.seal import STORE, Seal

_SEALS = sa.select(
    *(column for column in seal.c if column is not seal.c.sealed_at),
    sa.type_coerce(seal.c.sealed_at, sa.types.NullType()).label("sealed_at"),
)
"""The time as the database gives it: one that was edited may be none."""
_LAST = _SEALS.order_by(seal.c.number.desc()).limit(1)
_LAST_OVER = _LAST.where(seal.c.subject == sa.bindparam("subject"))


def walk(connection: Connection, until: int | None = None) -> Iterator[Seal]:
    """The chain from its beginning."""
    statement = _SEALS.order_by(seal.c.number)
    if until is not None:
        statement = statement.where(seal.c.number <= until)
    return map(_read, connection.execute(statement).mappings())


def last_seal(connection: Connection, subject: str | None = None) -> Seal | None:
    """The head of the chain, or the newest seal over a subject."""
    statement = _LAST if subject is None else _LAST_OVER
    row = connection.execute(statement, {"subject": subject}).mappings().first()
    return _read(row) if row else None


def seal_of(connection: Connection, subject: Subject) -> Seal | None:
    """The newest seal over a subject: its own, else that over the older store which had it."""
    own = last_seal(connection, str(subject))
    if own is not None:
        return own
    older = last_seal(connection, STORE)
    return older if older is not None and str(subject) in older.covered() else None


def add_seal(connection: Connection, made: Seal, at: datetime) -> None:
    values = {name: getattr(made, name) for name in Seal.__slots__ if name not in ("at", "by")}
    connection.execute(seal.insert(), {**values, "sealed_at": at, "sealed_by": made.by})


def add_key(connection: Connection, key_id: str, pem: str, at: datetime) -> None:
    """Where it was not there."""
    if connection.scalar(sa.select(seal_key.c.id).where(seal_key.c.id == key_id)) is None:
        values = {"id": key_id, "public_key": pem, "recorded_at": at}
        connection.execute(seal_key.insert().values(**values))


def public_keys(connection: Connection) -> dict[str, str]:
    rows = connection.execute(sa.select(seal_key.c.id, seal_key.c.public_key))
    return {row.id: row.public_key for row in rows}


def instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime(ISO)


def _read(row: Any) -> Seal:
    values = dict(row)
    at, by = values.pop("sealed_at"), values.pop("sealed_by")
    return Seal(**values, at=instant(at) if isinstance(at, datetime) else str(at), by=by)
