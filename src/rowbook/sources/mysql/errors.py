"""What a database, or the way to it, says when something fails, in one line of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pymysql
from pymysql.constants import CR, ER

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.database import Database, unusable, unwritable
from rowbook.sources.databases.driver_errors import without_values

_HELD = "others hold it, and did not let go of it in time"
_SEE_WHO = "see who does in information_schema.innodb_trx, and run again"
_LOCKED = frozenset({ER.LOCK_WAIT_TIMEOUT, ER.LOCK_DEADLOCK})
_DENIED = frozenset(
    {
        *(ER.DBACCESS_DENIED_ERROR, ER.TABLEACCESS_DENIED_ERROR, ER.COLUMNACCESS_DENIED_ERROR),
        *(ER.SPECIFIC_ACCESS_DENIED_ERROR, ER.ACCESS_DENIED_ERROR),
    }
)
_GONE = frozenset({ER.NO_SUCH_TABLE, ER.BAD_DB_ERROR})
_LOST = frozenset({CR.CR_SERVER_GONE_ERROR, CR.CR_SERVER_LOST})


def number_of(error: pymysql.Error) -> int:
    """The server's, or the client's; 0 where there is none."""
    return error.args[0] if error.args and isinstance(error.args[0], int) else 0


def is_gone(error: pymysql.Error) -> bool:
    """Whether there is no such table or schema."""
    return number_of(error) in _GONE


def is_lost(error: pymysql.Error) -> bool:
    """Whether the connection is gone, and what the server did is not known."""
    return number_of(error) in _LOST or isinstance(error, pymysql.InterfaceError)


def reason(error: pymysql.Error) -> str:
    """What the server said, or why it is not reached, without values of rows."""
    said = str(error.args[-1]).strip() if error.args else ""
    return without_values(said.partition("\n")[0] or type(error).__name__)


def quoted(name: TableName) -> str:
    return f"{quoted_label(name.schema)}.{quoted_label(name.name)}"


def quoted_label(name: str) -> str:
    """A name as somebody would type it in a statement."""
    escaped = name.replace("`", "``")
    return f"`{escaped}`"


@contextmanager
def asking(database: Database, label: str) -> Iterator[None]:
    """Around questions to a database: what goes wrong is DATASOURCE_010."""
    try:
        yield
    except pymysql.Error as error:
        if number_of(error) in _LOCKED:
            raise unusable(database, label, _HELD, hint=_SEE_WHO) from error
        raise unusable(database, label, reason(error), hint=_hint(error, database)) from error


def _hint(error: pymysql.Error, database: Database) -> str | None:
    if number_of(error) in _DENIED - {ER.ACCESS_DENIED_ERROR}:
        return f"grant {database.user or 'the user'} SELECT on the table"
    if "which is not allowed" in reason(error):
        return (
            "nothing was sent. Name a user whose plugin is mysql_native_password, or check the"
            " server's certificate with sslMode=verify-full in the url"
        )
    return None


@contextmanager
def writing(label: str, hint: str | None = None) -> Iterator[None]:
    """What goes wrong is OUTPUT_006; `hint` says what to grant where the user may not do it."""
    try:
        yield
    except pymysql.Error as error:
        if number_of(error) in _LOCKED:
            raise unwritable(label, _HELD, hint=_SEE_WHO) from error
        hint = hint if number_of(error) in _DENIED else None
        raise unwritable(label, reason(error), hint=hint) from error
