"""Removing what Rowbook made, and nothing else: the one way wherever a store may have named the
path or the run.

A folder was found inside the boundary before anything in it is removed. From there on no link is
followed, and the name must be one that Rowbook gives.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rowbook.locations.file_options import ENDINGS
from rowbook.private_files import STATE

_SANDBOX, _INPUTS, _EVIDENCE, _UPLOADS = "sandbox", "inputs", "evidence", "uploads"
BESIDE = re.compile(
    r"\.(?P<table>.+)\.(?P<what>staging|old|journal|replaced)-(?P<run>[^./]+)"
    r"(?P<written>\.[0-9a-f]{8}(-rewritten)?)?"
)
"""What stands beside a table for a run; `written` is for what Spark writes."""
_STAGED_TABLE = re.compile(r"_rowbook_[^./]+_\d+(?:_\d+)?")
"""The folder that an output is written to, in that of an Iceberg table."""
_A_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class NotOursError(OSError):
    """What is to be removed is not Rowbook's own; `reason` says why that is seen."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} is not removed: {reason}")
        self.reason = reason


def is_run_id(text: str) -> bool:
    """Whether a text is an id as runs get it: only such become part of a path."""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


_OWN: dict[str, Callable[[str], object]] = {
    _SANDBOX: is_run_id,
    _INPUTS: is_run_id,
    _UPLOADS: is_run_id,
    _EVIDENCE: re.compile("[0-9a-f]{64}").fullmatch,
}
"""Names that Rowbook gives, in folders of a workspace's state."""


def sandbox_folder(root: Path, run_id: str, shared: str | None = None) -> Path:
    """Where a draft of a workspace writes; `shared` is the engine's `sandbox`."""
    return root / (shared or f"{STATE}/{_SANDBOX}") / run_id


def kept_input_folder(root: Path, run_id: str) -> Path:
    """Where second names of input files are while a run reads them."""
    return root / STATE / _INPUTS / run_id


def upload_folder(root: Path, run_id: str) -> Path:
    """Where files are made that are put into an object store."""
    return root / STATE / _UPLOADS / run_id


def evidence_folder(root: Path) -> Path:
    """Where contents of what runs read are kept."""
    return root / STATE / _EVIDENCE


def remove_inside(path: Path, folder: Path) -> None:
    """Removes a file or a folder with all that is in it: a run's sandbox or kept input or a content
    kept as evidence, where `folder` is the state of a workspace, or a hidden name in the folder of
    a table. What is gone already is removed."""
    parts = _parts(path, folder)
    if folder.name == STATE and len(parts) == 2:
        own = bool(parts[0] in _OWN and _OWN[parts[0]](parts[1]))
    else:
        own = len(parts) == 1 and bool(BESIDE.fullmatch(parts[0]))
    if not own:
        raise NotOursError(path, "it has no name that Rowbook gives")
    _remove(path, folder, parts)


def remove_shared_sandbox(path: Path, folder: Path) -> None:
    """The same for a run's sandbox in the folder that the engine's `sandbox` is."""
    parts = _parts(path, folder)
    if len(parts) != 1 or not is_run_id(parts[0]):
        raise NotOursError(path, "it has no name that Rowbook gives")
    _remove(path, folder, parts)


def remove_staged_table(path: Path, table: Path) -> None:
    """Removes the folder of an output that is not published, in that of an Iceberg table."""
    parts = _parts(path, table)
    if len(parts) != 1 or not _STAGED_TABLE.fullmatch(parts[0]):
        raise NotOursError(path, "it has no name that Rowbook gives")
    _remove(path, table, parts)


def _remove(path: Path, folder: Path, parts: tuple[str, ...]) -> None:
    with _holding(folder, parts[:-1], path) as place:
        mode = _mode(parts[-1], place)
        if stat.S_ISLNK(mode):
            raise NotOursError(path, "it is a link")
        if stat.S_ISDIR(mode):
            shutil.rmtree(parts[-1], dir_fd=place)
        elif mode:
            os.unlink(parts[-1], dir_fd=place)


def remove_replaced(file: Path, table: Path) -> None:
    """Removes the one file that was a table, after a folder took its place; of a link the link
    alone."""
    if not is_single_file(file, table):
        raise NotOursError(file, f"it is not the file of {table.name}")
    with _holding(table.parent, (), file) as place:
        mode = _mode(file.name, place)
        if mode and not stat.S_ISDIR(mode):
            os.unlink(file.name, dir_fd=place)


def is_single_file(file: Path, table: Path) -> bool:
    """Whether a file may be what a table was before it became a folder."""
    endings = (ending for each in ENDINGS.values() for ending in each)
    return file in (table.with_name(table.name + ending) for ending in endings)


def _parts(path: Path, folder: Path) -> tuple[str, ...]:
    if not path.is_relative_to(folder) or ".." in path.parts:
        raise NotOursError(path, f"it is not inside {folder}")
    return path.relative_to(folder).parts


@contextmanager
def _holding(folder: Path, below: tuple[str, ...], path: Path) -> Iterator[int | None]:
    """A handle of the folder that a path is in, None where it is not there. It is opened step by
    step, so that no link is followed, nor one that comes meanwhile."""
    place: int | None = None
    with ExitStack() as opened:
        try:
            for name in (str(folder), *below):
                place = os.open(name, _A_FOLDER, dir_fd=place)
                opened.callback(os.close, place)
        except FileNotFoundError:
            place = None
        except OSError as error:
            if error.errno not in (errno.ENOTDIR, errno.ELOOP):
                raise
            raise NotOursError(path, "a link or a file is in the place of a folder") from None
        yield place


def _mode(name: str, place: int | None) -> int:
    """0 where there is nothing."""
    if place is None:
        return 0
    try:
        return os.stat(name, dir_fd=place, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return 0
