"""A table for one writer at a time.

Two things keep the second one out: the turn of a run, which its store gives, on whatever machine it
is, and a lock on a hidden file beside the table, `.<table>.lock`, which reaches runs of other
workspaces. The file says who writes, and goes with the lock; the lock of a process that dies is
free, and its file is removed by whoever comes next. It is opened for writing, as locks of NFS need.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rowbook.sources.source import Publishing
from rowbook.sources.source_errors import output_error
from rowbook.sources.waiting import Waiting

_CANNOT = frozenset(
    {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
)
"""What a file system says that has no locks."""
_LONGEST = 1000


@contextmanager
def held(table: Path, label: str, publishing: Publishing) -> Iterator[None]:
    """OUTPUT_006 where another writer does not let go, or nothing would keep one out."""
    waiting = Waiting(label, publishing.on_wait)
    with locked(table, waiting, publishing.writer) as is_locked:
        if not (publishing.has_turn or is_locked):
            why = "cannot be written: its file system has no locks, to keep a second writer out"
            raise output_error(label, why, "write to another file system")
        yield


@contextmanager
def locked(table: Path, waiting: Waiting, writer: str = "") -> Iterator[bool]:
    """Whether the file system could do it; it is waited for."""
    path = lock_file(table)
    handle = _locked_handle(path, waiting)
    if handle is None:
        yield False
        return
    try:
        with suppress(OSError):  # another user's file: it cannot say who writes
            os.truncate(handle, 0)
            os.pwrite(handle, writer.encode()[:_LONGEST], 0)
        yield True
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(handle)


def remove_left_lock(table: Path) -> None:
    """What a dead writer left; of a live one it stays."""
    path = lock_file(table)
    try:
        handle = _open(path)
    except OSError:
        return
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(handle, path):
                path.unlink()
    finally:
        os.close(handle)


def lock_file(table: Path) -> Path:
    return table.with_name(f".{table.name}.lock")


def _locked_handle(path: Path, waiting: Waiting) -> int | None:
    while True:
        handle, ours = _open(path, os.O_CREAT), False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours = _is_at(handle, path)
            if ours:
                return handle
        except BlockingIOError:
            said = os.pread(handle, _LONGEST, 0).decode(errors="replace")
            waiting.pause(said or "another process", said)
        except OSError as error:
            if error.errno not in _CANNOT:
                raise
            path.unlink(missing_ok=True)
            return None
        finally:
            if not ours:
                os.close(handle)


def _open(path: Path, more: int = 0) -> int:
    """Of another user it may be readable alone, which is enough on a local disk."""
    flags = os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, os.O_RDWR | flags | more, 0o644)
    except PermissionError as refused:
        try:
            return os.open(path, os.O_RDONLY | flags)
        except FileNotFoundError:
            raise refused from None


def _is_at(handle: int, path: Path) -> bool:
    """Whether the file is still the one of this name: its last holder may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False
