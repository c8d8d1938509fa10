"""Copies of Iceberg tables where they are: folders of a disk, or prefixes of a bucket."""

from __future__ import annotations

import itertools
import json
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowbook.locations.removal import remove_staged_table
from rowbook.sources.iceberg.catalogs.catalog import OutputName
from rowbook.sources.iceberg.catalogs.hadoop_catalog import HadoopCatalog
from rowbook.sources.iceberg.lake_files import write_new
from rowbook.sources.iceberg.staging_table import FIRST, StagedFile, StagingTable, is_named
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.publishing.exchange import sync
from rowbook.sources.publishing.table_publication import file_sizes
from rowbook.sources.stores.object_path import DataPath, ObjectPath

_VERSION = re.compile(r"metadata/v(\d+)\.metadata\.json")
_TOKEN = r"[0-9a-f]{16}"


@dataclass(frozen=True, slots=True)
class FolderStaging(StagingTable):
    location: Path

    @property
    def folder(self) -> Path:
        return self.location / self.name

    def create(self, content: Mapping[str, Any]) -> None:
        file = self.folder / FIRST
        file.parent.mkdir(parents=True)
        write_new(file, json.dumps(content).encode())

    def metadata(self) -> TableMetadata:
        file = HadoopCatalog(self.location).metadata_file((self.name,))
        if file is None:
            raise FileNotFoundError(str(self.folder))
        return TableMetadata.parse(Path(file).read_bytes(), file)

    def paths(self) -> dict[str, DataPath]:
        return {name: self.folder / name for name, _ in self._sizes()}

    def files(self) -> list[StagedFile]:
        return [(name, size) for name, size in self._sizes() if is_named(name)]

    def sync(self) -> None:
        sync(self.folder)

    def finish(self) -> None:
        with suppress(FileNotFoundError):
            (self.folder / FIRST).unlink()
        for name, _ in self._sizes():
            if not is_named(name):
                (self.folder / name).unlink()

    def remove(self) -> None:
        remove_staged_table(self.folder, self.location)

    def _sizes(self) -> list[tuple[str, int]]:
        return file_sizes(self.folder) if self.folder.is_dir() else []


@dataclass(frozen=True, slots=True)
class ObjectStaging(StagingTable):
    """Its name has a part that was never used: what a dead attempt asked Spark for may come
    late."""

    location: ObjectPath

    @property
    def folder(self) -> ObjectPath:
        return self.location / self.name

    def create(self, content: Mapping[str, Any]) -> None:
        write_new(self.folder / FIRST, json.dumps(content).encode())

    def metadata(self) -> TableMetadata:
        paths = self.paths()
        found = {int(m[1]): path for name, path in paths.items() if (m := _VERSION.fullmatch(name))}
        if not found:
            raise FileNotFoundError(str(self.folder))
        path = found[max(found)]
        return TableMetadata.parse(path.read_bytes(), str(path))

    def paths(self) -> dict[str, DataPath]:
        store, below = self.location.store, f"{self.folder.key}/"
        listed = store.list(self.folder.key)
        return {each.key.removeprefix(below): ObjectPath.of(store, each) for each in listed}

    def files(self) -> list[StagedFile]:
        store, below = self.location.store, f"{self.folder.key}/"
        listed = ((each.key.removeprefix(below), each) for each in store.list(self.folder.key))
        return sorted((name, each.size, each.etag) for name, each in listed if is_named(name))

    def sync(self) -> None:
        """An object is kept when its put returns."""

    def finish(self) -> None:
        self._delete([FIRST])
        self._delete([name for name in self.paths() if not is_named(name)])

    def remove(self) -> None:
        """What says that it is no more than staged goes last."""
        self._delete([name for name in self.paths() if name != FIRST])
        self._delete([FIRST])

    def _delete(self, names: list[str]) -> None:
        self.location.store.delete(*((self.folder / name).key for name in names))


def fresh_staging(location: DataPath, output: OutputName) -> StagingTable:
    """In a folder that is not there. There may be others of the output: it is written again where
    the table was changed before it could be published."""
    if isinstance(location, ObjectPath):
        return ObjectStaging(location, f"{output.folder}/{secrets.token_hex(8)}")
    numbers = itertools.chain([""], (f"_{number}" for number in itertools.count(2)))
    names = (f"{output.folder}{number}" for number in numbers)
    return FolderStaging(location, next(name for name in names if not (location / name).exists()))


def recorded_staging(location: DataPath, output: OutputName, name: str) -> StagingTable:
    """ValueError where a record names a folder that is none of the output's."""
    if isinstance(location, ObjectPath):
        if re.fullmatch(rf"{re.escape(output.folder)}/{_TOKEN}", name):
            return ObjectStaging(location, name)
    elif _is_of(output, name):
        return FolderStaging(location, name)
    raise ValueError(f"{name} is no folder of output {output.tag}")


def all_staging(location: DataPath, output: OutputName) -> tuple[StagingTable, ...]:
    """Of an output, whether published or not."""
    if isinstance(location, ObjectPath):
        below = location / output.folder
        listed = (each.key.removeprefix(f"{below.key}/") for each in location.store.list(below.key))
        tokens = sorted({name.partition("/")[0] for name in listed})
        own = (token for token in tokens if re.fullmatch(_TOKEN, token))
        return tuple(ObjectStaging(location, f"{output.folder}/{token}") for token in own)
    there = sorted(location.iterdir()) if location.is_dir() else []
    names = (each.name for each in there if each.is_dir() and not each.is_symlink())
    return tuple(FolderStaging(location, name) for name in names if _is_of(output, name))


def _is_of(output: OutputName, name: str) -> bool:
    return re.fullmatch(rf"{re.escape(output.folder)}(?:_\d+)?", name) is not None


def remove_empty(location: DataPath) -> None:
    """The folder of a table that never was."""
    if isinstance(location, Path):
        with suppress(OSError):
            location.rmdir()
