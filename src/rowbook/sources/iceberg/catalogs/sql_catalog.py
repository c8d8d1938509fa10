"""The catalog that Iceberg keeps in a database, in a table `iceberg_tables`: PostgreSQL or SQLite.

What a table is, is exchanged by one UPDATE of its row. The claim of an output is a row too, of a
catalog by another name, which nobody else looks at; it goes in the transaction that publishes the
output.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rowbook.locations.jdbc_urls import SQLITE
from rowbook.sources.iceberg.catalogs.catalog import (
    CatalogAddress,
    ClaimLostError,
    OutputName,
    joined,
)
from rowbook.sources.iceberg.lake_files import (
    ensure_folder,
    local_folder,
    remove_file,
    write_new,
)
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.source_errors import UnreachableError
from rowbook.sources.stores.object_path import DataPath
from rowbook.write_points import write_point

DEFAULT_NAME = "iceberg"
_OWN = "rowbook:"
"""Before the name of a catalog: where its claims are."""
_STAGED, _RELEASED = "staged", "released"
_LONGEST_WAIT = 30.0
_CREATE = (
    "CREATE TABLE IF NOT EXISTS iceberg_tables (catalog_name VARCHAR(255) NOT NULL,"
    " table_namespace VARCHAR(255) NOT NULL, table_name VARCHAR(255) NOT NULL,"
    " metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000),"
    " iceberg_type VARCHAR(5), PRIMARY KEY (catalog_name, table_namespace, table_name))",
    "CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (catalog_name VARCHAR(255) NOT NULL,"
    " namespace VARCHAR(255) NOT NULL, property_key VARCHAR(255), property_value VARCHAR(1000),"
    " PRIMARY KEY (catalog_name, namespace, property_key))",
)
"""As Iceberg makes them, where it finds none."""
_ROW = "catalog_name = ? AND table_namespace = ? AND table_name = ?"
_INSERT = (
    "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location,"
    " previous_metadata_location) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)


class _Connection(Protocol):
    """What both databases have."""

    def execute(self, statement: str, values: tuple[Any, ...] = ...) -> Any: ...


@dataclass(frozen=True, slots=True)
class SqlCatalog:
    address: CatalogAddress

    def metadata_file(self, name: tuple[str, ...]) -> str | None:
        with self._asking() as connection:
            found = _location(connection, self._row(name))
            return None if found is None else str(found[0])

    def new_location(self, name: tuple[str, ...]) -> DataPath:
        return joined(self.address.warehouse, name)

    def claim(self, name: tuple[str, ...], output: OutputName, location: DataPath) -> None:
        with self._asking(writing=True) as connection:
            for statement in _CREATE:
                connection.execute(statement)
            connection.execute(_INSERT, (*self._claim(name, output), str(location), _STAGED))

    def exchange(
        self,
        name: tuple[str, ...],
        output: OutputName,
        base: TableMetadata | None,
        content: Mapping[str, Any],
    ) -> bool:
        """The new metadata is there before the row names it. It is removed where that is known
        not to do so: a connection that is lost may have done it all the same."""
        version = 0 if base is None else _number(base.file) + 1
        folder = self.address.place(str(content["location"])) / "metadata"
        ensure_folder(folder)
        file = folder / f"{version:05}-{secrets.token_hex(16)}.metadata.json"
        write_new(file, json.dumps(content).encode())
        write_point("the metadata of an Iceberg table is written")
        try:
            with self._asking(writing=True) as connection:
                is_ours = self._exchange(connection, name, output, base, str(file))
        except ClaimLostError:
            remove_file(file)
            raise
        if not is_ours:
            remove_file(file)
        write_point("an Iceberg table has its new metadata")
        return is_ours

    def _exchange(
        self,
        connection: _Connection,
        name: tuple[str, ...],
        output: OutputName,
        base: TableMetadata | None,
        file: str,
    ) -> bool:
        """Two statements of one transaction; the second is undone where the first found nothing."""
        row = self._row(name)
        if base is None:
            changed = connection.execute(_INSERT, (*row, file, None))
        else:
            changed = connection.execute(
                "UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?"
                f" WHERE {_ROW} AND metadata_location = ?",
                (file, base.file, *row, base.file),
            )
        if changed.rowcount != 1:
            return False
        ended = connection.execute(
            f"DELETE FROM iceberg_tables WHERE {_ROW} AND previous_metadata_location = ?",
            (*self._claim(name, output), _STAGED),
        )
        if ended.rowcount != 1:
            raise ClaimLostError
        return True

    def release(self, name: tuple[str, ...], output: OutputName) -> DataPath | None:
        claim = self._claim(name, output)
        with self._asking(writing=True) as connection:
            if not _is_there(connection):
                return None
            connection.execute(
                f"UPDATE iceberg_tables SET previous_metadata_location = ? WHERE {_ROW}",
                (_RELEASED, *claim),
            )
            found = _location(connection, claim)
        return None if found is None else self.address.place(str(found[0]))

    def forget(self, name: tuple[str, ...], output: OutputName) -> None:
        with self._asking(writing=True) as connection:
            if _is_there(connection):
                connection.execute(
                    f"DELETE FROM iceberg_tables WHERE {_ROW}", self._claim(name, output)
                )

    def _row(self, name: tuple[str, ...]) -> tuple[str, str, str]:
        return self._name, ".".join(name[:-1]), name[-1]

    def _claim(self, name: tuple[str, ...], output: OutputName) -> tuple[str, str, str]:
        """Names are within the 255 characters of a column; a run's is not more than 63."""
        return f"{_OWN}{self._name}", ".".join(name), output.tag

    @property
    def _name(self) -> str:
        return self.address.options.get("name") or DEFAULT_NAME

    @contextmanager
    def _asking(self, *, writing: bool = False) -> Iterator[_Connection]:
        """A transaction, committed at its end."""
        url = self.address.options.get("url", "")
        is_file = url.startswith(SQLITE)
        with self._sqlite(url, writing=writing) if is_file else self._postgres() as connection:
            yield connection

    @contextmanager
    def _sqlite(self, url: str, *, writing: bool) -> Iterator[_Connection]:
        """A file that is not there is made by who writes; for others it is empty."""
        file = local_folder(url.removeprefix(SQLITE), self.address.boundary)
        place = file if writing or file.exists() else ":memory:"
        try:
            with closing(sqlite3.connect(place, _LONGEST_WAIT, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
                yield connection
                connection.execute("COMMIT")
        except sqlite3.Error as cause:
            raise UnreachableError(f"the catalog {file.name} cannot be used: {cause}") from cause

    @contextmanager
    def _postgres(self) -> Iterator[_Connection]:
        import psycopg

        from rowbook.sources.postgres.connection import connected
        from rowbook.sources.postgres.errors import reason

        database = self.address.database
        try:
            with connected(database) as connection, connection.transaction():
                yield _Numbered(connection)
        except psycopg.Error as cause:
            said = f"the catalog {database.address.label} cannot be used: {reason(cause)}"
            raise UnreachableError(said) from cause


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A connection of PostgreSQL, whose statements hold values otherwise."""

    connection: Any

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> Any:
        return self.connection.execute(statement.replace("?", "%s"), values)


def _is_there(connection: _Connection) -> bool:
    """Whether the database is a catalog yet."""
    if isinstance(connection, sqlite3.Connection):
        found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'iceberg_tables'")
    else:
        found = connection.execute("SELECT 1 WHERE to_regclass('iceberg_tables') IS NOT NULL")
    return found.fetchone() is not None


def _location(connection: _Connection, row: tuple[str, str, str]) -> tuple[Any, ...] | None:
    if not _is_there(connection):
        return None
    found: tuple[Any, ...] | None = connection.execute(
        f"SELECT metadata_location FROM iceberg_tables WHERE {_ROW}", row
    ).fetchone()
    return found


def _number(file: str) -> int:
    """That a metadata file begins with: files are numbered for people."""
    first = Path(file).name.partition("-")[0]
    return int(first) if first.isdecimal() else 0
