"""Entities by name or id, and names that change."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.errors import RowbookError


def find_id(
    connection: Connection, table: sa.Table, reference: str, *within: sa.ColumnElement[bool]
) -> str | None:
    """The id behind a reference, which is a name or an id however it is written."""
    for column, value in ((table.c.name, reference), (table.c.id, _canonical(reference))):
        found: str | None = connection.scalar(sa.select(table.c.id).where(column == value, *within))
        if found is not None:
            return found
    return None


def rename(
    connection: Connection,
    table: sa.Table,
    names: Mapping[str, str],
    kind: str,
    *within: sa.ColumnElement[bool],
) -> None:
    """Gives existing entities the names that `names` has for their ids. Two may swap their names;
    a name that stays with another id is refused, as nobody could say which of the two is meant."""
    rows = connection.execute(sa.select(table.c.id, table.c.name).where(*within))
    before = {row.id: row.name for row in rows}
    after: dict[str, str] = {}
    for entity, name in (before | dict(names)).items():
        if name in after:
            raise RowbookError.of(
                "STORE_006", f"the {kind} '{name}' has the ids {after[name]} and {entity}"
            )
        after[name] = entity
    changed = {e: names[e] for e, name in before.items() if names.get(e, name) != name}
    # First away from all old names, as a unique name is checked at every single change.
    for passing in ({e: f"renaming {e}" for e in changed}, changed):
        for entity, name in passing.items():
            statement = table.update().where(table.c.id == entity, *within)
            connection.execute(statement.values(name=name))


def _canonical(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return text
