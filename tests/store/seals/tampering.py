"""Changes of a store behind its back, by SQL."""

from __future__ import annotations

import sqlalchemy as sa

from rowbook.store import Store


def tamper(store: Store, statement: str) -> None:
    with store._database.writing("tampering") as connection:
        assert connection.execute(sa.text(statement)).rowcount == 1


def findings(store: Store) -> list[str]:
    return [str(each) for each in store.seals.verify().findings]


def kinds(store: Store) -> list[str]:
    """Of all seals, in their order."""
    with store._database.reading() as connection:
        return list(connection.scalars(sa.text("SELECT kind FROM seal ORDER BY number")))
