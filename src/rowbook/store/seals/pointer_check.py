"""Rows that only point to what counts: the latest version of a definition, version and status of a
project. They follow from what is sealed, and are compared with that."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.store.database import tables as t


def wrong_pointers(connection: Connection) -> Iterator[str]:
    """What points elsewhere, by kind and id."""
    d, v = t.definition, t.definition_version
    last = sa.select(sa.func.max(v.c.version)).where(v.c.kind == d.c.kind, v.c.id == d.c.id)
    same = sa.exists().where(
        *(v.c.kind == d.c.kind, v.c.id == d.c.id, v.c.name == d.c.name),
        *(v.c.version == d.c.latest, v.c.version == last.correlate(d).scalar_subquery()),
    )
    for kind, identity in connection.execute(sa.select(d.c.kind, d.c.id).where(~same)):
        yield f"{kind} {identity}"
    p, c, pv = t.project, t.project_change, t.project_version
    newest = sa.select(sa.func.max(c.c.number)).where(c.c.project_id == p.c.id)
    changed = sa.exists().where(
        *(c.c.project_id == p.c.id, c.c.number == newest.correlate(p).scalar_subquery()),
        *(c.c.version == p.c.version, c.c.status == p.c.status),
    )
    named = sa.exists().where(
        pv.c.project_id == p.c.id, pv.c.version == p.c.version, pv.c.name == p.c.name
    )
    for identity in connection.scalars(sa.select(p.c.id).where(~(changed & named))):
        yield f"project {identity}"
