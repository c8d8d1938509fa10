"""Putting a finished folder in the place of a table, so that readers see the old one or the new.

On Linux one system call exchanges the two. Where the file system cannot, two renames do, and a
journal written before them says how to finish if the process dies in between. Nothing but hidden
names stands beside a table at any time: `.<table>.staging-<run>`, `.<table>.old-<run>`,
`.<table>.journal-<run>`.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
_CANNOT = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM})
_BESIDE = re.compile(r"\.(?P<table>.+)\.(?P<what>staging|old|journal)-(?P<run>[^.]+)")
_GRACE = 0.05
"""Seconds between publishing and removing: who listed the old folder at that moment is through."""


def beside(table: Path, what: str, run_id: str) -> Path:
    """A hidden name beside a table."""
    return table.with_name(f".{table.name}.{what}-{run_id}")


def publish(staged: Path, table: Path, run_id: str) -> None:
    """Makes a staged folder the table; what was the table is removed. Both are on one file system,
    and the staged one is on disk before anything is replaced."""
    _sync(staged)
    if not os.path.lexists(table):
        staged.rename(table)
        _sync_folder(table.parent)
        return
    old = staged if _exchange(staged, table) else _swap(staged, table, run_id)
    _sync_folder(table.parent)
    time.sleep(_GRACE)
    with suppress(OSError):
        remove(old)


def recover(folder: Path, is_alive: Callable[[str], bool] = lambda _: False) -> tuple[str, ...]:
    """Finishes or undoes what dead runs left in a folder of tables: a swap that was begun is
    finished, and what nobody needs any more removed. Returns the tables concerned."""
    found = [(entry, m) for entry in folder.iterdir() if (m := _BESIDE.fullmatch(entry.name))]
    dead = [(entry, m) for entry, m in found if not is_alive(m["run"])]
    for _, m in dead:
        if m["what"] == "journal":
            _finish(folder / m["table"], m["run"])
    for entry, m in dead:
        if m["what"] != "journal":
            remove(entry)
    return tuple(sorted({m["table"] for _, m in dead}))


def finish_swaps(table: Path) -> None:
    """Ends swaps of a table that died half-way. Call it while holding the table's folder: a live
    one holds it too."""
    for entry in table.parent.iterdir():
        m = _BESIDE.fullmatch(entry.name)
        if m and m["what"] == "journal" and m["table"] == table.name:
            _finish(table, m["run"])


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds a folder's tables for one writer at a time, where the file system knows locks."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Removes a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _exchange(one: Path, other: Path) -> bool:
    """Exchanges two names in one step; False where the file system cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    names = os.fsencode(one), os.fsencode(other)
    if libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(other))


def _swap(staged: Path, table: Path, run_id: str) -> Path:
    """Two renames under a journal, whose presence means: the staged folder is whole. Gives where
    the old table is."""
    journal, old = beside(table, "journal", run_id), beside(table, "old", run_id)
    journal.touch()
    _sync_folder(table.parent)
    table.rename(old)
    try:
        _sync_folder(table.parent)
        staged.rename(table)
    except BaseException:
        old.rename(table)
        raise
    finally:
        _sync_folder(table.parent)
        journal.unlink()
    return old


def _finish(table: Path, run_id: str) -> None:
    """Ends a swap wherever it was left."""
    halves = beside(table, "staging", run_id), beside(table, "old", run_id)
    whole = next((half for half in halves if half.exists()), None)
    if whole is not None and not os.path.lexists(table):
        whole.rename(table)
        _sync_folder(table.parent)
    beside(table, "journal", run_id).unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Brings a folder and all in it to the disk."""
    for place, _, files in os.walk(folder):
        for name in files:
            _sync_file(Path(place, name))
        _sync_folder(Path(place))


def _sync_file(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(path: Path) -> None:
    """What a folder lists; some file systems have no such thing."""
    with suppress(OSError):
        _sync_file(path)
