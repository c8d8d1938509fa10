"""Putting a finished folder in the place of a table, so that readers see the old one or the new.

On Linux one system call exchanges the two. Where the file system cannot, two renames do, and a
journal written before them says how to finish if the process dies in between. Nothing but hidden
names stands beside a table at any time: `.<table>.staging-<run>-<seq>`, which gets a further number
from whoever is about to publish it, `.<table>.staging-<run>-sheet-<seq>` (rows of a workbook to be)
and `.<table>.staging-<run>.<number>` (what Spark writes for either), `.<table>.old-<run>-<seq>…`,
`.<table>.journal-<run>-<seq>…`, and its lock.
"""

from __future__ import annotations

import ctypes
import errno
import glob
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from rowbook.errors import RowbookError
from rowbook.locations.removal import BESIDE, NotOursError, remove_inside
from rowbook.sources.files.listing import MARK
from rowbook.sources.publishing.marks import is_marked, marked_outputs
from rowbook.sources.publishing.replaced_tables import keep_replaced, prune_replaced
from rowbook.sources.publishing.table_lock import locked, remove_left_lock
from rowbook.sources.source_errors import UnreachableError
from rowbook.sources.waiting import Waiting
from rowbook.write_points import write_point

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
_CANNOT = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM})
_PATIENCE = 10.0
"""Seconds that whoever settles a dead run waits for a live one that writes to the same table."""
_GRACE = 0.05
"""Seconds between publishing and removing, at least: who listed the old folder at that moment is
through."""
_SLOWER = 20
"""How many times as long as this process a reader may take to list a table."""


def beside(table: Path, what: str, run_id: str) -> Path:
    return table.with_name(f".{table.name}.{what}-{run_id}")


def written_beside(table: Path, run_id: str) -> Path:
    """A name that was never used: what a dead attempt asked a Spark server for may still be
    written."""
    return beside(table, "staging", f"{run_id}.{secrets.token_hex(4)}")


def sheet_beside(table: Path, run_id: str, seq: int) -> Path:
    """Where the rows of an output are until the workbook that they are a sheet of is written."""
    return beside(table, "staging", f"{run_id}-sheet-{seq}")


def output_key(run_id: str, seq: int) -> str:
    return f"{run_id}-{seq}"


def staged_folder(table: Path, run_id: str, seq: int) -> Path | None:
    """Where the rows of an output are staged, whoever had it last."""
    keys = _keys(table, "staging", run_id, seq)
    return beside(table, "staging", keys[0]) if keys else None


def claim(table: Path, run_id: str, seq: int) -> tuple[Path, str]:
    """Gives a staged folder a name that was never used, and its key: who was stopped while it was
    about to publish the folder, and goes on later, does not find it any more."""
    folder = staged_folder(table, run_id, seq)
    key = f"{output_key(run_id, seq)}-{secrets.token_hex(4)}"
    claimed = beside(table, "staging", key)
    if folder is None:
        raise FileNotFoundError(errno.ENOENT, "its staged files are gone", str(claimed))
    folder.rename(claimed)
    return claimed, key


def is_claimed(table: Path, run_id: str, seq: int) -> bool:
    """Whether somebody began to publish an output."""
    return any(key != output_key(run_id, seq) for key in _keys(table, "staging", run_id, seq))


def is_untouched(table: Path, run_id: str, seq: int) -> bool:
    """Whether an output is staged, and nobody began to publish it."""
    return beside(table, "staging", output_key(run_id, seq)).is_dir()


def remove_staged(table: Path, run_id: str, seq: int) -> None:
    for key in _keys(table, "staging", run_id, seq):
        remove(beside(table, "staging", key))


def remove_output(table: Path, run_id: str, seq: int) -> None:
    """All that stands beside a table of an output that is published, or never will be."""
    for what in ("staging", "old"):
        for key in _keys(table, what, run_id, seq):
            remove(beside(table, what, key))
    remove(sheet_beside(table, run_id, seq))


def _keys(table: Path, what: str, run_id: str, seq: int) -> list[str]:
    """Of the names of an output beside a table. An older Rowbook named them by the run alone."""
    own, found = output_key(run_id, seq), []
    for entry in table.parent.iterdir() if table.parent.is_dir() else ():
        m = BESIDE.fullmatch(entry.name)
        if m and (m["what"], m["table"], m["written"]) == (what, table.name, None):
            key = m["run"]
            if key in (own, run_id, f"{run_id}-taken") or key.startswith(f"{own}-"):
                found.append(key)
    return sorted(found)


def remove_written(table: Path, run_id: str) -> None:
    begins = glob.escape(beside(table, "staging", f"{run_id}.").name)
    for folder in table.parent.glob(f"{begins}*"):
        with suppress(OSError):
            remove(folder)


def publish(staged: Path, table: Path, key: str, *, keep: bool = False) -> None:
    """Makes a staged folder the table; what was the table is removed, or kept beside it. Both are
    on one file system, and the staged one is on disk before anything is replaced."""
    sync(staged)
    write_point("before a table is published")
    if not os.path.lexists(table):
        staged.rename(table)
        _sync_folder(table.parent)
        write_point("a new table was published")
        return
    old = staged if _exchange(staged, table) else _swap(staged, table, key)
    _sync_folder(table.parent)
    write_point("a table was published")
    with suppress(OSError):
        if keep and old.is_dir():
            old = keep_replaced(old, table, key)
        time.sleep(grace(old))
        if keep and old.is_dir():
            prune_replaced(table, old)
        else:
            remove(old)
    write_point("what a table was before is gone")


def grace(replaced: Path) -> float:
    """Seconds for which a replaced folder stays: a reader who is about to list it would take what
    is left of it for the table. One with many files, or on a slow disk, stays longer."""
    began = time.monotonic()
    for _ in os.walk(replaced):
        pass
    return max(_GRACE, _SLOWER * (time.monotonic() - began))


def settle_publication(table: Path, run_id: str, seq: int) -> bool:
    """After the process that published died, or was stopped for so long that others took over:
    whether its output is the table. If not, it never will be: what it staged is taken from it
    before it can go on. Nothing of it is left beside the table."""
    for key in _keys(table, "journal", run_id, seq):
        _finish_alone(table, key)
    write_point("before a staged table is taken away")
    _keep_exchanged(table, run_id, seq)
    for key in _keys(table, "staging", run_id, seq):
        taken = beside(table, "old", f"{output_key(run_id, seq)}-taken")
        remove(taken)
        with suppress(FileNotFoundError):
            beside(table, "staging", key).rename(taken)
    write_point("a staged table was taken away")
    remove_output(table, run_id, seq)
    remove_written(table, run_id)
    remove_left_lock(table)
    write_point("nothing is left beside a table")
    return is_marked(table, run_id, seq)


def _keep_exchanged(table: Path, run_id: str, seq: int) -> None:
    """What the table was, of a process that died between exchanging and keeping it."""
    if not is_marked(table, run_id, seq):
        return
    for what in ("staging", "old"):
        for key in _keys(table, what, run_id, seq):
            folder = beside(table, what, key)
            if marked_outputs(folder) and not is_marked(folder, run_id, seq):
                with suppress(OSError):
                    prune_replaced(table, keep_replaced(folder, table, key))


def finish_swaps(table: Path) -> None:
    """Those that died half-way. Hold the table for it: a live one holds it too."""
    for entry in table.parent.iterdir():
        m = BESIDE.fullmatch(entry.name)
        if m and m["what"] == "journal" and m["table"] == table.name:
            _finish(table, m["run"])


def remove(path: Path) -> None:
    """Something of Rowbook's beside a table. A link is nothing that it made, and is left."""
    try:
        remove_inside(path, path.parent)
    except NotOursError:
        if not path.is_symlink():
            raise


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


def _swap(staged: Path, table: Path, key: str) -> Path:
    """Under a journal, whose presence means: the staged folder is whole. Gives where the old table
    is."""
    journal, old = beside(table, "journal", key), beside(table, "old", key)
    journal.touch()
    _sync_folder(table.parent)
    write_point("a swap was announced")
    table.rename(old)
    write_point("a swap is half done")
    try:
        _sync_folder(table.parent)
        staged.rename(table)
    except BaseException:
        old.rename(table)
        raise
    finally:
        _sync_folder(table.parent)
        remove(journal)
    return old


def _finish_alone(table: Path, key: str) -> None:
    """While another one swaps the table, it is not there either."""
    try:
        with locked(table, Waiting(table.name, limit=_PATIENCE)):
            _finish(table, key)
    except RowbookError as busy:
        raise UnreachableError(busy.diagnostics[0].message) from busy


def _finish(table: Path, key: str) -> None:
    halves = beside(table, "staging", key), beside(table, "old", key)
    whole = next((half for half in halves if half.exists()), None)
    if whole is not None and not os.path.lexists(table):
        whole.rename(table)
        _sync_folder(table.parent)
    remove(beside(table, "journal", key))


def sync(folder: Path) -> None:
    """All that is in it is on disk then."""
    for place, folders, files in os.walk(folder):
        if Path(place).name == MARK:  # names of empty folders: its own list has them
            folders.clear()
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
