"""The files that a workspace's rules stand in, looked at again and again.

Polling: some hundred files take a few milliseconds to look at, on every file system and in every
container, where notices of the operating system get lost or need a package for each kind of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

from rowbook.definitions.workspace_files import FOLDERS, SCENARIO_FOLDER
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.value_class import dataclass

FileState: TypeAlias = tuple[int, int, int]
"""Time, size and inode."""
FileStates: TypeAlias = Mapping[str, FileState]
"""By the names of files."""

INTERVAL = 0.2
SETTLING = 0.1
"""Seconds between two looks; and between those that find out whether an editor is done, as many
write twice."""

_DEFINITIONS = (".yaml", ".yml")
_ROWS = (".csv", ".json")


@dataclass(frozen=True, slots=True)
class FileChange:
    file: str
    change: Literal["new", "changed", "gone"]


def file_states(root: Path) -> FileStates:
    found: dict[str, FileState] = {}
    with suppress(OSError):
        found[WORKSPACE_FILE] = _state((root / WORKSPACE_FILE).stat())
    for folder in FOLDERS:
        found |= _states(root / folder, f"{folder}/", _DEFINITIONS)
    folder = SCENARIO_FOLDER
    return found | dict(_states(root / folder, f"{folder}/", (*_DEFINITIONS, *_ROWS)))


def changes_between(before: FileStates, now: FileStates) -> tuple[FileChange, ...]:
    changed = [name for name in before.keys() & now.keys() if before[name] != now[name]]
    found = [
        *(FileChange(name, "changed") for name in changed),
        *(FileChange(name, "new") for name in now.keys() - before.keys()),
        *(FileChange(name, "gone") for name in before.keys() - now.keys()),
    ]
    return tuple(sorted(found, key=lambda each: each.file))


def wait_for_change(
    root: Path, before: FileStates, sleep: Callable[[float], None] = time.sleep
) -> FileStates:
    """Returns once something is not as it was, and has stopped changing."""
    now = file_states(root)
    while now == before:
        sleep(INTERVAL)
        now = file_states(root)
    while True:
        sleep(SETTLING)
        later = file_states(root)
        if later == now:
            return now
        now = later


def _states(
    folder: str | Path, prefix: str, endings: tuple[str, ...]
) -> Iterator[tuple[str, FileState]]:
    """Of what cannot be looked at, nothing."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            name = f"{prefix}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                yield from _states(entry.path, f"{name}/", endings)
            elif entry.name.endswith(endings):
                with suppress(OSError):
                    yield name, _state(entry.stat())


def _state(found: os.stat_result) -> FileState:
    return found.st_mtime_ns, found.st_size, found.st_ino
