"""The files that a workspace's rules stand in, looked at again and again.

Polling: some hundred files take a few milliseconds to look at, on every file system and in every
container, where notices of the operating system get lost or need a package for each kind of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from rowbook.definitions.workspace_files import FOLDERS, SCENARIO_FOLDER
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.value_class import dataclass

FileStates: TypeAlias = Mapping[str, tuple[int, int, int]]
"""Time, size and inode of each file, by its name."""

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
    found: dict[str, tuple[int, int, int]] = {}
    for path in _files(root):
        try:
            state = path.stat()
        except OSError:
            continue
        name = path.relative_to(root).as_posix()
        found[name] = state.st_mtime_ns, state.st_size, state.st_ino
    return found


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


def _files(root: Path) -> Iterator[Path]:
    yield root / WORKSPACE_FILE
    for folder in (*FOLDERS, SCENARIO_FOLDER):
        endings = (*_DEFINITIONS, *_ROWS) if folder == SCENARIO_FOLDER else _DEFINITIONS
        for parent, _, names in os.walk(root / folder):
            yield from (Path(parent, name) for name in names if name.endswith(endings))
