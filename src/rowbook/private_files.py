"""Folders and files that are for their owner alone, whatever the umask says."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

STATE = ".rowbook"
"""The folder of a workspace that is Rowbook's own."""
_FOLDER, _FILE = 0o700, 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(path: Path) -> None:
    """Makes a folder, and those above it that are missing. One that is there stays as it is."""
    if path.is_dir():
        return
    make_private_folder(path.parent)
    try:
        path.mkdir(_FOLDER)
        path.chmod(_FOLDER)
    except FileExistsError:
        if not path.is_dir():
            raise


def make_private_file(path: Path) -> None:
    """Makes an empty file where none is."""
    with suppress(FileExistsError):
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE)
        try:
            os.fchmod(handle, _FILE)
        finally:
            os.close(handle)


def restrict(*paths: Path) -> None:
    """Takes the rights of others away from files and folders of this user. What is not there, is a
    link or belongs to somebody else is left. Nothing is opened: closing a file would give up the
    locks that SQLite has on it."""
    for path in paths:
        with suppress(OSError):
            found = path.lstat()
            if stat.S_ISLNK(found.st_mode) or found.st_uid != os.getuid():
                continue
            if found.st_mode & _OTHERS:
                path.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)


def is_own(*paths: Path) -> bool:
    """Whether all of these are there and belong to this user; of a link, what it leads to."""
    try:
        return all(path.stat().st_uid == os.getuid() for path in paths)
    except OSError:
        return False
