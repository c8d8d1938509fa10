"""What a database, or the way to it, says when something fails, in one line of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors, sql

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.database import Database, unusable, unwritable

_HELD = "others hold it, and did not let go of it in time"
_SEE_WHO = "see who does in pg_locks, and run again"
_OTHER_AUTH = "authentication method requirement"


def reason(error: psycopg.Error) -> str:
    """What the server said, or why it is not reached; no details, as they hold values of rows."""
    said = error.diag.message_primary or str(error).strip() or type(error).__name__
    return said.partition("\n")[0]


def quoted(name: TableName) -> sql.Identifier:
    return sql.Identifier(name.schema, name.name)


def quoted_label(*parts: str) -> str:
    """A name as somebody would type it in a statement."""
    return sql.Identifier(*parts).as_string(None)


@contextmanager
def asking(database: Database, label: str) -> Iterator[None]:
    """Around questions to a database: what goes wrong is DATASOURCE_010."""
    try:
        yield
    except errors.LockNotAvailable as error:
        raise unusable(database, label, _HELD, hint=_SEE_WHO) from error
    except psycopg.Error as error:
        raise unusable(database, label, reason(error), hint=_hint(error, database)) from error


def _hint(error: psycopg.Error, database: Database) -> str | None:
    if isinstance(error, errors.InsufficientPrivilege):
        return f"grant {database.user or 'the user'} USAGE on the schema and SELECT on the table"
    if _OTHER_AUTH in str(error):
        return (
            "the server asks for a password in a way that is not allowed: nothing was sent."
            " If it may, name that way as auth of its entry under credentials in rowbook.yaml"
        )
    return None


@contextmanager
def writing(label: str, hint: str | None = None) -> Iterator[None]:
    """What goes wrong is OUTPUT_006; `hint` says what to grant where the user may not do it."""
    try:
        yield
    except errors.LockNotAvailable as error:
        raise unwritable(label, _HELD, hint=_SEE_WHO) from error
    except psycopg.Error as error:
        refused = isinstance(error, errors.InsufficientPrivilege)
        raise unwritable(label, reason(error), hint=hint if refused else None) from error
