"""Where pages go, reports and proofs: to a file, all or nothing. Messages say what page it is."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from uuid import uuid4

from rowbook.errors import RowbookError


def check_place(path: Path, what: str) -> Path:
    """Where a file of that name would be; refused (USAGE_001) where it could not be written."""
    there = None
    try:
        target = path.resolve()
        with contextlib.suppress(FileNotFoundError):
            there = target.stat().st_mode
    except (OSError, ValueError) as error:
        raise _cannot(path, what, error) from error
    if there is not None and not (stat.S_ISREG(there) and os.access(target, os.W_OK)):
        other = "a folder" if stat.S_ISDIR(there) else "not a file that can be written"
        raise RowbookError.of("USAGE_001", f"the {what} cannot go to {path}: it is {other}")
    if not target.parent.is_dir():
        message = f"the {what} cannot go to {path}: there is no such folder"
        raise RowbookError.of("USAGE_001", message, hint=f"make the folder {path.parent} first")
    try:
        beside = _beside(target)
        beside.touch(exist_ok=False)
        beside.unlink()
    except OSError as error:
        raise _cannot(path, what, error) from error
    return target


def save(text: str, path: Path, what: str) -> None:
    """Writes a text to a place that was checked; a file that is there is replaced as a whole."""
    beside = _beside(path)
    try:
        try:
            with beside.open("x", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot(path, what, error) from error


def _beside(path: Path) -> Path:
    return path.parent / f".rowbook-report-{uuid4().hex}"


def _cannot(path: Path, what: str, error: OSError | ValueError) -> RowbookError:
    why = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return RowbookError.of("USAGE_001", f"the {what} cannot be written to {path}: {why}")
