"""What tables were before an output replaced a part of them: kept beside them under a hidden name,
`.<table>.replaced-<run>-<seq>-<number>` of the output, until `gc`.

It is the folder that was the table, with the mark of what it was; files that are still part of the
table are not kept twice. Only the last few of a table stay.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rowbook.locations.removal import BESIDE, remove_inside
from rowbook.sources.files.listing import MARK
from rowbook.write_points import write_point

MOST = 3
"""How many of a table are kept."""


def keep_replaced(old: Path, table: Path, key: str) -> Path:
    """Takes the folder that was the table; gives where it is now."""
    kept = table.with_name(f".{table.name}.replaced-{key}")
    old.rename(kept)
    os.utime(kept)
    write_point("what a table was before is kept")
    return kept


def prune_replaced(table: Path, kept: Path) -> None:
    """Without what is still part of the table, and without the oldest ones."""
    modified_ns = kept.stat().st_mtime_ns
    if not _drop_shared(kept, table):
        remove_inside(kept, kept.parent)
        return
    os.utime(kept, ns=(modified_ns, modified_ns))
    for older in replaced_tables(table)[MOST:]:
        remove_inside(older, older.parent)


def replaced_tables(table: Path) -> list[Path]:
    """The newest first."""
    found = []
    for entry in table.parent.iterdir() if table.parent.is_dir() else ():
        m = BESIDE.fullmatch(entry.name)
        if m and (m["what"], m["table"]) == ("replaced", table.name) and not entry.is_symlink():
            with suppress(OSError):
                found.append((entry.stat().st_mtime_ns, entry))
    return [entry for _, entry in sorted(found, reverse=True)]


def _drop_shared(kept: Path, table: Path) -> bool:
    """Whether any file is left."""
    left = False
    for file in _files(kept):
        if _is_same(file, table / file.relative_to(kept)):
            file.unlink()
        else:
            left = True
    return left


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        if MARK in folders:
            folders.remove(MARK)
        yield from (Path(place, name) for name in names)


def _is_same(file: Path, other: Path) -> bool:
    """One file under two names, or a copy with its time."""
    try:
        mine, its = file.lstat(), other.lstat()
    except OSError:
        return False
    one = (mine.st_dev, mine.st_ino) == (its.st_dev, its.st_ino)
    return one or (mine.st_size, mine.st_mtime_ns) == (its.st_size, its.st_mtime_ns)
