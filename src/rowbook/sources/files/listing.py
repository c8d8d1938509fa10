"""The files of a table: which count, what stands in their folders' names, how Spark is told."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.file_options import has_ending

if TYPE_CHECKING:
    from rowbook.sources.stores.object_path import DataPath

FileKind: TypeAlias = Literal["csv", "excel", "json", "orc", "parquet"]
KINDS: tuple[FileKind, ...] = ("csv", "excel", "json", "orc", "parquet")
NULL_FOLDER = "__HIVE_DEFAULT_PARTITION__"
MARK = ".rowbook-output"
"""What tables that Rowbook wrote hold beside their files."""
PERIOD_FOLDERS = ("period", "run_period", "rowbook_period")
"""What folders of periods are named by in such tables: the first that is no column of theirs."""

_ESCAPED = re.compile(r"""[\x00-\x1f\x7f"#%'*/:=?\\{\[\]^]""")
_GLOB = re.compile(r"([\\{}\[\]*?])")


class FileState(NamedTuple):
    """What the file system says of a file. Writing to it changes `modified_ns`, which can be set
    back; and `changed_ns`, which cannot, but changes with its names and rights too. Of an object
    there is its `etag` instead."""

    size: int
    modified_ns: int
    inode: int = 0
    changed_ns: int = 0
    etag: str | None = None

    @property
    def written(self) -> tuple[int, int, int]:
        return self.size, self.modified_ns, self.inode


@dataclass(frozen=True, slots=True)
class DataFile:
    """`relative` is the path below the table, '' where the table is the file; `partitions` are the
    `column=value` folders it stands in, None for NULL. `period` is that of all its rows, which say
    it too, in a table that Rowbook wrote with a folder for each."""

    path: DataPath
    relative: str
    state: FileState
    partitions: Mapping[str, str | None]
    period: str | None = None

    @property
    def size(self) -> int:
        return self.state.size

    @property
    def depth(self) -> int:
        return len(self.relative.split("/")) if self.relative else 0

    def name_below(self, label: str) -> str:
        return posixpath.join(label, self.relative) if self.relative else label


@dataclass(frozen=True, slots=True)
class LocalFile(DataFile):
    """One of this machine, as all are that are written."""

    path: Path


@dataclass(frozen=True, slots=True)
class Listing:
    """`folders` says when something last came into or went from each that was looked into;
    `is_marked`: Rowbook wrote the table."""

    files: tuple[DataFile, ...] = ()
    folders: tuple[tuple[Path, int], ...] = ()
    is_marked: bool = False

    def has_other_entries(self) -> bool:
        return any(_modified_ns(folder) != modified for folder, modified in self.folders)


def file_kind(name: str) -> FileKind:
    return next(kind for kind in KINDS if kind == name)


def list_table(table: DataPath, kind: FileKind, boundary: Boundary | None = None) -> Listing:
    """FileNotFoundError where there is nothing."""
    if isinstance(table, Path):
        return list_files(table, kind, boundary)
    from rowbook.sources.files.object_listing import list_objects

    return list_objects(table, kind)


def list_files(table: Path, kind: FileKind, boundary: Boundary | None = None) -> Listing:
    """Hidden files (`.x`, `~$x`, and `_x` unless it is a `_column=value` folder) do not count, nor
    do other formats. A link counts where it leads to a place inside the boundary; without one none
    may lead out of the table (DATASOURCE_004)."""
    if table.is_file():
        return Listing((_data_file(table, table),))
    folders: dict[Path, int] = {}
    is_marked = (table / MARK).exists()
    found = [
        _data_file(path, table, is_marked=is_marked)
        for path in _walk(table, boundary or Boundary(table), folders)
        if is_of_kind(path.name, kind)
    ]
    files = tuple(sorted(found, key=lambda f: f.relative))
    return Listing(files, tuple(folders.items()), is_marked)


def data_files(table: Path, kind: FileKind, boundary: Boundary | None = None) -> list[LocalFile]:
    found = list_files(table, kind, boundary).files
    return [file for file in found if isinstance(file, LocalFile)]


def file_state(path: Path) -> FileState | None:
    try:
        return _state(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def spark_path(path: DataPath) -> str:
    """A path as Spark's readers take it: no pattern whatever it holds."""
    return _GLOB.sub(r"\\\1", plain_path(path))


def plain_path(path: DataPath) -> str:
    """A path as Spark's writers and options take it: they know no patterns."""
    if isinstance(path, Path):
        return f"file:{path}"
    from rowbook.sources.stores.spark_access import spark_url

    return spark_url(path)


def is_hidden(name: str) -> bool:
    """By its name; `~$x` is there while Excel has x open."""
    return name.startswith((".", "~$")) or (name.startswith("_") and "=" not in name)


def partition_of(folder: str) -> tuple[str, str | None] | None:
    column, equals, value = folder.partition("=")
    if not equals:
        return None
    return unquote(column), None if value == NULL_FOLDER else unquote(value)


def partition_folder(column: str, value: str) -> str:
    """With Spark's escapes."""
    return f"{column}={_ESCAPED.sub(lambda c: f'%{ord(c[0]):02X}', value)}"


def partitions_in(
    path: str, *, is_marked: bool = False
) -> tuple[dict[str, str | None], str | None]:
    """The columns that stand in folders' names, and the period where Rowbook named one by it."""
    found = dict(found for folder in path.split("/")[:-1] if (found := partition_of(folder)))
    name = next((name for name in PERIOD_FOLDERS if name in found), None) if is_marked else None
    return found, found.pop(name) if name else None


def _walk(
    folder: Path, boundary: Boundary, folders: dict[Path, int], inside: tuple[str, ...] = ()
) -> Iterator[Path]:
    """When folders changed is noted before they are looked into: what comes meanwhile is a
    change."""
    inside = (*inside, os.path.realpath(folder))
    folders[folder] = folder.stat().st_mtime_ns
    with os.scandir(folder) as entries:
        for entry in entries:
            if is_hidden(entry.name):
                continue
            path = Path(entry.path)
            if entry.is_symlink():
                _check_link(path, boundary, inside)
            if entry.is_dir():
                yield from _walk(path, boundary, folders, inside)
            elif entry.is_file():
                yield path


def _check_link(link: Path, boundary: Boundary, inside: tuple[str, ...]) -> None:
    target = os.path.realpath(link)
    if not boundary.contains(target):
        where = "outside the workspace and its allowed locations"
    elif target in inside:
        where = "to a folder that it stands in"
    else:
        return
    raise RowbookError.of("DATASOURCE_004", f"'{link}' is a link that leads {where}")


def _data_file(path: Path, table: Path, *, is_marked: bool = False) -> LocalFile:
    relative = path.relative_to(table).as_posix() if path != table else ""
    return LocalFile(path, relative, _state(path), *partitions_in(relative, is_marked=is_marked))


def _state(path: Path) -> FileState:
    found = path.stat()
    return FileState(found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns)


def _modified_ns(folder: Path) -> int | None:
    state = file_state(folder)
    return state.modified_ns if state else None


def is_of_kind(name: str, kind: FileKind) -> bool:
    """By its ending; a name without one (as Hive writes) is taken to be of the table's kind."""
    return "." not in name or has_ending(name, kind)
