"""Temporary folders of sessions, and what killed ones left of theirs.

Who makes a folder holds a lock in it until the end, and so does its JVM: a folder whose lock is
free belongs to nobody any more.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rowbook.private_files import make_private_file

PREFIX = "rowbook-spark-"
_LOCK = ".lock"
_A_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_SECONDS = 2.0
"""How long a start may be held up by removing: what is left then, the next one goes on with."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """`lock` is the handle of the lock, for processes that use the folder too."""

    folder: Path
    lock: int


@contextlib.contextmanager
def scratch_folder(place: Path | None) -> Iterator[Scratch]:
    """A folder in a place, else in the system's temporary folder, for this user alone. It is
    removed at the end, and what dead processes left beside it is removed now."""
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)
    above = Path(place or tempfile.gettempdir()).resolve()
    sweep(above)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=above))
    lock = None
    try:
        folder.chmod(0o700)
        lock = _locked(folder)
        yield Scratch(folder, lock)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def sweep(above: Path, seconds: float = _SECONDS) -> None:
    """Removes folders of this user's processes that are gone. A folder without a lock is not known
    to be anybody's, and stays; so does one that has links in its way, or is on a file system that
    has no locks."""
    deadline = time.monotonic() + seconds
    with contextlib.suppress(OSError), os.scandir(above) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX):
                with contextlib.suppress(OSError):
                    _remove_dead(Path(entry.path), deadline)


def _locked(folder: Path) -> int:
    """The lock has its name only once it is held: whoever sees one that is free sees a dead one."""
    fresh = folder / f"{_LOCK}.new"
    make_private_file(fresh)
    lock = os.open(fresh, os.O_RDWR | os.O_NOFOLLOW)
    with contextlib.suppress(OSError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fresh.rename(folder / _LOCK)
    return lock


def _remove_dead(folder: Path, deadline: float) -> None:
    place = os.open(folder, _A_FOLDER)
    try:
        if os.fstat(place).st_uid != os.getuid():
            return
        lock = os.open(_LOCK, os.O_RDWR | os.O_NOFOLLOW, dir_fd=place)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _empty(place, deadline):
                os.unlink(_LOCK, dir_fd=place)
                folder.rmdir()
        finally:
            os.close(lock)
    finally:
        os.close(place)


def _empty(place: int, deadline: float) -> bool:
    """Removes all but the lock; False where the time is up before."""
    for path, folders, files, handle in os.fwalk(".", topdown=False, dir_fd=place):
        for name in (*folders, *files):
            if time.monotonic() > deadline:
                return False
            if path == "." and name == _LOCK:
                continue
            mode = os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode
            (os.rmdir if stat.S_ISDIR(mode) else os.unlink)(name, dir_fd=handle)
    return True
