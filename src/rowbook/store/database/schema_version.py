"""The version of a store's tables: read at every opening, brought up to date when it is old."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook import write_points
from rowbook.errors import RowbookError
from rowbook.private_files import make_private_file
from rowbook.store.database.address import PostgresAddress, SqliteAddress
from rowbook.store.database.connections import WAIT_SECONDS, StoreDatabase
from rowbook.store.database.tables import VERSION_TABLE

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
"""All versions of the tables, oldest first. Alembic's scripts say the same, but take longer to ask
than opening a store may take."""
NEWEST = REVISIONS[-1]
_SEALS = "0007"
"""The version that brought seals."""

MIGRATIONS = Path(__file__).parents[1] / "migrations"


def stamped(connection: Connection, database: StoreDatabase) -> str | None:
    """The version of the tables; None where there are none yet. Refuses what is not a store, and
    what a newer Rowbook made."""
    label = database.address.label
    names = _table_names(connection, database)
    if not names:
        return None
    found = None
    if VERSION_TABLE in names:
        found = connection.scalar(sa.text(f"SELECT version_num FROM {VERSION_TABLE}"))
    if not isinstance(found, str):
        raise RowbookError.of("STORE_002", f"{label} holds tables, but is no store of Rowbook")
    if found not in REVISIONS:
        raise RowbookError.of(
            "STORE_003",
            f"the store {label} was made by a newer Rowbook (its schema is {found}, this Rowbook"
            f" knows up to {NEWEST})",
        )
    return found


def bring_up_to_date(database: StoreDatabase, seal: Callable[[Connection], None]) -> None:
    """Makes the tables, or changes old ones, in one transaction: whoever comes second finds the
    work done, and a crash leaves the old or the new. `seal` is for what a store had before there
    were seals: not in a migration, as what a record is follows the newest tables."""
    with database.writing("the store's schema") as connection:
        if isinstance(database.address, PostgresAddress):
            _make_schema(connection, database.address.schema)
        version = stamped(connection, database)
        if version == NEWEST:
            return
        if version is not None and isinstance(database.address, SqliteAddress):
            _copy(database.address.path, version)
        migrate(connection, NEWEST)
        if version is not None and version < _SEALS:
            seal(connection)


def copy_name(path: Path, version: str) -> Path:
    return path.with_name(f"{path.stem}.schema-{version}{path.suffix}")


def migrate(connection: Connection, revision: str) -> None:
    """Runs the scripts up to a version. Imports Alembic only here: a store that is up to date does
    without."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _table_names(connection: Connection, database: StoreDatabase) -> set[str]:
    if isinstance(database.address, SqliteAddress):
        statement = sa.text("SELECT name FROM sqlite_master WHERE type = 'table'")
        return set(connection.scalars(statement))
    statement = sa.text("SELECT tablename FROM pg_tables WHERE schemaname = :schema")
    return set(connection.scalars(statement, {"schema": database.address.schema}))


def _make_schema(connection: Connection, name: str) -> None:
    """Looks first: CREATE … IF NOT EXISTS needs the right to create even where it does nothing."""
    there = sa.text("SELECT 1 FROM pg_namespace WHERE nspname = :name")
    if connection.scalar(there, {"name": name}) is None:
        connection.execute(sa.schema.CreateSchema(name))


def _copy(path: Path, version: str) -> None:
    """A copy of the file as it is committed, through SQLite itself, as part of it may still be in
    the write-ahead log. The name appears only when the copy is whole."""
    partial = path.with_name(f"{path.name}.copying")
    partial.unlink(missing_ok=True)
    make_private_file(partial)
    with (
        closing(sqlite3.connect(path, timeout=WAIT_SECONDS)) as source,
        closing(sqlite3.connect(partial)) as target,
    ):
        source.backup(target)
    write_points.write_point("before the copy of the store")
    partial.replace(copy_name(path, version))
    write_points.write_point("after the copy of the store")
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
