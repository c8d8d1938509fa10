"""Opening a store: made where there is none, upgraded where it is old, refused where it is not
ours, too new, or out of reach."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import Connection

from rowbook.errors import RowbookError
from rowbook.private_files import STATE, make_private_file, make_private_folder, restrict
from rowbook.store.database.address import SqliteAddress, StoreAddress
from rowbook.store.database.connections import (
    WAIT_SECONDS,
    StoreClock,
    StoreDatabase,
    StoreError,
    store_clock,
)
from rowbook.store.database.schema_version import NEWEST, bring_up_to_date, stamped
from rowbook.store.runs.holders import this_process
from rowbook.store.seals.sealer import KeySource, Sealer, without_key
from rowbook.store.store import Store


def open_store(
    address: StoreAddress,
    password: str | None = None,
    clock: StoreClock = store_clock,
    key: KeySource = without_key,
) -> Store:
    """The store at an address, made if it is not there; its seals are signed with `key`."""
    if isinstance(address, SqliteAddress):
        _make_file(address.path)
    database, sealer = StoreDatabase(address, password, clock), Sealer(key)
    with _closed_on_failure(database):
        if _version(database) != NEWEST:
            if isinstance(address, SqliteAddress):
                _use_write_ahead_log(address.path)
            _bring_up_to_date(database, sealer)
    return Store(database, sealer)


def find_store(
    address: StoreAddress, password: str | None = None, key: KeySource = without_key
) -> Store | None:
    """The store at an address, None if there is none: for what only looks, and leaves no trace."""
    if isinstance(address, SqliteAddress) and _is_absent(address.path):
        return None
    database, sealer = StoreDatabase(address, password), Sealer(key)
    with _closed_on_failure(database):
        version = _version(database)
        if version is None:
            database.close()
            return None
        if version != NEWEST:
            _bring_up_to_date(database, sealer)
    return Store(database, sealer)


def _bring_up_to_date(database: StoreDatabase, sealer: Sealer) -> None:
    """What an older store had is sealed as it is; from then on it is covered."""

    def seal(connection: Connection) -> None:
        sealer.seal_store(connection, at=datetime.now(UTC), by=this_process().user)

    bring_up_to_date(database, seal)


def _version(database: StoreDatabase) -> str | None:
    if isinstance(database.address, SqliteAddress):
        _check_access(database.address.path)
        _restrict(database.address.path)
    with database.reading() as connection:
        return stamped(connection, database)


@contextmanager
def _closed_on_failure(database: StoreDatabase) -> Iterator[None]:
    """Failures while opening, in words: the file is no database, or it cannot be reached."""
    label = database.address.label
    try:
        yield
    except StoreError as failed:
        database.close()
        if failed.sqlite_error == "SQLITE_NOTADB":
            raise RowbookError.of("STORE_002", f"{label} is not a database") from None
        raise _out_of_reach(label, failed.text) from None
    except (OSError, sqlite3.Error) as error:
        database.close()
        raise _out_of_reach(label, str(error)) from None
    except BaseException:
        database.close()
        raise


def _out_of_reach(label: str, why: str) -> RowbookError:
    return RowbookError.of("STORE_001", f"the store {label} cannot be opened: {why}")


def _make_file(path: Path) -> None:
    """For its owner alone: SQLite gives the files that it puts beside a store the same rights."""
    try:
        make_private_folder(path.parent)
    except OSError as error:
        why = f"its folder cannot be made ({error.strerror})"
        raise _out_of_reach(str(path), why) from None
    with suppress(OSError):  # `_check_access` says it better
        make_private_file(path)


def _restrict(path: Path) -> None:
    """A store of an older Rowbook may have been readable to others; a folder of another name may
    have been made to be."""
    folder = path.parent
    copies = folder.glob(f"{path.stem}.schema-*{path.suffix}")
    restrict(path, *(path.with_name(path.name + end) for end in ("-wal", "-shm")), *copies)
    if folder.name == STATE:
        restrict(folder)


def _is_absent(path: Path) -> bool:
    """Not there; what may not be looked at is something else."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError as error:
        raise _out_of_reach(str(path), error.strerror or "it cannot be looked at") from None
    return False


def _check_access(path: Path) -> None:
    """Before SQLite is asked, which says 'unable to open' or fails only at the first change. The
    folder is written to as well: the write-ahead log stands beside the file."""
    if path.is_dir():
        raise _out_of_reach(str(path), "it is a folder")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise _out_of_reach(str(path), "its folder is not writable")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise _out_of_reach(str(path), "the file may not be read and written")


def _use_write_ahead_log(path: Path) -> None:
    """Readers then never wait. The file remembers it. Where several processes do this at once,
    SQLite refuses instead of waiting; where the file system cannot do it, it stays as it was."""
    deadline = time.monotonic() + WAIT_SECONDS
    with closing(sqlite3.connect(path, timeout=WAIT_SECONDS)) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchall()
                return
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                if not busy or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
